// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/wire.h"

#include <algorithm>

#include "models/common/big_endian.h"
#include "models/net/frame/checksum.h"

namespace longhaul::tcp {
namespace {

constexpr std::uint32_t kIpv4Bytes = 20;
constexpr std::uint32_t kIpv6Bytes = 40;
constexpr std::uint32_t kTcpBytes = 20;
constexpr std::uint8_t kTcpProtocol = 6;
constexpr std::uint32_t kLargestIp = 65535;

std::uint32_t address_bytes(const Endpoints& endpoints) { return endpoints.ipv6 ? 16 : 4; }

/// Sum of the pseudo header (RFC 9293, 3.1; RFC 8200, 8.1) without the length.
void add_pseudo_header(OnesSum& sum, const Endpoints& endpoints) {
  sum.add(endpoints.source.data(), address_bytes(endpoints));
  sum.add(endpoints.destination.data(), address_bytes(endpoints));
  sum.add_value(kTcpProtocol);
}

void write_ipv4(const Endpoints& endpoints, const IpFields& ip, std::uint32_t total,
                std::uint8_t* out) {
  out[0] = 0x45;
  out[1] = ip.traffic_class;
  write_be16(out + 2, total);
  write_be16(out + 4, ip.identification);
  write_be16(out + 6, ip.do_not_fragment ? 0x4000 : 0);
  out[8] = ip.hop_limit;
  out[9] = kTcpProtocol;
  write_be16(out + 10, 0);
  std::copy_n(endpoints.source.data(), 4, out + 12);
  std::copy_n(endpoints.destination.data(), 4, out + 16);
  OnesSum sum;
  sum.add(out, kIpv4Bytes);
  write_be16(out + 10, sum.checksum());
}

void write_ipv6(const Endpoints& endpoints, const IpFields& ip, std::uint32_t payload,
                std::uint8_t* out) {
  write_be32(out, 0x6000'0000U | static_cast<std::uint32_t>(ip.traffic_class) << 20U |
                      (ip.flow_label & 0xf'ffffU));
  write_be16(out + 4, payload);
  out[6] = kTcpProtocol;
  out[7] = ip.hop_limit;
  std::copy_n(endpoints.source.data(), 16, out + 8);
  std::copy_n(endpoints.destination.data(), 16, out + 24);
}

/// Reads the IP header; `at` is where TCP begins, `size` where the packet ends.
Refusal read_ipv4(const std::uint8_t* bytes, std::uint32_t& size, bool verified,
                  Endpoints& endpoints, std::uint32_t& at) {
  if (size < kIpv4Bytes) return Refusal::kShortIpHeader;
  at = (bytes[0] & 0x0fU) * 4U;
  const std::uint32_t total = read_be16(bytes + 2);
  if (at < kIpv4Bytes || at > size) return Refusal::kShortIpHeader;
  if (total < at || total > size) return Refusal::kIpLength;
  size = total;
  if (!verified) {
    OnesSum sum;
    sum.add(bytes, at);
    if (!sum.intact()) return Refusal::kIpChecksum;
  }
  if ((read_be16(bytes + 6) & 0x3fffU) != 0)
    return Refusal::kFragment;  // more fragments, or an offset
  if (bytes[9] != kTcpProtocol) return Refusal::kNotTcp;
  std::copy_n(bytes + 12, 4, endpoints.source.data());
  std::copy_n(bytes + 16, 4, endpoints.destination.data());
  return Refusal::kNone;
}

Refusal read_ipv6(const std::uint8_t* bytes, std::uint32_t& size, Endpoints& endpoints,
                  std::uint32_t& at) {
  if (size < kIpv6Bytes) return Refusal::kShortIpHeader;
  const std::uint32_t total = kIpv6Bytes + read_be16(bytes + 4);
  if (total > size) return Refusal::kIpLength;
  size = total;
  endpoints.ipv6 = true;
  std::copy_n(bytes + 8, 16, endpoints.source.data());
  std::copy_n(bytes + 24, 16, endpoints.destination.data());
  at = kIpv6Bytes;
  std::uint8_t next = bytes[6];
  while (next != kTcpProtocol) {
    constexpr std::uint8_t kHopByHop = 0;
    constexpr std::uint8_t kFragment = 44;
    constexpr std::uint8_t kDestination = 60;
    constexpr std::uint8_t kRouting = 43;
    if (next == kFragment) return Refusal::kFragment;
    if (next != kHopByHop && next != kDestination && next != kRouting) return Refusal::kNotTcp;
    if (at + 8 > size) return Refusal::kExtensionHeader;
    const std::uint32_t length = (bytes[at + 1] + 1U) * 8U;
    // With segments left in a routing header, the checksum has another destination (RFC 8200, 8.1).
    if (at + length > size || (next == kRouting && bytes[at + 3] != 0))
      return Refusal::kExtensionHeader;
    next = bytes[at];
    at += length;
  }
  return Refusal::kNone;
}

}  // namespace

std::uint32_t header_bytes(const Segment& segment, bool ipv6) {
  return (ipv6 ? kIpv6Bytes : kIpv4Bytes) + kTcpBytes + option_bytes(segment.options);
}

std::uint32_t write_packet(const Segment& segment, const Endpoints& endpoints, const IpFields& ip,
                           TcpChecksum checksum, PayloadSource& payload, std::uint8_t* out,
                           std::uint32_t room) {
  const std::uint32_t ip_bytes = endpoints.ipv6 ? kIpv6Bytes : kIpv4Bytes;
  const std::uint32_t options = option_bytes(segment.options);
  const std::uint64_t total = std::uint64_t{ip_bytes} + kTcpBytes + options + segment.length;
  const std::uint64_t ip_length = endpoints.ipv6 ? total - kIpv6Bytes : total;
  if (options > kMaxOptionBytes || ip_length > kLargestIp || total > room) return 0;
  const auto size = static_cast<std::uint32_t>(total);
  const std::uint32_t tcp_size = size - ip_bytes;
  if (endpoints.ipv6) {
    write_ipv6(endpoints, ip, tcp_size, out);
  } else {
    write_ipv4(endpoints, ip, size, out);
  }
  std::uint8_t* const tcp = out + ip_bytes;
  write_be16(tcp, endpoints.source_port);
  write_be16(tcp + 2, endpoints.destination_port);
  write_be32(tcp + 4, segment.seq);
  write_be32(tcp + 8, segment.ack);
  tcp[12] = static_cast<std::uint8_t>((kTcpBytes + options) / 4 << 4U);
  tcp[13] = segment.flags;
  write_be16(tcp + 14, segment.window);
  write_be16(tcp + kChecksumAt, 0);
  write_be16(tcp + 18, 0);  // urgent pointer
  write_options(segment.options, tcp + kTcpBytes);
  if (segment.length > 0) payload.fill(segment.offset, tcp + kTcpBytes + options, segment.length);
  OnesSum sum;
  add_pseudo_header(sum, endpoints);
  if (checksum != TcpChecksum::kPseudoHeaderNoSize) sum.add_value(tcp_size);
  if (checksum == TcpChecksum::kComplete) {
    sum.add(tcp, tcp_size);
    write_be16(tcp + kChecksumAt, sum.checksum());
  } else {
    write_be16(tcp + kChecksumAt, sum.folded());
  }
  return size;
}

Refusal read_packet(const std::uint8_t* bytes, std::uint32_t size, bool checksums_verified,
                    Packet& packet) {
  packet = {};
  if (size == 0) return Refusal::kShortIpHeader;
  std::uint32_t at = 0;
  Refusal refusal = Refusal::kNotIp;
  if (bytes[0] >> 4U == 4) {
    refusal = read_ipv4(bytes, size, checksums_verified, packet.endpoints, at);
  } else if (bytes[0] >> 4U == 6) {
    refusal = read_ipv6(bytes, size, packet.endpoints, at);
  }
  if (refusal != Refusal::kNone) return refusal;
  if (size - at < kTcpBytes) return Refusal::kShortTcpHeader;
  const std::uint8_t* const tcp = bytes + at;
  const std::uint32_t header = (tcp[12] >> 4U) * 4U;
  if (header < kTcpBytes || header > size - at) return Refusal::kDataOffset;
  if (!checksums_verified) {
    OnesSum sum;
    add_pseudo_header(sum, packet.endpoints);
    sum.add_value(size - at);
    sum.add(tcp, size - at);
    if (!sum.intact()) return Refusal::kTcpChecksum;
  }
  refusal = read_options(tcp + kTcpBytes, header - kTcpBytes, packet.segment.options);
  packet.endpoints.source_port = read_be16(tcp);
  packet.endpoints.destination_port = read_be16(tcp + 2);
  Segment& segment = packet.segment;
  segment.seq = read_be32(tcp + 4);
  segment.ack = read_be32(tcp + 8);
  segment.flags = tcp[13];
  segment.window = read_be16(tcp + 14);
  segment.length = size - at - header;
  segment.mss = segment.length;
  packet.payload_at = at + header;
  packet.size = size;
  return refusal;
}

}  // namespace longhaul::tcp
