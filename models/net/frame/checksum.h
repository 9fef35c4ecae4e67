// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

/// Ones'-complement sum of 16-bit big-endian words (RFC 1071), added piece by piece.
///
/// Every piece but the last has an even length. An odd last byte counts as the high half of a word.
class OnesSum {
 public:
  void add(const std::uint8_t* bytes, std::uint32_t length);
  /// Adds a 16-bit value in host order.
  void add_value(std::uint32_t value);
  /// The sum folded to 16 bits, in host order.
  std::uint16_t folded() const;
  /// The value of a checksum field: the complement of the sum, in host order.
  std::uint16_t checksum() const { return static_cast<std::uint16_t>(~folded()); }
  /// Whether the summed bytes are without error. They include their own checksum.
  bool intact() const { return folded() == 0xffff; }

 private:
  std::uint64_t sum_ = 0;  // of words in memory order: little-endian on this host
};

/// The bytes that a checksum covers, and the field that it is stored in, as in Intel's context
/// descriptors (css, cso, cse). Counted in bytes from the start of the frame. `end` is the last
/// byte summed; 0 means the end of the frame.
struct ChecksumSpan {
  std::uint16_t start = 0;
  std::uint16_t field = 0;
  std::uint16_t end = 0;
};

/// Sums the span, adds `extra`, and stores the complement in the field. The sum includes the
/// field's present content, a seed such as the pseudo header.
///
/// zero_as_ones stores 0xffff instead of 0, which in UDP would mean "no checksum" (RFC 768). Only
/// the first `stored` bytes of the frame, the field among them, are at `frame`; the rest is zero.
/// Returns false, and changes nothing, if the span or the field lies outside the frame.
bool insert_checksum(std::uint8_t* frame, std::uint32_t size, const ChecksumSpan& span,
                     std::uint32_t extra = 0, bool zero_as_ones = false,
                     std::uint32_t stored = ~0U);

/// The result of a receiver's checks of a frame. A `good` member has a meaning only if its
/// `checked` member is true.
struct ReceivedChecksums {
  bool ip_checked = false;
  bool ip_good = false;
  bool l4_checked = false;
  bool l4_good = false;
  bool is_tcp = false;  ///< else UDP; valid if l4_checked
};

/// Parses an Ethernet II or SNAP frame (one VLAN tag allowed) and verifies its checksums: that of
/// the IPv4 header, and that of TCP or UDP over IPv4. With `ipv6` also over IPv6; extension headers
/// are skipped.
///
/// Not checked: fragments, UDP without a checksum, routing headers with segments left, encrypted
/// payload, lengths that do not fit the frame. The frame has no FCS here, and padding after the IP
/// packet is ignored. Only the first `stored` bytes of the frame, all headers among them, are at
/// `frame`; the rest is zero.
ReceivedChecksums verify_checksums(const std::uint8_t* frame, std::uint32_t size, bool ipv6,
                                   std::uint32_t stored = ~0U);

}  // namespace longhaul
