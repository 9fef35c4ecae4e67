// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/neighbours.h"

#include <algorithm>

#include "models/common/big_endian.h"
#include "models/host/net/icmp.h"
#include "models/host/net/stack.h"

namespace longhaul::host {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000'000;
constexpr std::uint32_t kTries = 3;
constexpr MacAddress kEverybody{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

// ARP (RFC 826), behind the Ethernet header.
constexpr std::uint32_t kArpBytes = 28;
constexpr std::uint16_t kRequest = 1;
constexpr std::uint16_t kReply = 2;
constexpr std::uint32_t kSenderMac = 8;
constexpr std::uint32_t kSenderHost = 14;
constexpr std::uint32_t kTargetMac = 18;
constexpr std::uint32_t kTargetHost = 24;

// Neighbour discovery (RFC 4861, 4.3, 4.4).
constexpr std::uint32_t kDiscoveryBytes = 32;  // with one option
constexpr std::uint32_t kTargetAt = 8;
constexpr std::uint32_t kOptionAt = 24;
constexpr std::uint8_t kSourceLinkLayer = 1;
constexpr std::uint8_t kTargetLinkLayer = 2;
constexpr std::uint8_t kSolicitedAndOverride = 0x60;

}  // namespace

// RFC 4291, 2.7.1.
HostBytes all_nodes() { return {0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}; }

HostBytes solicited_node(const HostBytes& host) {
  return {0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, host[13], host[14], host[15]};
}

MacAddress group_of(const HostBytes& group) {
  return {0x33, 0x33, group[12], group[13], group[14], group[15]};
}

void Neighbour::hold(TxSlot& slot) {
  if (held_.size() == kMostHeld) drop();
  held_.push_back(&slot);
  begin();
}

void Neighbour::begin() {
  if (state_ == State::kAsked) return;
  state_ = State::kAsked;
  tries_ = 0;
  ask();
}

bool Neighbour::resolve(Process& process) {
  if (known()) return true;
  begin();
  while (state_ == State::kAsked) process.wait(waiting_);
  return known();
}

void Neighbour::ask() {
  ++tries_;
  interface_.stack().timers().set(*this, now_ps() + kSecond);
  interface_.neighbours().ask(address_);
}

void Neighbour::drop() {
  interface_.stack().drop_neighbour.add();
  interface_.release(*held_.pop_front());
}

void Neighbour::learn(const MacAddress& mac) {
  mac_ = mac;
  state_ = State::kKnown;
  interface_.stack().timers().cancel(*this);
  while (!held_.empty()) interface_.send(*held_.pop_front(), *this);
  if (!waiting_.empty()) waiting_.wake_all();
}

void Neighbour::expired() {
  if (state_ != State::kAsked) return;
  if (tries_ < kTries) return ask();
  state_ = State::kUnknown;
  while (!held_.empty()) drop();
  if (!waiting_.empty()) waiting_.wake_all();
  interface_.stack().unreachable(*this);
}

Neighbour& Neighbours::find(const Address& address) {
  std::unique_ptr<Neighbour>& entry = (address.ipv6 ? ipv6_ : ipv4_)[address.host];
  if (entry == nullptr) entry = std::make_unique<Neighbour>(interface_, address);
  return *entry;
}

void Neighbours::ask(const Address& address) {
  if (!address.ipv6) {
    return send_arp(kRequest, interface_.addresses().ipv4->host, kEverybody, {}, address.host);
  }
  const HostBytes group = solicited_node(address.host);
  send_discovery(icmp::kSolicitation, group_of(group), group, address.host);
}

void Neighbours::send_arp(std::uint16_t operation, const HostBytes& sender, const MacAddress& to,
                          const MacAddress& target, const HostBytes& target_host) {
  TxSlot* const slot = interface_.take_frame(ethernet::kHeaderBytes + kArpBytes);
  if (slot == nullptr) return interface_.stack().drop_no_memory.add();
  const MacAddress own = interface_.device().mac();
  std::uint8_t* const frame = interface_.stack().pool().to_write(slot->header, slot->memory_bytes);
  std::copy(to.begin(), to.end(), frame);
  std::copy(own.begin(), own.end(), frame + 6);
  write_be16(frame + 12, ethernet::kTypeArp);
  std::uint8_t* const arp = frame + ethernet::kHeaderBytes;
  write_be16(arp, 1);  // Ethernet
  write_be16(arp + 2, ethernet::kTypeIpv4);
  arp[4] = 6;
  arp[5] = 4;
  write_be16(arp + 6, operation);
  std::copy(own.begin(), own.end(), arp + kSenderMac);
  std::copy_n(sender.begin(), 4, arp + kSenderHost);
  std::copy(target.begin(), target.end(), arp + kTargetMac);
  std::copy_n(target_host.begin(), 4, arp + kTargetHost);
  interface_.send(*slot);
}

void Neighbours::on_arp(const std::uint8_t* frame, std::uint32_t bytes) {
  Stack& stack = interface_.stack();
  const std::uint8_t* const arp = frame + ethernet::kHeaderBytes;
  if (bytes < ethernet::kHeaderBytes + kArpBytes || read_be16(arp) != 1 ||
      read_be16(arp + 2) != ethernet::kTypeIpv4 || arp[4] != 6 || arp[5] != 4) {
    return stack.drop_malformed.add();
  }
  HostBytes sender{};
  HostBytes target{};
  std::copy_n(arp + kSenderHost, 4, sender.begin());
  std::copy_n(arp + kTargetHost, 4, target.begin());
  const bool ours = interface_.owns(false, target);
  // RFC 826: learn a host that asks for our address, because it will talk to us. Of other hosts,
  // only update known entries.
  if (ours || ipv4_.count(sender) != 0)
    find({false, sender, 0}).learn(ethernet::address_at(arp + kSenderMac));
  if (!ours && stack.passage() != nullptr) return stack.passage()->arp(interface_, frame);
  if (ours && read_be16(arp + 6) == kRequest) {
    const MacAddress asker = ethernet::address_at(arp + kSenderMac);
    send_arp(kReply, target, asker, asker, sender);
  }
}

void Neighbours::pass_on(const std::uint8_t* frame) {
  const std::uint8_t* const arp = frame + ethernet::kHeaderBytes;
  HostBytes sender{};
  HostBytes target{};
  std::copy_n(arp + kSenderHost, 4, sender.begin());
  std::copy_n(arp + kTargetHost, 4, target.begin());
  if (read_be16(arp + 6) == kRequest) return send_arp(kRequest, sender, kEverybody, {}, target);
  const Neighbour& asker = find({false, target, 0});
  if (asker.known()) send_arp(kReply, sender, asker.mac(), asker.mac(), target);
}

void Neighbours::send_discovery(std::uint8_t type, const MacAddress& to,
                                const HostBytes& destination, const HostBytes& target) {
  TxSlot* const slot = interface_.take_frame(icmp::kIpv6Begin + kDiscoveryBytes);
  if (slot == nullptr) return interface_.stack().drop_no_memory.add();
  const MacAddress own = interface_.device().mac();
  std::uint8_t* const frame = interface_.stack().pool().to_write(slot->header, slot->memory_bytes);
  std::copy(to.begin(), to.end(), frame);
  std::copy(own.begin(), own.end(), frame + 6);
  std::uint8_t* const message = frame + icmp::kIpv6Begin;
  std::fill_n(message, kDiscoveryBytes, std::uint8_t{0});
  message[0] = type;
  if (type == icmp::kAdvertisement) message[4] = kSolicitedAndOverride;
  std::copy(target.begin(), target.end(), message + kTargetAt);
  message[kOptionAt] = type == icmp::kAdvertisement ? kTargetLinkLayer : kSourceLinkLayer;
  message[kOptionAt + 1] = 1;  // of 8 bytes
  std::copy(own.begin(), own.end(), message + kOptionAt + 2);
  icmp::finish(frame, true, interface_.addresses().ipv6->host, destination, kDiscoveryBytes, 255,
               0);
  interface_.send(*slot);
}

void Neighbours::on_discovery(const std::uint8_t* frame, const std::uint8_t* message,
                              std::uint32_t bytes) {
  constexpr std::uint32_t kHopLimitAt = ethernet::kHeaderBytes + 7;
  Stack& stack = interface_.stack();
  if (bytes < kOptionAt || frame[kHopLimitAt] != 255)
    return stack.drop_malformed.add();  // RFC 4861, 7.1
  HostBytes target{};
  HostBytes source{};
  std::copy_n(message + kTargetAt, 16, target.begin());
  std::copy_n(frame + ethernet::kHeaderBytes + 8, 16, source.begin());
  const bool solicitation = message[0] == icmp::kSolicitation;
  const std::uint8_t wanted = solicitation ? kSourceLinkLayer : kTargetLinkLayer;
  std::optional<MacAddress> mac;
  for (std::uint32_t at = kOptionAt; at + 8 <= bytes && message[at + 1] != 0;
       at += message[at + 1] * 8U) {
    if (message[at] == wanted) mac = ethernet::address_at(message + at + 2);
  }
  if (!mac) return;
  if (!solicitation) {
    if (ipv6_.count(target) != 0) find({true, target, 0}).learn(*mac);
    return;
  }
  if (!interface_.owns(true, target)) return;
  find({true, source, 0}).learn(*mac);
  send_discovery(icmp::kAdvertisement, *mac, source, target);
}

}  // namespace longhaul::host
