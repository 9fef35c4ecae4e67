// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "models/common/ring_buffer.h"
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
  static constexpr std::size_t kMostHeld =
      3;  ///< Linux 2.4, 2.6, arp.c: queue_len of arp_tbl; RFC 1122, 2.3.2.2: at least one

  Neighbour(Interface& interface, const Address& address)
      : interface_(interface), address_(address) {}
  const Address& address() const { return address_; }
  State state() const { return state_; }
  bool known() const { return state_ == State::kKnown; }
  const MacAddress& mac() const { return mac_; }

  /// Keeps the latest kMostHeld packets until the station has answered; asks it if nobody has.
  void hold(TxSlot& slot);
  void learn(const MacAddress& mac);
  void expired()
      override;  ///< asks again, three times a second apart (RFC 4861, 10; Linux), then gives up

 private:
  void ask();
  void drop();

  Interface& interface_;
  const Address address_;
  MacAddress mac_{};
  State state_ = State::kUnknown;
  std::uint32_t tries_ = 0;
  RingBuffer<TxSlot*> held_;
};

/// Address resolution of one interface: ARP (RFC 826) and neighbour discovery (RFC 4861), requests
/// and answers.
class Neighbours {
 public:
  explicit Neighbours(Interface& interface) : interface_(interface) {}
  Neighbour& find(const Address& address);
  /// Handles a frame of type ARP; the bytes begin with the Ethernet header.
  void on_arp(const std::uint8_t* frame, std::uint32_t bytes);
  /// Handles an ICMPv6 message that is a solicitation or advertisement; `message` is `bytes` long
  /// and undamaged.
  void on_discovery(const std::uint8_t* frame, const std::uint8_t* message, std::uint32_t bytes);
  /// Asks the network for a station.
  void ask(const Address& address);
  /// Sends an ARP message of another network on in its sender's name, so that the answer comes
  /// here. The frame begins with the Ethernet header and has been looked at.
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

/// The groups that an IPv6 station with this address is in (RFC 4291, 2.8): all nodes, and those
/// that are solicited for it.
HostBytes all_nodes();
HostBytes solicited_node(const HostBytes& host);
/// The Ethernet group that carries an IPv6 group's packets (RFC 2464, 7).
MacAddress group_of(const HostBytes& group);

}  // namespace longhaul::host
