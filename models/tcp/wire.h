// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/tcp/options.h"
#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The ends of a connection. IPv4 addresses are the first four bytes.
struct Endpoints {
  bool ipv6 = false;
  std::array<std::uint8_t, 16> source{};
  std::array<std::uint8_t, 16> destination{};
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
};

/// Further fields of an IP header.
struct IpFields {
  std::uint16_t identification = 0;  ///< IPv4
  std::uint8_t hop_limit = 64;
  std::uint8_t traffic_class = 0;
  bool do_not_fragment = true;   ///< IPv4
  std::uint32_t flow_label = 0;  ///< IPv6
};

/// The content of the TCP checksum field.
enum class TcpChecksum : std::uint8_t {
  kComplete,            ///< the checksum
  kPseudoHeader,        ///< the pseudo header's sum, with the length: an adapter adds the rest
  kPseudoHeaderNoSize,  ///< without the length: segmentation offload adds that of each segment
};

/// Writes bytes of a stream, which the caller stores.
class PayloadSource {
 public:
  virtual ~PayloadSource() = default;
  /// Writes [offset, offset + length) of the stream to `out`.
  virtual void fill(std::uint64_t offset, std::uint8_t* out, std::uint32_t length) = 0;
};

/// Writes nothing: the payload is elsewhere, or zeros that nobody stores.
struct NoPayload final : PayloadSource {
  void fill(std::uint64_t, std::uint8_t*, std::uint32_t) override {}
};

constexpr std::uint32_t kChecksumAt = 16;  ///< of the checksum in the TCP header, bytes

/// Bytes of IP header, TCP header and options before the payload.
std::uint32_t header_bytes(const Segment& segment, bool ipv6);

/// Writes the whole packet, IP header first, and returns its size. Returns 0 if `room` is smaller,
/// the packet exceeds 65535 bytes of IP length, or the options exceed 40 bytes.
std::uint32_t write_packet(const Segment& segment, const Endpoints& endpoints, const IpFields& ip,
                           TcpChecksum checksum, PayloadSource& payload, std::uint8_t* out,
                           std::uint32_t room);

/// A parsed packet; the payload stays in place.
struct Packet {
  Segment segment;  ///< without offset
  Endpoints endpoints;
  std::uint32_t payload_at = 0;  ///< from the start of the IP header; segment.length bytes
  std::uint32_t size = 0;        ///< of the IP packet; the bytes after it are padding
};

/// Reads an IPv4 or IPv6 packet of up to `size` bytes that carries TCP. Checksums are verified
/// unless the adapter has verified them. Other packets, and packets that contradict themselves, are
/// refused with the reason; then `packet` is undefined.
Refusal read_packet(const std::uint8_t* bytes, std::uint32_t size, bool checksums_verified,
                    Packet& packet);

}  // namespace longhaul::tcp
