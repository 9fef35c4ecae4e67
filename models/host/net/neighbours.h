// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/process.h"
#include "models/host/kernel/timers.h"
#include "models/host/net/address.h"
#include "models/net/frame/ethernet_header.h"

namespace longhaul::host {

class Interface;
struct TxSlot;
struct RxPacket;

/// A station on an interface's network.
class Neighbour final : public KernelTimer {
 public:
  enum class State : std::uint8_t { kUnknown, kAsked, kKnown };
  /// Linux 2.4, 2.6, arp.c: queue_len of arp_tbl; RFC 1122, 2.3.2.2: at least one.
  static constexpr std::size_t kMostHeld = 3;

  Neighbour(Interface& interface, const Address& address)
      : interface_(interface), address_(address) {}
  const Address& address() const { return address_; }
  State state() const { return state_; }
  bool known() const { return state_ == State::kKnown; }
  const MacAddress& mac() const { return mac_; }

  /// Stores the latest kMostHeld packets until the station has answered. Sends a request if there
  /// is none yet.
  void hold(TxSlot& slot);
  /// Blocks until the address is known. Returns false if the station does not answer.
  bool resolve(Process& process);
  void learn(const MacAddress& mac);
  /// Asks again, three times a second apart (RFC 4861, 10; Linux), then gives up.
  void expired() override;

 private:
  void begin();
  void ask();
  void drop();

  Interface& interface_;
  const Address address_;
  MacAddress mac_{};
  State state_ = State::kUnknown;
  std::uint32_t tries_ = 0;
  RingBuffer<TxSlot*> held_;
  WaitQueue waiting_;  // for the address
};

/// Address resolution of one interface: requests and answers of ARP (RFC 826) and neighbour
/// discovery (RFC 4861).
class Neighbours {
 public:
  explicit Neighbours(Interface& interface) : interface_(interface) {}
  Neighbour& find(const Address& address);
  /// Handles a frame of type ARP. The bytes begin with the Ethernet header.
  void on_arp(const std::uint8_t* frame, std::uint32_t bytes);
  /// Handles an ICMPv6 message that is a solicitation or advertisement. `message` has `bytes` and
  /// is undamaged.
  void on_discovery(const std::uint8_t* frame, const std::uint8_t* message, std::uint32_t bytes);
  /// Sends a request for a station to the network.
  void ask(const Address& address);
  /// Forwards an ARP message of another network in its sender's name, so that the answer comes
  /// here. The frame begins with the Ethernet header and has been checked.
  void pass_on(const std::uint8_t* frame);

 private:
  void send_arp(std::uint16_t operation, const HostBytes& sender, const MacAddress& to,
                const MacAddress& target, const HostBytes& target_host);
  void send_discovery(std::uint8_t type, const MacAddress& to, const HostBytes& destination,
                      const HostBytes& target);

  Interface& interface_;
  std::map<HostBytes, std::unique_ptr<Neighbour>> ipv4_;
  std::map<HostBytes, std::unique_ptr<Neighbour>> ipv6_;
};

/// The groups of an IPv6 station with this address (RFC 4291, 2.8): all nodes, and its
/// solicited-node group.
HostBytes all_nodes();
HostBytes solicited_node(const HostBytes& host);
/// The Ethernet group that carries an IPv6 group's packets (RFC 2464, 7).
MacAddress group_of(const HostBytes& group);

}  // namespace longhaul::host
