// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

/// Ones'-complement sum of 16-bit big-endian words (RFC 1071), taken in pieces.
///
/// Every piece but the last has an even length; an odd last byte counts as the high half of a word.
class OnesSum {
 public:
  void add(const std::uint8_t* bytes, std::uint32_t length);
  /// Adds a 16-bit value in host order.
  void add_value(std::uint32_t value);
  /// The sum folded to 16 bits, host order.
  std::uint16_t folded() const;
  /// What goes into a checksum field: the complement of the sum, host order.
  std::uint16_t checksum() const { return static_cast<std::uint16_t>(~folded()); }
  /// What was summed has its own checksum in it, and that is right.
  bool intact() const { return folded() == 0xffff; }

 private:
  std::uint64_t sum_ = 0;  // of words as they lie in memory: little-endian on this host
};

/// Where a checksum is taken and put, as context descriptors of this family say it (css, cso, cse):
/// bytes from the start of the frame; `end` is the last byte summed, 0 for the end of the frame.
struct ChecksumSpan {
  std::uint16_t start = 0;
  std::uint16_t field = 0;
  std::uint16_t end = 0;
};

/// Sums the span, the field's present content (a seed: the pseudo header) included, adds `extra`,
/// and stores the complement.
///
/// zero_as_ones stores 0xffff instead of 0, which in UDP would mean "no checksum" (RFC 768).
/// Of the frame's bytes only `stored`, the field among them, are at `frame`: the rest is zero.
/// Returns false, and changes nothing, when span or field lies outside the frame.
bool insert_checksum(std::uint8_t* frame, std::uint32_t size, const ChecksumSpan& span,
                     std::uint32_t extra = 0, bool zero_as_ones = false,
                     std::uint32_t stored = ~0U);

/// What a receiver found out about a frame's checksums. `good` is meaningful where `checked` is
/// true.
struct ReceivedChecksums {
  bool ip_checked = false;
  bool ip_good = false;
  bool l4_checked = false;
  bool l4_good = false;
  bool is_tcp = false;  ///< else UDP, where l4_checked
};

/// Parses an Ethernet II or SNAP frame (one VLAN tag allowed) and verifies the IPv4 header checksum
/// and the TCP or UDP checksum over IPv4 or, with `ipv6`, IPv6 (extension headers skipped).
///
/// Not checked: fragments, UDP without a checksum, routing headers still under way, encrypted
/// payload, lengths that do not fit the frame. The frame comes without FCS; padding behind the IP
/// packet is left out. Of the frame's bytes only `stored`, all its headers among them, are at
/// `frame`: the rest is zero.
ReceivedChecksums verify_checksums(const std::uint8_t* frame, std::uint32_t size, bool ipv6,
                                   std::uint32_t stored = ~0U);

}  // namespace longhaul
