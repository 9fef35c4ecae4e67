// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/stack.h"

#include "models/host/net/stream_socket.h"
#include "models/host/net/tcp_listener.h"

namespace longhaul::host {

Stack::Stack(const sc_core::sc_module_name& name, const NetParams& params,
             const tcp::TcpParams& tcp, MemoryPool& pool, Timers& timers)
    : sc_module(name),
      params_(params),
      tcp_(tcp::resolve(tcp, std::string(static_cast<const char*>(name)) + ".tcp")),
      make_discipline_(
          socket_discipline(params, std::string(static_cast<const char*>(name)) + ".net")),
      pool_(pool),
      timers_(timers),
      receive_buffers_(pool),
      time_wait_(*this) {}

Stack::~Stack() = default;

Interface& Stack::add_interface(const InterfaceAddresses& addresses) {
  return *interfaces_.emplace_back(std::make_unique<Interface>(*this, addresses));
}

std::unique_ptr<TcpSocket> Stack::tcp_socket() { return std::make_unique<StreamSocket>(*this); }

Interface* Stack::route(const Address& to) {
  if (Interface* const side = passage_ != nullptr ? passage_->side_of(to) : nullptr) return side;
  for (const auto& interface : interfaces_) {
    if (interface->reaches(to)) return interface.get();
  }
  return nullptr;
}

Interface* Stack::owner_of(bool ipv6, const HostBytes& host) {
  for (const auto& interface : interfaces_) {
    if (interface->owns(ipv6, host)) return interface.get();
  }
  return nullptr;
}

/// RFC 9293, 3.4.1: a clock of 4 us, and a hash of the ends.
std::uint32_t Stack::initial_sequence(const tcp::Endpoints& ends) const {
  constexpr std::uint64_t kClock = 4'000'000;
  return static_cast<std::uint32_t>(now_ps() / kClock + FlowKey::Hash()(outgoing_key(ends)));
}

std::uint16_t Stack::free_port(const tcp::Endpoints& ends) {
  constexpr std::uint16_t kFirst = 32768;  // Linux: net.ipv4.ip_local_port_range
  constexpr std::uint16_t kLast = 61000;
  tcp::Endpoints wanted = ends;
  for (std::uint32_t tries = kLast - kFirst + 1U; tries > 0; --tries) {
    wanted.source_port = next_port_;
    next_port_ = next_port_ == kLast ? kFirst : static_cast<std::uint16_t>(next_port_ + 1);
    const FlowKey key = outgoing_key(wanted);
    if (flows_.count(key) == 0 && !time_wait_.contains(key) && !offloaded_.has(key))
      return wanted.source_port;
  }
  return 0;
}

TcpEndpoint& Stack::make_endpoint(const SocketSettings& settings) {
  if (free_endpoints_.empty()) {
    free_endpoints_.push_back(static_cast<std::uint32_t>(endpoints_.size()));
    endpoints_.emplace_back();
  }
  const std::uint32_t slot = free_endpoints_.back();
  free_endpoints_.pop_back();
  endpoints_[slot] = std::make_unique<TcpEndpoint>(*this, slot, settings);
  ++endpoints_in_use_;
  return *endpoints_[slot];
}

void Stack::destroy(TcpEndpoint& endpoint) {
  unbind(endpoint);
  for (const auto& interface : interfaces_) interface->forget(endpoint);
  free_endpoints_.push_back(endpoint.slot());
  --endpoints_in_use_;
  endpoints_[endpoint.slot()].reset();
}

std::optional<tcp::Endpoints> Stack::ends_to(Interface& interface, const Address& to) {
  tcp::Endpoints ends;
  ends.ipv6 = to.ipv6;
  ends.source = (to.ipv6 ? interface.addresses().ipv6 : interface.addresses().ipv4)->host;
  ends.destination = to.host;
  ends.destination_port = to.port;
  ends.source_port = free_port(ends);
  if (ends.source_port == 0) return std::nullopt;
  return ends;
}

bool Stack::prepare_connect(TcpEndpoint& endpoint, const Address& to) {
  Interface* const interface = route(to);
  if (interface == nullptr) return false;
  const std::optional<tcp::Endpoints> ends = ends_to(*interface, to);
  if (!ends) return false;
  endpoint.attach(*interface, interface->neighbour(to), *ends);
  return bind(endpoint, *ends);
}

bool Stack::bind(TcpEndpoint& endpoint, const tcp::Endpoints& ends) {
  if (!flows_.emplace(outgoing_key(ends), &endpoint).second) return false;
  endpoint.set_bound(true);
  open_connections.add(1);
  return true;
}

void Stack::unbind(TcpEndpoint& endpoint) {
  if (!endpoint.bound()) return;
  endpoint.set_bound(false);
  flows_.erase(outgoing_key(endpoint.ends()));
  if (last_found_ == &endpoint) last_found_ = nullptr;
  open_connections.add(-1);
}

bool Stack::add_listener(TcpListener& listener) {
  return listeners_.emplace(listener.port(), &listener).second;
}

void Stack::offer_to_adapters(TcpListener& listener) {
  if (passage_ != nullptr) return;
  listener.set_offered();
  for (const auto& interface : interfaces_) {
    TcpOffload* const offload = interface->device().offload();
    if (offload != nullptr && !offload->host_opens()) offload->listen(listener, listener.port());
  }
}

void Stack::remove_listener(TcpListener& listener) {
  for (const auto& interface : interfaces_) {
    TcpOffload* const offload = listener.offered() ? interface->device().offload() : nullptr;
    if (offload != nullptr) offload->stop_listening(listener);
  }
  const auto found = listeners_.find(listener.port());
  if (found != listeners_.end() && found->second == &listener) listeners_.erase(found);
}

void Stack::unreachable(Neighbour& neighbour) {
  // NOLINTNEXTLINE(modernize-loop-convert): what an endpoint does then may open another one
  for (std::size_t i = 0; i < endpoints_.size(); ++i) {
    if (endpoints_[i] != nullptr && endpoints_[i]->neighbour() == &neighbour)
      endpoints_[i]->unreachable();
  }
}

}  // namespace longhaul::host
