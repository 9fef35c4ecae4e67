// SPDX-License-Identifier: Apache-2.0
#include "models/booster/forwarder.h"

#include <algorithm>

#include "models/common/big_endian.h"

namespace longhaul::booster {
namespace {

constexpr std::uint32_t kTtlAt = 8;
constexpr std::uint32_t kChecksumAt = 10;
constexpr std::uint32_t kSourceAt = 12;
constexpr std::uint32_t kDestinationAt = 16;
constexpr std::uint32_t kArpSenderMac = 8;
constexpr std::uint32_t kArpSenderHost = 14;

host::HostBytes ipv4_at(const std::uint8_t* bytes) {
  host::HostBytes host{};
  std::copy_n(bytes, 4, host.begin());
  return host;
}

/// Reduces the hop count by one, and updates the checksum as in RFC 1624.
void take_a_hop(std::uint8_t* ip) {
  const std::uint32_t before = read_be16(ip + kTtlAt);
  --ip[kTtlAt];
  std::uint32_t sum =
      (~read_be16(ip + kChecksumAt) & 0xffffU) + (~before & 0xffffU) + read_be16(ip + kTtlAt);
  sum = (sum & 0xffffU) + (sum >> 16U);
  sum = (sum & 0xffffU) + (sum >> 16U);
  write_be16(ip + kChecksumAt, static_cast<std::uint16_t>(~sum));
}

}  // namespace

std::uint32_t Forwarder::key(const host::HostBytes& station) { return read_be32(station.data()); }

void Forwarder::forward(host::Interface& from, const host::RxPacket& packet) {
  host::Interface& to = is_edge(from) ? line() : edge();
  std::uint8_t* const frame =
      stack_.pool().to_write(packet.address, ethernet::kHeaderBytes + kDestinationAt);
  std::uint8_t* const ip = frame + ethernet::kHeaderBytes;
  if (ip[kTtlAt] <= 1) {
    expired.add();
    return stack_.freed(packet);
  }
  learn(ipv4_at(ip + kSourceAt), is_edge(from));
  take_a_hop(ip);
  host::Processor::current()->execute(stack_.params().ip_send_cycles());
  const MacAddress own = to.device().mac();
  std::copy(own.begin(), own.end(), frame + 6);
  host::TxSlot& slot = to.take_slot();
  slot.header = packet.address;
  slot.memory = packet.buffer;
  slot.memory_bytes = packet.buffer_bytes;
  slot.packet.extents[0] = {packet.address, packet.bytes};
  slot.packet.count = 1;
  slot.packet.bytes = packet.bytes;
  slot.packet.ipv6 = slot.packet.checksum = slot.packet.udp = false;
  slot.packet.header_bytes = slot.packet.l4_offset = slot.packet.mss = 0;
  if (to.send(slot, to.neighbour({false, ipv4_at(ip + kDestinationAt), 0}))) forwarded.add();
}

void Forwarder::arp(host::Interface& from, const std::uint8_t* frame) {
  const std::uint8_t* const arp = frame + ethernet::kHeaderBytes;
  const host::HostBytes sender = ipv4_at(arp + kArpSenderHost);
  learn(sender, is_edge(from));
  from.neighbours().find({false, sender, 0}).learn(ethernet::address_at(arp + kArpSenderMac));
  (is_edge(from) ? line() : edge()).neighbours().pass_on(frame);
}

host::Interface* Forwarder::side_of(const host::Address& station) {
  if (station.ipv6) return nullptr;
  const auto found = on_edge_.find(key(station.host));
  if (found == on_edge_.end()) return nullptr;
  return found->second ? &edge() : &line();
}

}  // namespace longhaul::booster
