// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/tcp/options.h"
#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// Who talks to whom; IPv4 addresses are the first four bytes.
struct Endpoints {
  bool ipv6 = false;
  std::array<std::uint8_t, 16> source{};
  std::array<std::uint8_t, 16> destination{};
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
};

/// What an IP header carries besides.
struct IpFields {
  std::uint16_t identification = 0;  ///< IPv4
  std::uint8_t hop_limit = 64;
  std::uint8_t traffic_class = 0;
  bool do_not_fragment = true;   ///< IPv4
  std::uint32_t flow_label = 0;  ///< IPv6
};

/// What stands in the TCP checksum field.
enum class TcpChecksum : std::uint8_t {
  kComplete,            ///< the checksum
  kPseudoHeader,        ///< the pseudo header's sum, length included: an adapter adds the rest
  kPseudoHeaderNoSize,  ///< without the length: segmentation offload adds each segment's own
};

/// Writes a stream's bytes; the stream is the caller's.
class PayloadSource {
 public:
  virtual ~PayloadSource() = default;
  /// Writes [offset, offset + length) of the stream to `out`.
  virtual void fill(std::uint64_t offset, std::uint8_t* out, std::uint32_t length) = 0;
};

/// Bytes of IP header, TCP header and options in front of the payload.
std::uint32_t header_bytes(const Segment& segment, bool ipv6);

/// Writes the whole packet, IP header first, and returns its size; 0 when `room` is less, the
/// packet is beyond 65535 bytes of IP length or the options beyond 40 bytes.
std::uint32_t write_packet(const Segment& segment, const Endpoints& endpoints, const IpFields& ip,
                           TcpChecksum checksum, PayloadSource& payload, std::uint8_t* out,
                           std::uint32_t room);

/// A packet taken apart; the payload stays where it is.
struct Packet {
  Segment segment;  ///< without offset
  Endpoints endpoints;
  std::uint32_t payload_at = 0;  ///< from the start of the IP header; segment.length bytes
  std::uint32_t size = 0;        ///< of the IP packet: what follows is padding
};

/// Reads an IPv4 or IPv6 packet of up to `size` bytes that carries TCP. Checksums are verified
/// unless the adapter has vouched for them. Anything else, or a packet that contradicts itself, is
/// refused with the reason, and `packet` is undefined then.
Refusal read_packet(const std::uint8_t* bytes, std::uint32_t size, bool checksums_verified,
                    Packet& packet);

}  // namespace longhaul::tcp
