// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/tcp_segment.h"

#include <fmt/format.h>

#include <cstring>

#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/ip_protocol.h"

namespace longhaul::observe {
namespace {

using ethernet::kTypeArp;
using ethernet::kTypeIpv4;
using ethernet::kTypeIpv6;
using ethernet::kTypeVlan;

constexpr std::uint8_t kOptionEnd = 0, kOptionNone = 1, kOptionSack = 5;

/// An IP packet inside a frame.
struct Ip {
  bool ipv6 = false;
  std::uint8_t protocol = 0;
  const std::uint8_t* source = nullptr;
  const std::uint8_t* destination = nullptr;
  const std::uint8_t* data = nullptr;
  std::uint32_t size = 0;
  bool first_fragment = true;
};

std::uint16_t type_of(const Frame& frame, std::uint32_t& at) {
  at = ethernet::kHeaderBytes;
  if (frame.size() < at) return 0;
  std::uint16_t type = ethernet::type(frame);
  if (type == kTypeVlan && frame.size() >= at + 4) {
    type = read_be16(frame.head() + at + 2);
    at += 4;
  }
  return type;
}

std::optional<Ip> ip_of(const Frame& frame) {
  std::uint32_t at = 0;
  const std::uint16_t type = type_of(frame, at);
  const std::uint8_t* const p = frame.head() + at;
  if (type == kTypeIpv4 && frame.size() >= at + 20) {
    const std::uint32_t header = (p[0] & 0xfU) * 4;
    const std::uint32_t total = read_be16(p + 2);
    if (p[0] >> 4 != 4 || header < 20 || total < header || total > frame.size() - at)
      return std::nullopt;
    return Ip{
        false, p[9], p + 12, p + 16, p + header, total - header, (read_be16(p + 6) & 0x1fffU) == 0};
  }
  if (type == kTypeIpv6 && frame.size() >= at + 40) {
    const std::uint32_t payload = read_be16(p + 4);
    if (p[0] >> 4 != 6 || payload > frame.size() - at - 40) return std::nullopt;
    return Ip{true, p[6], p + 8, p + 24, p + 40, payload, true};
  }
  return std::nullopt;
}

void read_options(const std::uint8_t* option, const std::uint8_t* end, TcpSegment& segment) {
  while (option < end && *option != kOptionEnd) {
    if (*option == kOptionNone) {
      ++option;
      continue;
    }
    if (end - option < 2 || option[1] < 2 || option[1] > end - option) return;
    if (*option == kOptionSack) {
      for (int at = 2; at + 8 <= option[1] && segment.sack_blocks < segment.sack.size(); at += 8)
        segment.sack[segment.sack_blocks++] = {read_be32(option + at), read_be32(option + at + 4)};
    }
    option += option[1];
  }
}

std::optional<TcpSegment> segment_of(const Ip& ip) {
  if (ip.protocol != ip_protocol::kTcp || !ip.first_fragment || ip.size < 20) return std::nullopt;
  const std::uint32_t header = (ip.data[12] >> 4) * 4U;
  if (header < 20 || header > ip.size) return std::nullopt;
  TcpSegment segment;
  segment.ipv6 = ip.ipv6;
  std::memcpy(segment.source.data(), ip.source, ip.ipv6 ? 16 : 4);
  std::memcpy(segment.destination.data(), ip.destination, ip.ipv6 ? 16 : 4);
  segment.source_port = read_be16(ip.data);
  segment.destination_port = read_be16(ip.data + 2);
  segment.sequence = read_be32(ip.data + 4);
  segment.acknowledgment = read_be32(ip.data + 8);
  segment.flags = ip.data[13];
  segment.window = read_be16(ip.data + 14);
  segment.payload = ip.size - header;
  read_options(ip.data + 20, ip.data + header, segment);
  return segment;
}

std::string flags_text(std::uint8_t flags) {
  static constexpr const char* kNames[] = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"};
  std::string text;
  for (int i = 0; i < 8; ++i) {
    if ((flags >> i & 1) != 0) text += std::string(text.empty() ? "" : ",") + kNames[i];
  }
  return text;
}

/// Describes a segment. The most useful values come first, because a viewer's row shows only the
/// beginning.
std::string tcp_text(const TcpSegment& s, const SequenceOrigins& origins) {
  const std::optional<std::uint32_t> sent =
      origins.of(flow_key(s.source, s.source_port, s.destination, s.destination_port));
  const std::optional<std::uint32_t> received =
      origins.of(flow_key(s.destination, s.destination_port, s.source, s.source_port));
  const std::uint32_t acked_from = received.value_or(0);
  const std::string data = fmt::format(" seq {} len {}", s.sequence - sent.value_or(0), s.payload);
  std::string text = "TCP" + (s.payload > 0 ? data : "");
  if ((s.flags & TcpSegment::kAck) != 0)
    text += fmt::format(" ack {}", s.acknowledgment - acked_from);
  for (std::uint32_t i = 0; i < s.sack_blocks; ++i)
    text += fmt::format("{}{}-{}", i == 0 ? " SACK " : ",", s.sack[i].first - acked_from,
                        s.sack[i].second - acked_from);
  if (s.payload == 0) text += data;
  text += fmt::format(" win {} {} {}:{}>{}:{}", s.window, flags_text(s.flags),
                      address_text(s.ipv6, s.source.data()), s.source_port,
                      address_text(s.ipv6, s.destination.data()), s.destination_port);
  text += fmt::format(" raw seq {}", s.sequence);
  return (s.flags & TcpSegment::kAck) != 0 ? text + fmt::format(" ack {}", s.acknowledgment) : text;
}

}  // namespace

std::string address_text(bool ipv6, const std::uint8_t* bytes) {
  if (!ipv6) return fmt::format("{}.{}.{}.{}", bytes[0], bytes[1], bytes[2], bytes[3]);
  std::string text = "[";
  for (int i = 0; i < 16; i += 2)
    text += fmt::format("{}{:x}", i == 0 ? "" : ":", read_be16(bytes + i));
  return text + "]";
}

std::optional<TcpSegment> tcp_segment(const Frame& frame) {
  const std::optional<Ip> ip = ip_of(frame);
  return ip ? segment_of(*ip) : std::nullopt;
}

std::string describe_frame(const Frame& frame, const SequenceOrigins& origins) {
  const std::optional<Ip> ip = ip_of(frame);
  if (!ip) {
    std::uint32_t at = 0;
    const std::uint16_t type = type_of(frame, at);
    if (type == kTypeArp) return "ARP";
    if (type == ethernet::kTypeMacControl && frame.size() >= at + 4 &&
        read_be16(frame.head() + at) == ethernet::kOpcodePause)
      return fmt::format("PAUSE {}", read_be16(frame.head() + at + 2));
    return fmt::format("type {:04x} {} B", type, frame.size());
  }
  if (const std::optional<TcpSegment> segment = segment_of(*ip)) return tcp_text(*segment, origins);
  const std::string ends =
      address_text(ip->ipv6, ip->source) + ">" + address_text(ip->ipv6, ip->destination);
  if (!ip->first_fragment) return fmt::format("IP {} later fragment len {}", ends, ip->size);
  if (ip->protocol == ip_protocol::kUdp && ip->size >= 8)
    return fmt::format("UDP {} ports {}>{} len {}", ends, read_be16(ip->data),
                       read_be16(ip->data + 2), ip->size - 8);
  if (ip->protocol == ip_protocol::kIcmp || ip->protocol == ip_protocol::kIcmp6)
    return fmt::format("ICMP {} type {} len {}", ends, ip->size > 0 ? ip->data[0] : 0, ip->size);
  return fmt::format("IP {} protocol {} len {}", ends, ip->protocol, ip->size);
}

}  // namespace longhaul::observe
