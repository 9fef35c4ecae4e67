// SPDX-License-Identifier: Apache-2.0
// Calls of programs on an endpoint.
#include <algorithm>

#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"

namespace longhaul::host {

tcp::Opening TcpEndpoint::opening(std::uint32_t iss) {
  return {iss, output_.interface().mss(ends().ipv6)};
}

/// Sets limits before the SYN announces a window.
void TcpEndpoint::prepare() {
  output_.queue().set_limit(settings_.send_limit);
  input_.prepare(output_.interface().mss(ends().ipv6));
  connection_->set_nodelay(settings_.nodelay);
}

void TcpEndpoint::listen(TcpListener& listener, std::uint32_t iss) {
  listener_ = &listener;
  iss_ = iss;
  prepare();
  connection_->listen(opening(iss));
}

bool TcpEndpoint::connect(Process& process, std::uint32_t iss) {
  start_connect(process.processor(), iss);
  while (!established_ && !ended_) process.wait(openers_);
  return established_ && !ended_;
}

void TcpEndpoint::start_connect(Processor& processor, std::uint32_t iss) {
  processor.execute(stack_.params().tcp_open_cycles());
  lock_.acquire(processor);
  iss_ = iss;
  prepare();
  connection_->connect(opening(iss));
  engine_returned();
  lock_.release();
}

void TcpEndpoint::take_over(Processor& processor, const tcp::Handover& handover) {
  processor.execute(stack_.params().tcp_open_cycles());
  lock_.acquire(processor);
  iss_ = handover.opening.iss;
  output_.set_timestamps(handover.own.timestamps && handover.peer.timestamps);
  peer_timestamp_ = handover.peer_timestamp;
  prepare();
  tcp::Handover with_path = handover;
  with_path.opening.mss = opening(iss_).mss;
  connection_->take_over(with_path);
  engine_returned();
  lock_.release();
}

std::uint64_t TcpEndpoint::send(Process& process, std::uint64_t user, std::uint64_t bytes) {
  return discipline_->send(process, user, bytes);
}

std::uint64_t TcpEndpoint::receive(Process& process, std::uint64_t user, std::uint64_t bytes) {
  return discipline_->receive(process, user, bytes);
}

void TcpEndpoint::write(std::uint64_t bytes) {
  if (away()) return place_->send();
  connection_->write(bytes);
  engine_returned();
}

void TcpEndpoint::shutdown(Process& process) {
  lock_.acquire(process.processor());
  finished_by_us_ = true;
  if (away()) {
    place_->take_back(TcpPlace::Then::kClose);
  } else {
    connection_->close();
    engine_returned();
  }
  lock_.release();
}

void TcpEndpoint::close(Process& process) {
  lock_.acquire(process.processor());
  lock_.process_backlog();  // unread data also counts
  const bool unread = away() ? input_.queue().end() != input_.queue().read_offset()
                             : connection_->readable() != 0;
  attached_ = false;
  finished_by_us_ = true;
  if (away()) {
    place_->take_back(unread ? TcpPlace::Then::kAbort : TcpPlace::Then::kClose);
    input_.queue().clear();
    return lock_.release();
  }
  if (unread) {
    connection_->abort();
  } else {
    connection_->close();
  }
  input_.queue().clear();
  if (connection_->state() == tcp::State::kClosed) ended_ = true;  // was never open
  engine_returned();
  lock_.release();
}

void TcpEndpoint::reset() {
  lock_.acquire(*Processor::current());
  if (away()) {
    place_->take_back(TcpPlace::Then::kAbort);
    return lock_.release();
  }
  connection_->abort();
  engine_returned();
  lock_.release();
}

void TcpEndpoint::abandon() {
  attached_ = false;
  Processor* const processor = Processor::current();
  if (processor == nullptr) return;  // the simulation is being taken down
  lock_.acquire(*processor);
  listener_ = nullptr;
  if (away()) {
    place_->take_back(TcpPlace::Then::kAbort);
    input_.queue().clear();
    return lock_.release();
  }
  connection_->abort();
  input_.queue().clear();
  if (connection_->state() == tcp::State::kClosed) ended_ = true;
  engine_returned();
  lock_.release();
}

// A connection whose place changes (TcpPlace).

void TcpEndpoint::resume(const tcp::Context& context) {
  const std::uint64_t acked = context.una - 1 - output_.queue().begin();
  if (acked != 0) writable(acked);
  connection_.emplace(stack_.tcp_config(), static_cast<tcp::Environment&>(*this));
  connection_->set_nodelay(settings_.nodelay);
  input_.resume();
  tcp::Context with = context;
  with.unread = input_.unreported();
  connection_->resume(with, output_.queue().end() + 1);
}

void TcpEndpoint::take_from_adapter(const RxPacket& data) {
  stack_.data_bytes_in.add(data.bytes);
  Arrival arrival{data, {}, data.address, data.bytes};
  arrival.segment.flags = tcp::kAck | tcp::kPsh;  // the adapter's messages end so, or are full
  arrival.packet.checksum_good = true;
  const ReceiveQueue& queue = input_.queue();
  discipline_->seek(*Processor::current(), queue.end() - queue.read_offset(), data.bytes);
  discipline_->store(arrival, {queue.end(), data.address, data.bytes,
                               input_.memory().charge(data.buffer_bytes, data.bytes), false});
  readable(data.bytes);
}

void TcpEndpoint::lose(SocketError why) {
  error_ = why;
  ended(tcp::End::kAborted);
  engine_returned();
}

std::uint64_t TcpEndpoint::sent_once() const {
  if (away()) return place_->handed();
  return std::max<tcp::Position>(connection_->sender().next(), 1) - 1;
}

TcpSnapshot TcpEndpoint::snapshot() const {
  if (away()) return {place_->handed() - send_queue().begin(), std::nullopt};
  return snapshot_of(*connection_);
}

}  // namespace longhaul::host
