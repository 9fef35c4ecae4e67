// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/config.h"
#include "models/tcp/congestion/congestion_control.h"
#include "models/tcp/range_set.h"
#include "models/tcp/scoreboard.h"
#include "models/tcp/segment.h"
#include "models/tcp/stats.h"

namespace longhaul::tcp {

/// The changes by an acceptable ACK, which the sender computes before recovery decides.
struct AckOutcome {
  std::uint64_t now = 0;
  Position una = 0;             ///< after the ACK
  Position next = 0;            ///< first position never sent
  std::uint64_t acked = 0;      ///< bytes by which una moved
  std::uint64_t delivered = 0;  ///< newly known to be at the receiver: acked or SACKed, each byte
                                ///< once
  std::uint64_t sacked = 0;     ///< by SACK alone, bytes
  std::uint64_t flight = 0;     ///< outstanding before the ACK, in the count of the congestion
                                ///< window
  std::uint64_t rtt = 0;        ///< sample, ps; 0 without a sample
  bool duplicate = false;       ///< RFC 5681, 2; with SACK: RFC 6675, 2
  bool can_send_new = false;    ///< unsent data within the peer's window
  bool echoes = false;          ///< ts_echo is valid
  std::uint32_t ts_echo = 0;
  Range64 dsack;  ///< duplicate that the receiver reported; empty without a report
};

/// Loss recovery of a sender: when to retransmit which data, and how much may be in the network
/// meanwhile.
///
/// Duplicate ACKs and fast recovery (RFC 5681, 6582), SACK (RFC 6675), limited transmit (RFC 3042),
/// timeouts and F-RTO (RFC 5682), undo by D-SACK and timestamps (RFC 2883, 3522). The window is
/// reduced at once, by PRR (RFC 6937) or by rate halving.
class Recovery {
 public:
  enum class Phase : std::uint8_t { kOpen, kRecovery, kFrto, kLoss };

  Recovery(const TcpConfig& config, CongestionControl& control, Stats& stats)
      : config_(config), control_(control), stats_(stats), board_(config) {}

  void start(std::uint32_t mss, bool sack, Position una);
  void on_ack(const AckOutcome& ack);
  /// The retransmission timer expired with [una, next) outstanding.
  void on_timeout(std::uint64_t now, Position una, Position next);
  /// The sending queue was full with [una, next) outstanding.
  void on_local_congestion(std::uint64_t now, Position una, Position next);

  /// Continues behind another sender, which has counted so many duplicate ACKs.
  void resume(std::uint32_t duplicates) {
    duplicates_ = duplicates;
    if (!sack_) left_ = std::uint64_t{duplicates} * mss_;
  }
  std::uint32_t duplicates() const { return duplicates_; }

  Phase phase() const { return phase_; }
  Scoreboard& board() { return board_; }
  const Scoreboard& board() const { return board_; }
  /// Bytes that the congestion window allows to be sent now.
  std::uint64_t room(Position next) const;
  /// Whether the first lost hole is sent regardless of the window.
  bool forced() const { return forced_; }
  void clear_forced() { forced_ = false; }
  /// The lost range to retransmit first: RFC 6675, NextSeg (1). Empty if there is none.
  Range64 lost_hole(Position next) const;
  /// The range to retransmit if nothing is lost and there are no new data: NextSeg (3) and (4).
  /// Empty if there is none.
  Range64 spare_hole(Position next) const;
  /// [begin, end) was retransmitted with this timestamp, while `next` was the first position never
  /// sent.
  void on_retransmit(Position begin, Position end, Position next, std::uint32_t ts_value);
  /// `bytes` of new data were sent.
  void on_new_data(std::uint64_t bytes);
  /// Whether the last ACK restarts the retransmission timer (RFC 6582's impatient variant does not
  /// restart it).
  bool restarts_timer() const { return restarts_timer_; }

 private:
  void open_ack(const AckOutcome& ack);
  void recovery_ack(const AckOutcome& ack);
  void frto_ack(const AckOutcome& ack);
  void loss_ack(const AckOutcome& ack);
  bool should_enter(const AckOutcome& ack) const;
  void enter(const AckOutcome& ack);
  void start_over(const AckOutcome& ack);
  void leave(const AckOutcome& ack);
  void reduce_cwnd(const AckOutcome& ack, std::uint64_t delivered);  // by the reduction policy
  void conventional();  // F-RTO decided: the timeout was right
  bool undone(const AckOutcome& ack);
  void undo(const AckOutcome& ack);
  void moderate(std::uint64_t cwnd, Position next);
  std::uint64_t in_flight(Position next) const;
  void remember(Position una);

  const TcpConfig& config_;
  CongestionControl& control_;
  Stats& stats_;
  Scoreboard board_;
  std::uint32_t mss_ = 1;
  bool sack_ = false;
  Phase phase_ = Phase::kOpen;
  Position una_ = 0;
  Position recover_ = 0;  // everything below was sent before the episode began
  std::uint32_t duplicates_ = 0;
  std::uint64_t left_ = 0;  // without SACK: bytes that have left the network by the count of
                            // duplicate ACKs
  // New data sent on duplicate ACKs; not part of the flight that is halved.
  std::uint64_t limited_sent_ = 0;
  bool forced_ = false;
  bool restarts_timer_ = true;
  bool partial_seen_ = false;
  Position rescued_ = 0;      // RescueRxt: only one rescue until this is acknowledged
  Position local_until_ = 0;  // only one reduction for a full sending queue until this is
                              // acknowledged
  // The timeout.
  Position timed_out_una_ = ~0ULL;
  std::uint32_t frto_step_ = 0;
  std::uint64_t frto_room_ = 0;
  // Reduction.
  std::uint64_t prr_delivered_ = 0;
  std::uint64_t prr_out_ = 0;
  std::uint64_t prr_flight_ = 1;
  bool second_ack_ = false;  // rate halving
  // Undo.
  bool can_undo_ = false;
  bool any_retransmitted_ = false;
  Position undo_from_ = 0;
  std::uint64_t undo_bytes_ = 0;  // retransmitted and not yet reported as duplicates
  std::uint32_t first_ts_ = 0;    // timestamp of the first retransmission
};

}  // namespace longhaul::tcp
