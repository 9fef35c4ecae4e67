// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "models/tcp/config.h"
#include "models/tcp/congestion/congestion_control.h"
#include "models/tcp/environment.h"
#include "models/tcp/outbox.h"
#include "models/tcp/peer_window.h"
#include "models/tcp/recovery.h"
#include "models/tcp/rtt_estimator.h"
#include "models/tcp/segment.h"
#include "models/tcp/stats.h"
#include "models/tcp/timers.h"

namespace longhaul::tcp {

/// The sending half: decides which data may be sent (windows, Nagle, silly windows), and handles
/// ACKs.
///
/// The stream is a count of written bytes, so its memory does not depend on the bytes in flight.
/// Only with the unit "segments" does each short segment in flight have an entry. Retransmissions
/// are cut again from the start of a hole, as in BSD.
class Sender {
 public:
  Sender(const TcpConfig& config, Environment& environment, Timers& timers, Outbox& outbox,
         Timestamps& timestamps, Stats& stats);

  /// The SYN was sent at `now`; it is position 0.
  void syn_sent(std::uint64_t now, bool again);
  /// The SYN was acknowledged and the options are agreed: payload of a full segment, SACK, shift of
  /// the peer's windows.
  void start(std::uint32_t mss, bool sack, std::uint8_t peer_shift);
  /// Takes the window of a SYN, without a check of its age.
  void set_window(std::uint64_t bytes, std::int64_t seq, Position ack) {
    peer_.set(bytes, seq, ack);
  }

  /// Sets the largest super-segment that the environment takes, bytes; 0 for one segment at a time.
  void set_offload(std::uint32_t bytes) { offload_ = bytes; }
  void set_nodelay(bool on) { nodelay_ = on; }
  /// Appends to the stream.
  void write(std::uint64_t bytes) { end_ += bytes; }
  /// Ends the stream: a FIN is sent after the last byte.
  void finish() { fin_queued_ = true; }

  /// Handles the acknowledgement of a segment: `ack` is in (.., next()]. Returns the newly
  /// acknowledged bytes of the stream.
  std::uint64_t on_ack(const Segment& segment, std::int64_t seq, Position ack);
  /// Sends the data that may be sent now.
  void output();
  /// The SYN was not answered in time.
  void back_off() { rtt_.back_off(); }
  /// Returns false if the connection must be given up.
  bool on_retransmit_timer();
  bool on_persist_timer();
  /// The environment has room again.
  void on_room() { blocked_ = false; }

  Position una() const { return una_; }
  Position next() const { return next_; }
  /// First position above all that may be acknowledged, the byte of a window probe included.
  Position highest() const { return next_ + (probing_ ? 1 : 0); }
  bool everything_acked() const { return una_ == next_; }
  bool fin_acked() const { return fin_sent_ && una_ == end_ + 1; }
  bool fin_queued() const { return fin_queued_; }
  std::uint64_t unsent() const { return end_ - std::min(end_, std::max<Position>(next_, 1)); }
  std::uint64_t unacked() const { return end_ - std::min(end_, std::max<Position>(una_, 1)); }
  std::uint64_t largest_window() const { return peer_.largest(); }
  std::uint64_t window() const { return peer_.edge() > next_ ? peer_.edge() - next_ : 0; }
  std::uint32_t mss() const { return mss_; }
  const CongestionControl& control() const { return *control_; }
  const Recovery& recovery() const { return recovery_; }
  const RttEstimator& rtt() const { return rtt_; }
  std::size_t heap_bytes() const { return recovery_.board().heap_bytes(); }

 private:
  friend class Move;
  enum class Sent : std::uint8_t { kNothing, kSome, kBlocked };

  std::uint64_t take_sacks(const Segment& segment, Position ack, Range64& dsack);
  std::uint64_t take_rtt(const Segment& segment, Position ack, std::uint64_t now);
  void restart_timer();
  Sent send_new(std::uint64_t room);
  std::uint32_t piece(std::uint64_t data, std::uint64_t room, std::uint32_t limit) const;
  bool worth_sending(std::uint64_t bytes, std::uint64_t data, std::uint32_t limit) const;
  bool resend(Range64 hole);
  void before_new_data(std::uint64_t now);
  void account(Position begin, std::uint32_t bytes, bool fin, std::uint32_t limit,
               std::uint64_t now);
  void watch_use(std::uint64_t now);
  void arm_persist();
  std::uint64_t persist_interval() const;

  const TcpConfig& config_;
  Environment& environment_;
  Timers& timers_;
  Outbox& outbox_;
  Timestamps& timestamps_;
  Stats& stats_;
  std::unique_ptr<CongestionControl> control_;
  Recovery recovery_;
  RttEstimator rtt_;

  std::uint32_t mss_ = 1;
  bool sack_ = false;
  std::uint32_t offload_ = 0;
  bool nodelay_ = false;
  Position una_ = 0;
  Position next_ = 0;  // never taken back
  Position end_ = 1;   // after the last written byte: the position of the FIN
  bool fin_queued_ = false;
  bool fin_sent_ = false;
  bool blocked_ = false;
  bool cwnd_limited_ = false;
  PeerWindow peer_;
  Position last_short_ = 0;
  // Timing of one segment a round trip (RFC 6298, 3, without timestamps).
  bool timing_ = false;
  Position timed_end_ = 0;
  std::uint64_t timed_at_ = 0;
  std::uint32_t retries_ = 0;
  bool syn_again_ = false;
  // Idle and unused windows.
  std::uint64_t last_sent_ = 0;
  std::uint64_t used_since_ = 0;
  std::uint64_t most_used_ = 0;
  // Zero windows.
  bool probing_ = false;
  std::uint32_t probes_ = 0;  // since the peer was last heard
  std::uint32_t persist_backoff_ = 0;
};

}  // namespace longhaul::tcp
