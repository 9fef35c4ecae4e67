// SPDX-License-Identifier: Apache-2.0
// The system calls on an endpoint.
#include <algorithm>

#include "models/host/net/pattern.h"
#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"

namespace longhaul::host {

bool TcpEndpoint::connect(Process& process, std::uint32_t iss) {
  start_connect(process.processor(), iss);
  while (!established_ && !ended_) process.wait(openers_);
  return established_ && !ended_;
}

void TcpEndpoint::start_connect(Processor& processor, std::uint32_t iss) {
  processor.execute(stack_.params().tcp_open_cycles());
  lock(processor);
  iss_ = iss;
  prepare();
  connection_.connect(opening(iss));
  after_call();
  unlock();
}

// Sending.

/// Stream offset up to which everything has been sent once.
std::uint64_t TcpEndpoint::sent_once() const { return std::max<tcp::Position>(connection_.sender().next(), 1) - 1; }

bool TcpEndpoint::may_write(std::uint64_t left) const {
  const std::uint64_t room = send_.room();
  const std::uint64_t low = std::min(stack_.params().send_low_water().count, send_.limit());
  return room != 0 && room >= std::min(left, low);
}

/// Goes along so many bytes of a socket's memory in pieces of that size, if the stack has to.
void TcpEndpoint::walk(Processor& processor, std::uint64_t bytes, std::uint64_t piece) const {
  if (stack_.params().walks_chains() && bytes >= piece) processor.step_along(bytes / piece);
}

/// Copies into one buffer; returns how much, 0 when there is no memory.
std::uint64_t TcpEndpoint::fill_buffer(Processor& processor, std::uint64_t user, std::uint64_t bytes,
                                       std::uint64_t room) {
  const std::uint64_t most = std::min(bytes, room);
  std::uint64_t filled = 0;
  bool full = false;
  while (!full && filled < most) {
    const SendQueue::Space space = send_.space(sent_once());
    if (space.opens_buffer) processor.execute(stack_.params().allocate_cycles());
    if (space.bytes == 0) break;
    if (space.opens_page) walk(processor, send_.end() - send_.begin(), stack_.params().send_page().count);
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(space.bytes, most - filled));
    processor.copy(user + filled, space.address, n);
    if (settings_.verify) pattern::fill(send_.end(), stack_.pool().to_write(space.address, n), n);
    if (settings_.carries) stack_.pool().copy(user + filled, space.address, n);
    send_.append(n);
    filled += n;
    full = space.completes && n == space.bytes;
  }
  return filled;
}

std::uint64_t TcpEndpoint::send(Process& process, std::uint64_t user, std::uint64_t bytes) {
  if (stack_.params().send_by_call()) return send_whole(process, user, bytes);
  Processor& processor = process.processor();
  lock(processor);
  std::uint64_t done = 0;
  while (done < bytes && !ended_ && !finished_by_us_ && established_) {
    if (!may_write(bytes - done)) {
      unlock();
      if (!may_write(bytes - done) && !ended_) process.wait(writers_);
      lock(processor);
      continue;
    }
    const std::uint64_t filled = fill_buffer(processor, user + done, bytes - done, send_.room());
    if (filled == 0) {  // the host has no memory left: some is freed sooner or later
      stack_.drop_no_memory.add();
      unlock();
      process.sleep(to_ps(processor.params().tick()));
      lock(processor);
      continue;
    }
    const std::uint64_t before = transmissions_;
    stack_.written_bytes.add(filled);
    connection_.write(filled);
    after_call();
    done += filled;
    if (transmissions_ == before) processor.pay();
  }
  unlock();
  return done;
}

// Receiving.

/// Copies what is in order; returns how much.
std::uint64_t TcpEndpoint::copy_out(Processor& processor, std::uint64_t user, std::uint64_t bytes) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const Extent front = receive_.front();
    if (front.bytes == 0) break;
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(front.bytes, bytes - done));
    processor.copy(front.address, user + done, n);
    if (settings_.carries) stack_.pool().copy(front.address, user + done, n);
    if (settings_.verify) {
      const auto wrong = pattern::first_wrong(receive_.read_offset(), stack_.pool().at(front.address), n);
      if (wrong) stack_.verify_errors.add();
      if (wrong && !mismatch_) mismatch_ = wrong;
    }
    processor.pay();
    receive_.consume(n);
    done += n;
  }
  return done;
}

/// Tells the engine what has been read, which may send a window update.
void TcpEndpoint::tell_read() {
  const std::uint64_t bytes = receive_.read_offset() - told_read_;
  if (bytes == 0) return;
  told_read_ += bytes;
  if (tunes()) {
    if (const std::uint64_t window = tuning_.read(receive_.read_offset(), now())) grow_receive_memory(window);
  }
  update_window(connection_.readable() - bytes, receive_.charged());
  connection_.read(bytes);
  after_call();
}

/// Handles the segments that have come so far for a reader whose memory takes `room` bytes more.
void TcpEndpoint::eat(std::uint64_t room) {
  reader_room_ = room;
  for (std::size_t left = backlog_.size(); left != 0 && !backlog_.empty(); --left) handle_next();
  reader_room_ = 0;
}

std::uint64_t TcpEndpoint::receive(Process& process, std::uint64_t user, std::uint64_t bytes) {
  if (stack_.params().posted_reads()) return receive_posted(process, user, bytes);
  Processor& processor = process.processor();
  const bool eats = stack_.params().reader_acks();
  lock(processor);
  std::uint64_t done = 0;
  for (;;) {
    done += copy_out(processor, user + done, bytes - done);
    if (done == bytes) break;
    if (!backlog_.empty()) {  // what came meanwhile is taken along
      if (eats) {
        tell_read();
        eat(bytes - done);
      } else {
        work_off();
      }
      continue;
    }
    if (done != 0 || may_read()) break;
    reader_waits_ = true;
    unlock();
    if (!may_read() && backlog_.empty()) process.wait(readers_);
    lock(processor);
    reader_waits_ = false;
    if (eats) {
      eat(bytes);
    } else {
      work_off();
    }
  }
  tell_read();
  unlock();
  return done;
}

// Ending.

void TcpEndpoint::shutdown(Process& process) {
  lock(process.processor());
  finished_by_us_ = true;
  connection_.close();
  after_call();
  unlock();
}

void TcpEndpoint::close(Process& process) {
  lock(process.processor());
  work_off();  // what is in the backlog is unread, too
  const bool unread = connection_.readable() != 0;
  attached_ = false;
  finished_by_us_ = true;
  if (unread) {
    connection_.abort();
  } else {
    connection_.close();
  }
  receive_.clear();
  if (connection_.state() == tcp::State::kClosed) ended_ = true;  // was never open
  after_call();
  unlock();
}

void TcpEndpoint::reset() {
  lock(*Processor::current());
  connection_.abort();
  after_call();
  unlock();
}

void TcpEndpoint::abandon() {
  attached_ = false;
  Processor* const processor = Processor::current();
  if (processor == nullptr) return;  // the simulation is being taken down
  lock(*processor);
  listener_ = nullptr;
  connection_.abort();
  receive_.clear();
  if (connection_.state() == tcp::State::kClosed) ended_ = true;
  after_call();
  unlock();
}

}  // namespace longhaul::host
