// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace longhaul::tcp {

/// Control bits as in the header (RFC 9293, 3.1).
enum Flags : std::uint8_t {
  kFin = 0x01,
  kSyn = 0x02,
  kRst = 0x04,
  kPsh = 0x08,
  kAck = 0x10,
  kUrg = 0x20,
  kEce = 0x40,
  kCwr = 0x80,
};

/// Half-open range of sequence numbers as in a SACK option (RFC 2018, 3).
struct SackBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The options that the engine supports. An absent option has no value, false or a count of zero.
struct Options {
  static constexpr std::uint32_t kMaxSackBlocks = 4;

  std::optional<std::uint16_t> mss;
  std::optional<std::uint8_t> window_scale;
  bool sack_permitted = false;
  bool timestamps = false;
  std::uint32_t ts_value = 0;
  std::uint32_t ts_echo = 0;
  std::uint8_t sack_count = 0;
  std::array<SackBlock, kMaxSackBlocks> sack{};
};

/// One TCP segment without the bytes of its payload: header fields as on the wire, and the range of
/// the stream that it carries.
///
/// A segment to be transmitted may be longer than `mss` (segmentation offload): the code that puts
/// it on the wire cuts it every `mss` bytes. `offset` counts the sender's stream from 0 and is not
/// on the wire; a received segment has none.
struct Segment {
  std::uint32_t seq = 0;
  std::uint32_t ack = 0;
  std::uint8_t flags = 0;
  std::uint16_t window = 0;  ///< as in the header, not scaled
  Options options;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;  ///< payload, bytes
  std::uint32_t mss = 0;     ///< payload bytes of each piece; 0 if there is only one piece of
                             ///< length bytes

  bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
  /// Keeps the first `bytes` of the payload. PSH and FIN belong to its end, and go with it.
  void shorten(std::uint32_t bytes) {
    if (bytes >= length) return;
    length = bytes;
    flags = static_cast<std::uint8_t>(flags & ~(kPsh | kFin));
  }
  /// Sequence numbers that it occupies: payload, SYN and FIN.
  std::uint32_t sequence_length() const {
    return length + (has(kSyn) ? 1U : 0U) + (has(kFin) ? 1U : 0U);
  }
};

/// The RST that answers a segment that belongs to no connection (RFC 9293, 3.10.7.1). The segment
/// itself must not be a RST.
inline Segment reset_for(const Segment& segment) {
  Segment reset;
  reset.flags = kRst;
  if (segment.has(kAck)) {
    reset.seq = segment.ack;
  } else {
    reset.flags = kRst | kAck;
    reset.ack = segment.seq + segment.sequence_length();
  }
  return reset;
}

/// A position in one direction of a connection, counted without wrapping: the SYN is 0, stream
/// offset k is k + 1.
using Position = std::uint64_t;

/// The sequence number of a position.
constexpr std::uint32_t to_wire(std::uint32_t initial, Position position) {
  return initial + static_cast<std::uint32_t>(position);
}

/// The position with the sequence number `seq` that is nearest to `reference`. Right while they are
/// less than 2^31 apart. Negative if a peer gives a number from before its SYN.
constexpr std::int64_t from_wire(std::uint32_t initial, std::uint32_t seq, Position reference) {
  return static_cast<std::int64_t>(reference) +
         static_cast<std::int32_t>(seq - to_wire(initial, reference));
}

}  // namespace longhaul::tcp
