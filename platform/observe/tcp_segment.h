// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "models/net/frame/frame.h"
#include "platform/observe/sequence_origins.h"

namespace longhaul::observe {

/// The contents of a TCP segment's headers. IPv4 addresses are in the first four bytes.
struct TcpSegment {
  static constexpr std::uint8_t kFin = 0x01, kSyn = 0x02, kRst = 0x04, kPsh = 0x08, kAck = 0x10;

  bool ipv6 = false;
  std::array<std::uint8_t, 16> source{};
  std::array<std::uint8_t, 16> destination{};
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint8_t flags = 0;
  std::uint16_t window = 0;  ///< as in the header: not scaled
  std::uint32_t payload = 0;
  /// Blocks of RFC 2018: first byte, and the one after the last.
  std::array<std::pair<std::uint32_t, std::uint32_t>, 4> sack{};
  std::uint32_t sack_blocks = 0;
};

/// Reads Ethernet (with or without an IEEE 802.1Q tag), IPv4 or IPv6, and TCP. Empty for a frame
/// without a whole TCP header.
std::optional<TcpSegment> tcp_segment(const Frame& frame);

/// The text of an address in the order of the wire: "10.10.0.1", or "[fd10:a:0:0:0:0:0:1]".
std::string address_text(bool ipv6, const std::uint8_t* bytes);

/// One line about a frame for a viewer. For example "TCP seq 1 len 8948 ack 1 win 501 ACK
/// 10.0.0.1:4000>10.0.0.2:5001 raw seq 1555774273 ack 2480413381", a PAUSE, an ARP; for other
/// frames the protocol and the length. Sequence numbers without a known origin are as on the wire.
std::string describe_frame(const Frame& frame, const SequenceOrigins& origins);

}  // namespace longhaul::observe
