// SPDX-License-Identifier: Apache-2.0
// Calls of programs on an endpoint.
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

void TcpEndpoint::write(std::uint64_t bytes) {
  if (away()) return place_->send();
  connection_->write(bytes);
  engine_returned();
}

/// Closes or aborts the connection, wherever its TCP is.
void TcpEndpoint::end_by(TcpPlace::Then how) {
  if (away()) return place_->take_back(how);
  if (how == TcpPlace::Then::kAbort) {
    connection_->abort();
  } else {
    connection_->close();
  }
  if (!attached_ && connection_->state() == tcp::State::kClosed) ended_ = true;  // was never open
}

void TcpEndpoint::shutdown(Process& process) {
  lock_.acquire(process.processor());
  finished_by_us_ = true;
  end_by(TcpPlace::Then::kClose);
  engine_returned();
  lock_.release();
}

void TcpEndpoint::close(Process& process) {
  lock_.acquire(process.processor());
  lock_.process_backlog();  // unread data also counts
  const bool unread = away() ? input_.unread() != 0 : connection_->readable() != 0;
  attached_ = false;
  finished_by_us_ = true;
  end_by(unread ? TcpPlace::Then::kAbort : TcpPlace::Then::kClose);
  input_.queue().clear();
  engine_returned();
  lock_.release();
}

void TcpEndpoint::reset() {
  lock_.acquire(*Processor::current());
  end_by(TcpPlace::Then::kAbort);
  engine_returned();
  lock_.release();
}

void TcpEndpoint::abandon() {
  attached_ = false;
  Processor* const processor = Processor::current();
  if (processor == nullptr) return;  // the simulation is being taken down
  lock_.acquire(*processor);
  listener_ = nullptr;
  end_by(TcpPlace::Then::kAbort);
  input_.queue().clear();
  engine_returned();
  lock_.release();
}

}  // namespace longhaul::host
