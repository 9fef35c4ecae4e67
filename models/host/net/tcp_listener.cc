// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/tcp_listener.h"

#include <algorithm>

#include "models/host/net/stack.h"

namespace longhaul::host {

TcpListener::TcpListener(Stack& stack, std::uint16_t port, std::uint32_t backlog,
                         const SocketSettings& settings)
    : stack_(stack), port_(port), backlog_(std::max(backlog, 1U)), settings_(settings) {}

TcpListener::~TcpListener() {
  if (Processor::current() != nullptr) close();  // null: the simulation is being taken down
}

void TcpListener::syn(Interface& interface, const tcp::Endpoints& ends, const Arrival& arrival) {
  if (is_full()) {
    stack_.drop_syn.add();
    return stack_.freed(arrival.packet);
  }
  Processor::current()->execute(stack_.params().tcp_open_cycles());
  TcpEndpoint& endpoint = stack_.make_endpoint(settings_);
  endpoint.attach(interface,
                  interface.neighbour({ends.ipv6, ends.destination, ends.destination_port}), ends);
  stack_.bind(endpoint, ends);
  half_open_.push_back(&endpoint);
  endpoint.listen(*this, stack_.initial_sequence(ends));
  endpoint.deliver(arrival);
}

void TcpListener::established(TcpEndpoint& endpoint) {
  half_open_.erase(std::remove(half_open_.begin(), half_open_.end(), &endpoint), half_open_.end());
  ready_.push_back(&endpoint);
  acceptors_.wake_all();
}

void TcpListener::ended(TcpEndpoint& endpoint) {
  const auto found = std::find(half_open_.begin(), half_open_.end(), &endpoint);
  if (found == half_open_.end()) return;  // the program that accepts it will notice
  half_open_.erase(found);
  endpoint.detach();
}

SocketEnd* TcpListener::accept(Process& process) {
  while (open_ && ready_.empty()) process.wait(acceptors_);
  if (!open_) return nullptr;
  SocketEnd* const end = ready_.pop_front();
  end->accepted();
  return end;
}

bool TcpListener::asked(const TcpOffload& offload, OffloadOptions& options) {
  if (is_full()) {
    stack_.drop_syn.add();
    return false;
  }
  ++offloaded_half_open_;
  options = OffloadedEndpoint::options(stack_, offload, settings_);
  return true;
}

OffloadUser* TcpListener::established(OffloadFlow& flow, const tcp::Endpoints& ends,
                                      TcpOffload& offload) {
  --offloaded_half_open_;
  OffloadedEndpoint& end = stack_.offloaded().make(stack_, offload, settings_, ends);
  end.take(flow);
  ready_.push_back(&end);
  acceptors_.wake_all();
  return &end;
}

void TcpListener::close() {
  if (!open_) return;
  open_ = false;
  stack_.remove_listener(*this);
  while (!half_open_.empty()) {
    TcpEndpoint* const endpoint = half_open_.back();
    half_open_.pop_back();
    endpoint->abandon();
  }
  while (!ready_.empty()) ready_.pop_front()->abandon();
  acceptors_.wake_all();
}

}  // namespace longhaul::host
