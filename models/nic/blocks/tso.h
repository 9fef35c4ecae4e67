// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/checksum.h"

namespace longhaul::nic {

/// How one TCP (or UDP) super-frame is to be cut into frames: what a segmentation context
/// descriptor says.
struct TsoContext {
  ChecksumSpan ip;  ///< IPv4 header checksum
  ChecksumSpan l4;  ///< TCP or UDP checksum; l4.start is where the TCP header begins
  std::uint32_t header_bytes =
      0;                  ///< Ethernet, IP and TCP headers together, the template of every segment
  std::uint32_t mss = 0;  ///< payload bytes of every segment but the last
  std::uint32_t payload_bytes = 0;  ///< of the whole super-frame
  bool ipv4 = true;                 ///< else IPv6
  bool tcp = true;                  ///< else UDP
  bool insert_ip_checksum = true;
  bool insert_l4_checksum = true;
  /// CWR goes out in the first segment only (RFC 3168, 6.1.2); adapters without ECN support repeat
  /// it.
  bool cwr_first_only = true;
};

/// One segment of a super-frame.
struct TsoSegment {
  std::uint32_t index = 0;    ///< 0 for the first
  std::uint32_t offset = 0;   ///< of its payload in the super-frame's payload, bytes
  std::uint32_t payload = 0;  ///< bytes
  bool last = false;
};

/// Whether the context can be carried out: a whole IP and TCP/UDP header inside the template, and a
/// segment size.
bool is_valid(const TsoContext& context);

/// The segment that follows `offset` payload bytes already cut.
TsoSegment segment_at(const TsoContext& context, std::uint32_t index, std::uint32_t offset);

/// Number of frames that the super-frame becomes.
std::uint32_t segment_count(const TsoContext& context);

/// Completes a segment: `frame` holds its payload from header_bytes on, up to `stored` bytes with
/// the header and zeros from there; the header is written in front of it.
///
/// IP length (v4 total, v6 payload), IPv4 identification (+1 a segment), TCP sequence number, FIN
/// and PSH (last segment only), CWR, UDP length, then the checksums. The template's TCP checksum
/// field holds the pseudo-header sum without the length, as drivers of this family leave it; the
/// length of the segment is added here.
void write_segment_header(const TsoContext& context, const std::uint8_t* header_template,
                          const TsoSegment& segment, std::uint8_t* frame,
                          std::uint32_t stored = ~0U);

}  // namespace longhaul::nic
