// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/tcp/config.h"
#include "models/tcp/range_set.h"
#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The sender's knowledge of data in flight: selectively acknowledged, lost, retransmitted (RFC
/// 6675, 3 and 4).
///
/// It keeps three edges and one set of ranges instead of a record per segment. Everything below
/// lost_edge() that is not SACKed is lost. Retransmissions go in order, so everything below
/// retransmitted_to() that is not SACKed has been retransmitted. Lost retransmissions are ranges
/// again.
///
/// Without SACK the set is empty, and mark_lost_below() moves the lost edge. Positions are those of
/// the stream.
class Scoreboard {
 public:
  explicit Scoreboard(const TcpConfig& config)
      : config_(config), threshold_(config.dup_threshold) {}

  void start(std::uint32_t mss) { mss_ = mss; }
  /// With the unit "segments": a segment that ends at `end` was sent and counts for `missing` bytes
  /// more than it has.
  void sent_short(Position end, std::uint32_t missing);
  /// The receiver has [begin, end), una <= begin < end. Returns how many bytes are newly known.
  std::uint64_t sack(Position begin, Position end);
  /// Everything below `una` is acknowledged.
  void advance(Position una);
  /// A recovery begins: nothing is retransmitted yet.
  void begin_episode() {
    retransmitted_to_ = una_;
    sacked_low_ = 0;
    again_.clear();
    passes_.clear();
  }
  /// Counts everything below `position` that is not SACKed as lost.
  void mark_lost_below(Position position) { forced_edge_ = std::max(forced_edge_, position); }
  /// Undoes mark_lost_below().
  void clear_lost() { forced_edge_ = una_; }
  /// Drops all SACK information.
  void forget_sacks();
  /// [begin, end), which next_hole() gave or which is its beginning, was retransmitted while `next`
  /// was the first position never sent.
  void retransmitted(Position begin, Position end, Position next);
  /// With forward acknowledgement: a retransmission is lost if data that were sent after it are
  /// SACKed (Linux, tcp_sacktag_write_queue(), event C). Returns the bytes that are newly found
  /// lost; next_hole() gives them again.
  std::uint64_t find_lost_retransmissions();

  /// Everything below this edge that is not SACKed is lost.
  Position lost_edge() const;
  Position retransmitted_to() const { return std::max(retransmitted_to_, una_); }
  /// The bytes that short segments count for beyond their own, of all that are not acknowledged.
  std::uint64_t padding() const { return padding_; }
  /// Bytes in the network by RFC 6675's estimate (SetPipe), with `next` the first position never
  /// sent. Short segments count as whole ones.
  std::uint64_t pipe(Position next) const;
  /// The first range to retransmit, below `limit` and not SACKed: one whose retransmission was
  /// lost, else one at or above retransmitted_to(). Empty if there is none.
  Range64 next_hole(Position limit) const;
  bool is_lost(Position position) const { return position < lost_edge(); }
  /// Bytes that count as lost, retransmitted or not.
  std::uint64_t lost_bytes() const;
  /// Bytes that were retransmitted in this episode and are not known to be at the receiver.
  std::uint64_t retransmitted_bytes() const {
    return retransmitted_to() - una_ - sacked_low_ - again_.bytes();
  }
  std::uint64_t sacked_bytes() const { return sacked_.bytes(); }
  bool has_sacks() const { return !sacked_.empty(); }
  /// End of the highest SACKed range; una if there is none.
  Position highest_sacked() const { return sacked_.empty() ? una_ : sacked_.back().end; }
  /// Whether the receiver has dropped data that it once SACKed: they are SACKed from una on but not
  /// acknowledged (RFC 2018, 8).
  bool reneged() const { return !sacked_.empty() && sacked_.front().begin <= una_; }
  /// The first position from `begin` on that is not SACKed.
  Position first_missing(Position begin) const {
    const std::size_t i = sacked_.first_ending_above(begin);
    return i < sacked_.size() && sacked_[i].begin <= begin ? sacked_[i].end : begin;
  }
  std::size_t ranges() const { return sacked_.size(); }

  /// The number of segments above a hole that make it lost. It grows with the reordering that was
  /// seen, up to max_reordering.
  std::uint32_t threshold() const { return threshold_; }
  /// Old data arrived `bytes` below the highest SACKed byte without a retransmission: the network
  /// reorders that far.
  void saw_reordering(std::uint64_t bytes);
  std::size_t heap_bytes() const { return sacked_.heap_bytes(); }

 private:
  struct Short {
    Position end;
    std::uint32_t missing;  // bytes short of whole segments
  };

  /// Retransmissions that were sent between the same two segments of new data.
  struct Pass {
    Position begin;
    Position end;
    Position next;  // first position never sent at that time
  };

  Position detected_edge() const;
  std::uint64_t padding_in_pipe(Position edge) const;

  const TcpConfig& config_;
  std::uint32_t mss_ = 1;
  std::uint32_t threshold_;
  bool reorders_ = false;
  RangeSet sacked_;
  Position una_ = 0;
  Position forced_edge_ = 0;
  Position retransmitted_to_ = 0;
  std::uint64_t sacked_low_ = 0;  // SACKed bytes in [una, retransmitted_to)
  RangeSet again_;                // retransmissions that were lost and not sent again
  RingBuffer<Pass> passes_;       // retransmissions that are believed to be in the network, oldest
                                  // first
  RingBuffer<Short> shorts_;
  std::uint64_t padding_ = 0;
};

}  // namespace longhaul::tcp
