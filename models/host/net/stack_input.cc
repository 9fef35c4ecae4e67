// SPDX-License-Identifier: Apache-2.0
// Handles received packets.
#include <algorithm>

#include "models/common/big_endian.h"
#include "models/host/net/icmp.h"
#include "models/host/net/stack.h"
#include "models/host/net/tcp_listener.h"
#include "models/tcp/wire.h"

namespace longhaul::host {
namespace {

std::uint32_t ip_header_bytes(const std::uint8_t* ip) {
  constexpr std::uint32_t kIpv6Header = 40;
  return ip[0] >> 4 == 4 ? (ip[0] & 15U) * 4U : kIpv6Header;
}

}  // namespace

void Stack::received(Interface& interface, const RxPacket& packet) {
  Processor& processor = *Processor::current();
  if (!processor.in_hardirq()) return input(interface, packet);
  if (input_queue().put(processor, interface, packet)) return;
  drop_input_queue.add();
  freed(packet);
}

InputQueue& Stack::input_queue() {
  Processor* const processor = Processor::current();
  for (auto& [owner, queue] : input_queues_) {
    if (owner == processor) return *queue;
  }
  return *input_queues_.emplace_back(processor, std::make_unique<InputQueue>(*this)).second;
}

void Stack::input(Interface& interface, const RxPacket& packet) {
  Processor::current()->execute(params_.ip_receive_cycles());
  const std::uint8_t* const frame = pool_.at(packet.address);
  const std::uint8_t* const ip = frame + ethernet::kHeaderBytes;
  constexpr std::uint32_t kLeast = ethernet::kHeaderBytes + 20;
  const std::uint16_t type = packet.bytes < kLeast ? 0 : read_be16(frame + 12);
  if (passage_ != nullptr && type == ethernet::kTypeIpv4 && ip[9] != 6 && passes(packet)) {
    return passage_->other(interface, packet);
  }
  if ((type == ethernet::kTypeIpv4 && ip[9] == ip_protocol::kTcp) ||
      (type == ethernet::kTypeIpv6 && ip[6] != ip_protocol::kIcmp6)) {
    return input_tcp(interface, packet);
  }
  if (type == ethernet::kTypeIpv6 || (type == ethernet::kTypeIpv4 && ip[9] == ip_protocol::kIcmp)) {
    input_icmp(interface, packet, type == ethernet::kTypeIpv6);
  } else if (type == ethernet::kTypeArp) {
    interface.neighbours().on_arp(frame, packet.bytes);
  } else {
    drop_malformed.add();
  }
  freed(packet);
}

/// Returns true if an IPv4 packet is unicast and for another station.
bool Stack::passes(const RxPacket& packet) const {
  const std::uint8_t* const frame = pool_.at(packet.address);
  HostBytes to{};
  std::copy_n(frame + ethernet::kHeaderBytes + 16, 4, to.begin());
  const bool group = (frame[0] & 1U) != 0;
  return !group && std::none_of(interfaces_.begin(), interfaces_.end(),
                                [&](const auto& interface) { return interface->owns(false, to); });
}

TcpEndpoint* Stack::find(const FlowKey& key) {
  if (last_found_ != nullptr && outgoing_key(last_found_->ends()) == key) return last_found_;
  const auto found = flows_.find(key);
  if (found == flows_.end()) return nullptr;
  return last_found_ = found->second;
}

/// Sums the TCP segment of an IP packet of `size` bytes.
void Stack::sum(const RxPacket& packet, std::uint32_t size) {
  const std::uint64_t ip = packet.address + ethernet::kHeaderBytes;
  const std::uint32_t header = std::min(ip_header_bytes(pool_.at(ip)), size);
  Processor::current()->sum(ip + header, size - header);
}

/// Returns true if a segment of `bytes` is summed when its endpoint handles it. Linux sums short
/// segments at once (tcp_v4_checksum_init(), tcp_v6_checksum_init()).
bool Stack::leaves_sum(std::uint32_t bytes) const {
  constexpr std::uint32_t kShort = 76;
  return params_.sum_with_copy() && bytes > kShort;
}

void Stack::input_tcp(Interface& interface, const RxPacket& packet) {
  const std::uint8_t* const ip = pool_.at(packet.address) + ethernet::kHeaderBytes;
  const std::uint32_t size = packet.bytes - ethernet::kHeaderBytes;
  tcp::Packet parsed;
  const tcp::Refusal refusal = tcp::read_packet(ip, size, packet.checksum_good, parsed);
  if (refusal != tcp::Refusal::kNone) {
    const bool damaged =
        refusal == tcp::Refusal::kIpChecksum || refusal == tcp::Refusal::kTcpChecksum;
    (damaged ? drop_checksum : drop_malformed).add();
    if (!packet.checksum_good) sum(packet, size);
    return freed(packet);
  }
  const bool ours = owner_of(parsed.endpoints.ipv6, parsed.endpoints.destination) != nullptr;
  if (!ours && (passage_ == nullptr || parsed.endpoints.ipv6)) {
    drop_address.add();
    return freed(packet);
  }
  const tcp::Endpoints ends = reversed(parsed.endpoints);
  const FlowKey key = outgoing_key(ends);
  TcpEndpoint* const endpoint = find(key);
  Arrival arrival{packet, parsed.segment,
                  packet.address + ethernet::kHeaderBytes + parsed.payload_at,
                  parsed.size - ip_header_bytes(ip)};
  if (!packet.checksum_good && (endpoint == nullptr || !leaves_sum(arrival.tcp_bytes))) {
    sum(packet, parsed.size);
    arrival.packet.checksum_good = true;
  }
  if (ours || endpoint != nullptr) segments_in.add();
  if (endpoint != nullptr) return endpoint->deliver(arrival);
  const tcp::Segment& segment = arrival.segment;
  if (time_wait_.size() != 0 && time_wait_.take(key, segment)) return freed(packet);
  if (!ours) return passage_->segment(interface, packet, parsed);
  if (offloaded_.has(key)) return freed(packet);  // the adapter did not take it
  if (segment.has(tcp::kSyn) && !segment.has(tcp::kAck) && !segment.has(tcp::kRst)) {
    const auto listener = listeners_.find(ends.source_port);
    if (listener != listeners_.end()) return listener->second->syn(interface, ends, arrival);
  }
  if (!segment.has(tcp::kRst)) {
    resets_out.add();
    send_alone(ends, tcp::reset_for(segment));
  }
  freed(packet);
}

}  // namespace longhaul::host
