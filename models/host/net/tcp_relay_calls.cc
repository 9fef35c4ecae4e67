// SPDX-License-Identifier: Apache-2.0
// What a relay asks of an endpoint: calls that do not wait.
#include <algorithm>

#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"

namespace longhaul::host {

void TcpEndpoint::take_over(Processor& processor, const tcp::Handover& handover) {
  processor.execute(stack_.params().tcp_open_cycles());
  lock(processor);
  iss_ = handover.opening.iss;
  timestamps_ = handover.own.timestamps && handover.peer.timestamps;
  peer_timestamp_ = handover.peer_timestamp;
  prepare();
  tcp::Handover with_path = handover;
  with_path.opening.mss = interface_->mss(ends_.ipv6);
  connection_.take_over(with_path);
  after_call();
  unlock();
}

std::uint64_t TcpEndpoint::room() const {
  return send_.limit() > send_.charged() ? send_.limit() - send_.charged() : 0;
}

std::uint64_t TcpEndpoint::splice(Process& process, std::uint64_t bytes, TcpEndpoint& to) {
  Processor& processor = process.processor();
  lock(processor);
  to.lock(processor);
  constexpr std::uint64_t kBatch = 65536;  // so that full segments leave, and long ones where the adapter cuts
  std::uint64_t done = 0;
  std::uint64_t unwritten = 0;
  const auto write = [&] {
    if (unwritten == 0) return;
    to.connection_.write(unwritten);
    to.after_call();
    unwritten = 0;
  };
  while (done < bytes && to.established_ && !to.ended_ && !to.finished_by_us_) {
    const Extent front = receive_.front();
    if (front.bytes == 0) {
      if (backlog_.empty()) break;
      work_off();  // what came meanwhile is taken along
      continue;
    }
    const std::uint64_t room = to.send_.room();
    const std::uint64_t want = std::min<std::uint64_t>(front.bytes, bytes - done);
    const std::uint64_t filled = room == 0 ? 0 : to.fill_buffer(processor, front.address, want, room);
    if (filled == 0) break;
    receive_.consume(static_cast<std::uint32_t>(filled));
    done += filled;
    unwritten += filled;
    if (unwritten >= kBatch) write();
    processor.pay();
  }
  write();
  to.unlock();
  tell_read();
  unlock();
  return done;
}

bool TcpEndpoint::take(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  lock(processor);
  const bool there = available() >= bytes;
  if (there) {
    copy_out(processor, user, bytes);
    tell_read();
  }
  unlock();
  return there;
}

void TcpEndpoint::push(Process& process) {
  lock(process.processor());
  connection_.set_nodelay(true);
  connection_.set_nodelay(settings_.nodelay);
  after_call();
  unlock();
}

bool TcpEndpoint::put(Process& process, std::uint64_t user, std::uint64_t bytes) {
  Processor& processor = process.processor();
  lock(processor);
  const bool fits = room() >= bytes && established_ && !ended_ && !finished_by_us_;
  std::uint64_t filled = 0;
  while (fits && filled < bytes) {
    const std::uint64_t n = fill_buffer(processor, user + filled, bytes - filled, bytes - filled);
    if (n == 0) {  // the host has no memory left: some is freed sooner or later
      stack_.drop_no_memory.add();
      processor.pay();
    }
    filled += n;
  }
  if (fits) {
    connection_.write(bytes);
    after_call();
  }
  unlock();
  return fits;
}

}  // namespace longhaul::host
