// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/common/observe/probe.h"
#include "models/host/net/interface.h"
#include "models/host/net/stack.h"

namespace longhaul::booster {

/// Forwards packets of other stations between two interfaces. It acts as an IPv4 router that
/// answers address resolution for both sides, so neither end needs to know of it.
class Forwarder {
 public:
  Forwarder(host::Stack& stack, std::size_t edge, std::size_t line)
      : stack_(stack), edge_(edge), line_(line) {}

  host::Interface& edge() { return stack_.interface(edge_); }
  host::Interface& line() { return stack_.interface(line_); }
  bool is_edge(const host::Interface& interface) { return &interface == &edge(); }
  /// Takes a packet and forwards it. Only its hop count changes.
  void forward(host::Interface& from, const host::RxPacket& packet);
  void arp(host::Interface& from, const std::uint8_t* frame);
  host::Interface* side_of(const host::Address& station);

  observe::Counter forwarded{"forwarded", "1", "packets passed on as they came"};
  observe::Counter expired{"expired", "1", "packets dropped because their hop count was used up"};

 private:
  void learn(const host::HostBytes& station, bool is_on_edge) {
    on_edge_[key(station)] = is_on_edge;
  }
  static std::uint32_t key(const host::HostBytes& station);

  host::Stack& stack_;
  const std::size_t edge_;
  const std::size_t line_;
  std::unordered_map<std::uint32_t, bool> on_edge_;  // IPv4 stations that were heard
};

}  // namespace longhaul::booster
