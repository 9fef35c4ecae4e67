// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/checksum.h"

namespace longhaul::nic {

/// How one TCP (or UDP) super-frame is cut into frames: the contents of a segmentation context
/// descriptor.
struct TsoContext {
  ChecksumSpan ip;  ///< IPv4 header checksum
  ChecksumSpan l4;  ///< TCP or UDP checksum; the TCP header begins at l4.start
  /// Ethernet, IP and TCP headers together: the template of every segment.
  std::uint32_t header_bytes = 0;
  std::uint32_t mss = 0;            ///< payload bytes of every segment but the last
  std::uint32_t payload_bytes = 0;  ///< bytes of payload of the whole super-frame
  bool ipv4 = true;                 ///< else IPv6
  bool tcp = true;                  ///< else UDP
  bool insert_ip_checksum = true;
  bool insert_l4_checksum = true;
  /// CWR is sent in the first segment only (RFC 3168, 6.1.2). Adapters without ECN support repeat
  /// it.
  bool cwr_first_only = true;
};

/// One segment of a super-frame.
struct TsoSegment {
  std::uint32_t index = 0;    ///< 0 for the first
  std::uint32_t offset = 0;   ///< offset of its payload in the super-frame's payload, bytes
  std::uint32_t payload = 0;  ///< bytes
  bool last = false;
};

/// Whether the context is usable: the template contains whole IP and TCP/UDP headers, and the
/// segment size is not zero.
bool is_valid(const TsoContext& context);

/// The segment after `offset` bytes of payload.
TsoSegment segment_at(const TsoContext& context, std::uint32_t index, std::uint32_t offset);

/// The number of frames that the super-frame becomes.
std::uint32_t segment_count(const TsoContext& context);

/// Completes a segment. `frame` holds its payload from header_bytes on, up to `stored` bytes with
/// the header; the rest is zero. The header is written in front of the payload.
///
/// Sets IP length (v4 total, v6 payload), IPv4 identification (+1 a segment), TCP sequence number,
/// FIN and PSH (last segment only), CWR and UDP length, then the checksums. The template's TCP
/// checksum field holds the pseudo-header sum without the length, as the drivers of these adapters
/// leave it; the segment's length is added here.
void write_segment_header(const TsoContext& context, const std::uint8_t* header_template,
                          const TsoSegment& segment, std::uint8_t* frame,
                          std::uint32_t stored = ~0U);

}  // namespace longhaul::nic
