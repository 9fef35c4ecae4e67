// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/discipline/afd_discipline.h"

#include <algorithm>

#include "models/host/net/discipline/disciplines.h"
#include "models/host/net/stack.h"

namespace longhaul::host {

bool AfdDiscipline::send_may_return() const {
  if (sends_.size() <= 2) return true;
  return sends_[sends_.size() - 2] - sends_begin_ < socket_.send_queue().limit();
}

/// The copy runs without the lock, so softirqs can handle segments meanwhile.
std::uint64_t AfdDiscipline::send(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  std::uint64_t done = 0;
  while (done < bytes && socket_.may_send()) {
    const std::uint64_t filled =
        socket_.output().copy_in(processor, user + done, bytes - done, bytes - done);
    done += filled;
    if (filled != 0) {
      processor.pay();
      continue;
    }
    socket_.stack().drop_no_memory.add();  // some is freed sooner or later
    process.sleep(to_ps(processor.params().tick()));
  }
  SocketLock& lock = socket_.lock();
  lock.acquire(processor);
  if (done != 0 && !socket_.is_over()) {
    sends_.push_back(socket_.send_queue().end());
    socket_.write(done);
  }
  lock.release();
  while (!socket_.is_over() && !send_may_return()) process.wait(socket_.writers());
  return done;
}

void AfdDiscipline::writable() {
  while (!sends_.empty() && sends_.front() <= socket_.send_queue().begin())
    sends_begin_ = sends_.pop_front();
  if (!socket_.writers().empty() && send_may_return()) socket_.writers().wake_all();
}

std::uint64_t AfdDiscipline::receive(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  SocketLock& lock = socket_.lock();
  lock.acquire(processor);
  lock.process_backlog();
  std::uint64_t done = socket_.input().copy_out(processor, user, bytes);
  socket_.input().report_read();
  if (done == 0 && bytes != 0) posted_ = {user, bytes};
  lock.release();  // segments of the backlog fill the posted buffer
  if (posted_.bytes == 0) return done;
  while (!receive_may_return()) process.wait(socket_.readers());
  lock.acquire(processor);
  done = posted_.filled;
  posted_ = {};
  lock.release();
  return done;
}

bool AfdDiscipline::receive_may_return() const {
  return posted_.filled == posted_.bytes || (posted_.pushed && posted_.filled != 0) ||
         socket_.stream_ended() || socket_.is_over();
}

/// Copies data that is in order into the posted buffer. `pushed`: the sender set PSH.
void AfdDiscipline::fill_posted(bool pushed) {
  if (posted_.bytes == 0) return;
  const std::uint64_t done =
      socket_.input().copy_out(*Processor::current(), posted_.user + posted_.filled, posted_room());
  posted_.filled += done;
  posted_.pushed = posted_.pushed || pushed;
  if (done != 0) socket_.input().report_read();
  if (receive_may_return() && !socket_.readers().empty()) socket_.readers().wake_all();
}

void AfdDiscipline::store(const Arrival& arrival, const Payload& payload) {
  std::uint64_t address = payload.address;
  const RxPacket kept = set_aside(arrival.packet, address, payload.bytes);
  socket_.input().queue().insert(kept, payload.offset, address, payload.bytes, payload.charge);
  fill_posted(arrival.segment.has(tcp::kPsh));
}

/// Copies payload that no call waits for, and gives the driver its buffer back. Without memory, or
/// beyond receive_ahead(), the payload stays in the driver's buffer. Sets `address` to where the
/// payload is.
RxPacket AfdDiscipline::set_aside(const RxPacket& packet, std::uint64_t& address,
                                  std::uint32_t bytes) {
  if (posted_room() != 0 || socket_.receive_queue().charged() >= receive_ahead()) return packet;
  Stack& stack = socket_.stack();
  RxPacket copy;
  copy.buffer = stack.pool().allocate(bytes);
  if (copy.buffer == 0) return packet;
  copy.buffer_bytes = bytes;
  Processor& processor = *Processor::current();
  processor.execute(stack.params().allocate_cycles());
  processor.copy(address, copy.buffer, bytes);
  stack.pool().copy(address, copy.buffer, bytes);
  stack.freed(packet);
  address = copy.buffer;
  return copy;
}

/// Bytes that AFD buffers before the window closes.
std::uint64_t AfdDiscipline::receive_ahead() const {
  const SocketSettings& settings = socket_.settings();
  return settings.receive_limit_is_set ? settings.receive_limit
                                       : socket_.stack().params().receive_ahead().count;
}

/// The posted buffer takes its part before the window is updated.
void AfdDiscipline::update_window(std::uint64_t unread, std::uint64_t /*charged*/) {
  const std::uint64_t taken = std::min(unread, posted_room());
  socket_.engine().set_receive_limit(socket_.input().window_limit() + taken +
                                     std::min(unread - taken, receive_ahead()));
}

/// Rounds the window up to whole segments.
void AfdDiscipline::established() {
  TcpInput& input = socket_.input();
  const std::uint64_t least = socket_.stack().params().window_segments();
  const std::uint64_t mss = socket_.engine().sender().mss();
  const std::uint64_t limit = input.window_limit();
  if (input.memory().counts_memory() || least == 0 || limit < mss) return;
  input.set_window_limit(std::max((limit + mss - 1) / mss, least) * mss);
}

std::unique_ptr<SocketDiscipline> make_afd_discipline(TcpEndpoint& socket) {
  return std::make_unique<AfdDiscipline>(socket);
}

}  // namespace longhaul::host
