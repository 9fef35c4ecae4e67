// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/transport_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/ip_protocol.h"
#include "platform/observe/tcp_segment.h"

namespace longhaul::observe {
namespace {

using ethernet::kTypeIpv4;
using ethernet::kTypeIpv6;
using ethernet::kTypeVlan;

constexpr std::uint8_t kIpv6Fragment = 44;
constexpr std::uint32_t kIpv4Bytes = 20;
constexpr std::uint32_t kIpv6Bytes = 40;
constexpr std::uint32_t kFragmentBytes = 8;
constexpr std::uint32_t kTcpBytes = 20;
constexpr std::uint32_t kUdpBytes = 8;
constexpr std::size_t kAddress = 16;  // bytes of an address in a key
constexpr std::size_t kIpv4Address = 4;
constexpr std::size_t kPorts = 2 * kAddress;  // position of the ports in a key

/// The rest of a packet after its IP header.
struct Packet {
  std::uint8_t protocol = 0;
  const std::uint8_t* data = nullptr;
  std::uint32_t size = 0;
  bool first_fragment = true;  ///< or not fragmented
};

bool read_ipv4(const std::uint8_t* ip, std::uint32_t size, Packet& packet, FlowKey& key) {
  if (size < kIpv4Bytes) return false;
  const std::uint32_t header = (ip[0] & 0xfU) * 4;
  const std::uint32_t total = read_be16(ip + 2);
  if (ip[0] >> 4 != 4 || header < kIpv4Bytes || total < header || total > size) return false;
  packet = {ip[9], ip + header, total - header, (read_be16(ip + 6) & 0x1fffU) == 0};
  std::memcpy(key.bytes.data(), ip + 12, 4);
  std::memcpy(key.bytes.data() + 16, ip + 16, 4);
  return true;
}

bool read_ipv6(const std::uint8_t* ip, std::uint32_t size, Packet& packet, FlowKey& key) {
  if (size < kIpv6Bytes) return false;
  const std::uint32_t payload = read_be16(ip + 4);
  if (ip[0] >> 4 != 6 || payload > size - kIpv6Bytes) return false;
  packet = {ip[6], ip + kIpv6Bytes, payload, true};
  if (packet.protocol == kIpv6Fragment) {
    if (packet.size < kFragmentBytes) return false;
    const std::uint8_t* fragment = packet.data;
    packet = {fragment[0], fragment + kFragmentBytes, packet.size - kFragmentBytes,
              (read_be16(fragment + 2) & 0xfff8U) == 0};
  }
  std::memcpy(key.bytes.data(), ip + 8, 32);  // both addresses
  return true;
}

}  // namespace

FlowKey FlowKey::reversed() const {
  FlowKey other;
  std::memcpy(other.bytes.data(), bytes.data() + kAddress, kAddress);
  std::memcpy(other.bytes.data() + kAddress, bytes.data(), kAddress);
  std::memcpy(other.bytes.data() + kPorts, bytes.data() + kPorts + 2, 2);
  std::memcpy(other.bytes.data() + kPorts + 2, bytes.data() + kPorts, 2);
  return other;
}

std::string FlowKey::end_text(std::size_t end) const {
  const auto is_set = [](std::uint8_t byte) { return byte != 0; };
  const auto beyond_ipv4 = [&](std::size_t at) {
    return std::any_of(bytes.begin() + at + kIpv4Address, bytes.begin() + at + kAddress, is_set);
  };
  const bool ipv6 = beyond_ipv4(0) || beyond_ipv4(kAddress);
  return fmt::format("{}:{}", address_text(ipv6, bytes.data() + end * kAddress),
                     read_be16(bytes.data() + kPorts + end * 2));
}

FlowKey flow_key(const std::array<std::uint8_t, 16>& from, std::uint16_t from_port,
                 const std::array<std::uint8_t, 16>& to, std::uint16_t to_port) {
  FlowKey key;
  std::memcpy(key.bytes.data(), from.data(), from.size());
  std::memcpy(key.bytes.data() + from.size(), to.data(), to.size());
  write_be16(key.bytes.data() + kPorts, from_port);
  write_be16(key.bytes.data() + kPorts + 2, to_port);
  return key;
}

std::size_t FlowKeyHash::operator()(const FlowKey& key) const {
  return std::hash<std::string_view>{}(
      {reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size()});
}

std::optional<TransportHeader> transport_header(const Frame& frame) {
  std::uint32_t at = ethernet::kHeaderBytes;
  if (frame.size() < at) return std::nullopt;
  std::uint16_t type = ethernet::type(frame);
  if (type == kTypeVlan && frame.size() >= at + 4) {
    type = read_be16(frame.head() + at + 2);
    at += 4;
  }
  const std::uint8_t* ip = frame.head() + at;
  const std::uint32_t size = frame.size() - at;
  TransportHeader header;
  Packet packet;
  const bool known = (type == kTypeIpv4 && read_ipv4(ip, size, packet, header.flow)) ||
                     (type == kTypeIpv6 && read_ipv6(ip, size, packet, header.flow));
  if (!known) return std::nullopt;
  if (packet.protocol != ip_protocol::kTcp && packet.protocol != ip_protocol::kUdp)
    return std::nullopt;
  header.protocol = packet.protocol == ip_protocol::kTcp ? TransportHeader::Protocol::kTcp
                                                         : TransportHeader::Protocol::kUdp;
  if (!packet.first_fragment) {
    header.later_fragment = true;
    header.payload = packet.size;
    return header;
  }
  if (packet.protocol == ip_protocol::kUdp && packet.size >= kUdpBytes) {
    header.payload = packet.size - kUdpBytes;
  } else if (packet.protocol == ip_protocol::kTcp && packet.size >= kTcpBytes) {
    const std::uint32_t options = (packet.data[12] >> 4) * 4U;
    if (options < kTcpBytes || options > packet.size) return std::nullopt;
    header.sequence = read_be32(packet.data + 4);
    header.acknowledgment = read_be32(packet.data + 8);
    header.flags = packet.data[13];
    header.payload = packet.size - options;
  } else {
    return std::nullopt;
  }
  std::memcpy(header.flow.bytes.data() + kPorts, packet.data, 4);
  return header;
}

}  // namespace longhaul::observe
