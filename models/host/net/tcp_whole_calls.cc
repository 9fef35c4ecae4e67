// SPDX-License-Identifier: Apache-2.0
// Calls as Windows' AFD and TDI have them: a send is a buffer of its own until all of it is acknowledged, a receive is a buffer that
// waits in TCP for its bytes.
#include <algorithm>

#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"

namespace longhaul::host {

/// Whether the call that came last is within the send buffer: less than that in calls before it, or one of those at most.
bool TcpEndpoint::call_may_return() const {
  if (calls_.size() <= 2) return true;
  return calls_[calls_.size() - 2] - calls_begin_ < send_.limit();
}

/// The bytes are the caller's until they are all copied, so segments are handled meanwhile.
std::uint64_t TcpEndpoint::send_whole(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  std::uint64_t done = 0;
  while (done < bytes && established_ && !ended_ && !finished_by_us_) {
    const std::uint64_t filled = fill_buffer(processor, user + done, bytes - done, bytes - done);
    done += filled;
    if (filled != 0) {
      processor.pay();
      continue;
    }
    stack_.drop_no_memory.add();  // some is freed sooner or later
    process.sleep(to_ps(processor.params().tick()));
  }
  lock(processor);
  if (done != 0 && !ended_) {
    calls_.push_back(send_.end());
    connection_.write(done);
    after_call();
  }
  unlock();
  while (!ended_ && !call_may_return()) process.wait(writers_);
  return done;
}

void TcpEndpoint::call_acknowledged() {
  while (!calls_.empty() && calls_.front() <= send_.begin()) calls_begin_ = calls_.pop_front();
  if (!writers_.empty() && call_may_return()) writers_.wake_all();
}

std::uint64_t TcpEndpoint::receive_posted(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  lock(processor);
  work_off();
  std::uint64_t done = copy_out(processor, user, bytes);
  tell_read();
  if (done == 0 && bytes != 0) posted_ = {user, bytes};
  unlock();  // which works off what came meanwhile
  if (posted_.bytes == 0) return done;
  while (!posted_done()) process.wait(readers_);
  lock(processor);
  done = posted_.filled;
  posted_ = {};
  unlock();
  return done;
}

bool TcpEndpoint::posted_done() const {
  return posted_.filled == posted_.bytes || (posted_.pushed && posted_.filled != 0) || stream_ended_ || ended_;
}

/// Gives the waiting call what is in order; `pushed`: the sender has no more for now.
void TcpEndpoint::fill_posted(bool pushed) {
  if (posted_.bytes == 0) return;
  const std::uint64_t done =
      copy_out(*Processor::current(), posted_.user + posted_.filled, posted_.bytes - posted_.filled);
  posted_.filled += done;
  posted_.pushed = posted_.pushed || pushed;
  if (done != 0) tell_read();
  if (posted_done() && !readers_.empty()) readers_.wake_all();
}

/// A segment that no call waits for is copied, and the driver has its buffer back. Returns where its payload is now; the
/// driver's buffer when there is no memory, or the socket has taken what it takes.
RxPacket TcpEndpoint::set_aside(const Arrival& arrival, std::uint64_t& address, std::uint32_t bytes) {
  if (posted_room() != 0 || receive_.charged() >= ahead()) return arrival.packet;
  RxPacket copy;
  copy.buffer = stack_.pool().allocate(bytes);
  if (copy.buffer == 0) return arrival.packet;
  copy.buffer_bytes = bytes;
  Processor& processor = *Processor::current();
  processor.execute(stack_.params().allocate_cycles());
  processor.copy(address, copy.buffer, bytes);
  stack_.pool().copy(address, copy.buffer, bytes);
  stack_.freed(arrival.packet);
  address = copy.buffer;
  return copy;
}

/// What a socket takes off TCP's hands before the window closes.
std::uint64_t TcpEndpoint::ahead() const {
  return settings_.receive_limit_is_set ? settings_.receive_limit : stack_.params().receive_ahead().count;
}

/// The segment's size is agreed: whole segments of window.
void TcpEndpoint::open_window() {
  const std::uint64_t least = stack_.params().window_segments();
  const std::uint64_t mss = connection_.sender().mss();
  if (memory_.counts_memory() || least == 0 || window_limit_ < mss) return;
  window_limit_ = std::max((window_limit_ + mss - 1) / mss, least) * mss;
  connection_.set_receive_limit(window_limit_);
}

}  // namespace longhaul::host
