// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/tcp/config.h"
#include "models/tcp/environment.h"
#include "models/tcp/range_set.h"
#include "models/tcp/receive_window.h"
#include "models/tcp/segment.h"
#include "models/tcp/stats.h"
#include "models/tcp/timers.h"

namespace longhaul::tcp {

/// The receiving half: puts segments in order, decides when to acknowledge, and gives the contents
/// of an acknowledgement.
///
/// Bytes are counted, not stored. Out-of-order data are ranges (RFC 9293, 3.10.7.4). The SACK block
/// that changed last comes first (RFC 2018, 4), after a D-SACK block if there is one (RFC 2883, 4).
class Receiver {
 public:
  Receiver(const TcpConfig& config, Environment& environment, Timers& timers, Stats& stats)
      : config_(config),
        environment_(environment),
        timers_(timers),
        stats_(stats),
        window_(config) {}

  /// The peer's SYN came, with this number.
  void open(std::uint32_t irs) {
    irs_ = irs;
    next_ = 1;
  }
  /// Sets the agreed options: segments of at most `mss` bytes of payload, SACK, timestamps, window
  /// scale of this side.
  void start(std::uint32_t mss, bool sack, bool timestamps, std::uint8_t shift);

  /// Continues behind another receiver, which has offered the window up to `offered`. `unread`
  /// bytes in order wait for the reader.
  void resume(Position next, Position offered, std::uint64_t unread) {
    next_ = next;
    last_ack_sent_ = next;
    window_.set_edge(offered);
    window_.delivered(unread);
  }

  /// The result of accept().
  struct Accepted {
    std::uint64_t delivered = 0;  ///< bytes newly in order
    bool finished = false;        ///< the FIN is now in order
  };
  /// Takes the payload and FIN of a segment that begins at `begin`, cut to the window. Notes
  /// whether an ACK is due.
  Accepted accept(std::int64_t begin, std::uint32_t length, bool fin);
  /// A segment came that is not acceptable: an ACK with the present state is due.
  void ack_soon() { ack_now_ = true; }
  /// The reader took `bytes`. Returns true if the peer should be told now.
  bool read(std::uint64_t bytes);
  /// The delayed-ACK timer expired.
  void on_timer() { ack_now_ = ack_now_ || pending_ > 0; }

  /// Whether an ACK is due now.
  bool ack_due() const { return ack_now_; }
  /// Bytes in order without an ACK.
  std::uint64_t pending() const { return pending_; }
  /// Bytes that SACK blocks will take in the options of the next segment, with padding.
  std::uint32_t sack_option_bytes() const;
  /// Fills in acknowledgement, window and SACK blocks. Call sent() after the segment was sent.
  void complete(Segment& segment);
  void sent();

  ReceiveWindow& window() { return window_; }
  const ReceiveWindow& window() const { return window_; }
  /// While held, data in order do not make an ACK due by their number; the reader's next read()
  /// does.
  void hold(bool on) { held_ = on; }
  std::uint32_t irs() const { return irs_; }
  Position next() const { return next_; }
  Position last_ack_sent() const { return last_ack_sent_; }
  bool finished() const { return finished_; }
  std::size_t heap_bytes() const { return waiting_.heap_bytes(); }
  std::size_t holes() const { return waiting_.size(); }
  /// Whether all of [begin, end) has arrived above a hole.
  bool waits(Position begin, Position end) const { return waiting_.covers(begin, end); }

 private:
  void in_order(std::uint64_t bytes, bool filled_hole);
  void note_recent(Position at);
  std::uint32_t most_blocks() const;
  std::uint8_t list_blocks(std::array<SackBlock, Options::kMaxSackBlocks>& blocks,
                           std::uint32_t most) const;
  SackBlock on_wire(Range64 range) const {
    return {to_wire(irs_, range.begin), to_wire(irs_, range.end)};
  }

  const TcpConfig& config_;
  Environment& environment_;
  Timers& timers_;
  Stats& stats_;
  ReceiveWindow window_;
  std::uint32_t irs_ = 0;
  std::uint32_t mss_ = 1;
  bool sack_ = false;
  bool timestamps_ = false;
  Position next_ = 0;
  RangeSet waiting_;  // arrived above a hole
  // A position in each of the blocks that changed last.
  std::array<Position, Options::kMaxSackBlocks> recent_{};
  std::uint32_t recent_count_ = 0;
  Range64 duplicate_;  // to be reported by D-SACK
  Position fin_at_ = ~0ULL;
  bool finished_ = false;
  // When to acknowledge.
  bool ack_now_ = false;
  bool held_ = false;
  std::uint64_t pending_ = 0;  // bytes in order and not acknowledged
  std::uint32_t full_ = 0;     // largest segment seen, taken as the size of the peer's full
                               // segments
  std::uint32_t quick_left_ = 0;
  Position last_ack_sent_ = 0;
};

}  // namespace longhaul::tcp
