// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The window that the peer offers (RFC 9293, 3.10.7.4).
class PeerWindow {
 public:
  /// Shift of the windows on the wire.
  void set_shift(std::uint8_t shift) { shift_ = shift; }
  /// Takes the window of a SYN, without a check of its age.
  void set(std::uint64_t bytes, std::int64_t seq, Position ack) {
    size_ = bytes;
    edge_ = ack + bytes;
    largest_ = std::max(largest_, bytes);
    seq_ = seq;
    ack_ = ack;
  }
  /// Takes the window unless the segment is older than the last one that set it. Returns whether
  /// the size has changed.
  bool take(const Segment& segment, std::int64_t seq, Position ack) {
    if (seq_ > seq || (seq_ == seq && ack_ > ack)) return false;
    const std::uint64_t bytes = std::uint64_t{segment.window} << shift_;
    const bool changed = bytes != size_;
    set(bytes, seq, ack);
    return changed;
  }
  /// Whether take() would find another size.
  bool would_change(const Segment& segment, std::int64_t seq, Position ack) const {
    if (seq_ > seq || (seq_ == seq && ack_ > ack)) return false;
    return std::uint64_t{segment.window} << shift_ != size_;
  }
  Position edge() const { return edge_; }
  std::uint64_t largest() const { return largest_; }  ///< largest size so far, bytes

 private:
  std::uint8_t shift_ = 0;
  Position edge_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t largest_ = 0;
  std::int64_t seq_ = 0;
  Position ack_ = 0;
};

}  // namespace longhaul::tcp
