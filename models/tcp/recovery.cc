// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/recovery.h"

#include <algorithm>

#include "models/common/wide_math.h"

namespace longhaul::tcp {

void Recovery::start(std::uint32_t mss, bool sack, Position una) {
  mss_ = mss;
  sack_ = sack;
  una_ = una;
  board_.start(mss);
  board_.advance(una);
  board_.begin_episode();
}

void Recovery::on_ack(const AckOutcome& ack) {
  una_ = ack.una;
  restarts_timer_ = true;
  if (ack.duplicate) ++stats_.duplicate_acks;
  if (undone(ack)) undo(ack);
  switch (phase_) {
    case Phase::kOpen: open_ack(ack); break;
    case Phase::kRecovery: recovery_ack(ack); break;
    case Phase::kFrto: frto_ack(ack); break;
    case Phase::kLoss: loss_ack(ack); break;
  }
  if (phase_ == Phase::kOpen && should_enter(ack)) enter(ack);
}

void Recovery::open_ack(const AckOutcome& ack) {
  if (ack.duplicate) {
    ++duplicates_;
    if (!sack_) left_ += mss_;
  }
  if (ack.acked == 0) return;
  duplicates_ = 0;
  left_ = 0;
  limited_sent_ = 0;
  const bool limited = ack.flight + mss_ > control_.cwnd();
  control_.on_ack({ack.now, ack.acked, ack.flight, ack.rtt},
                  limited || !config_.grow_only_when_limited);
}

bool Recovery::should_enter(const AckOutcome& ack) const {
  if (ack.next == ack.una) return false;
  if (sack_) return duplicates_ >= board_.threshold() || board_.is_lost(ack.una);
  // RFC 6582, 3.2, (1): not for duplicates that the last recovery's own retransmissions caused.
  return duplicates_ >= board_.threshold() && ack.una > recover_;
}

void Recovery::remember(Position una) {
  can_undo_ = true;
  any_retransmitted_ = false;
  undo_from_ = una;
  undo_bytes_ = 0;
}

/// Tahoe: a loss that duplicate ACKs show is handled as the timer's, at once (Jacobson 1988). With
/// Reduction::kNone only what is sent again is the same.
void Recovery::start_over(const AckOutcome& ack) {
  if (config_.reduction == Reduction::kTahoe)
    control_.on_timeout(ack.now, ack.next - ack.una, true);
  can_undo_ = false;
  if (!config_.sack_survives_timeout) board_.forget_sacks();
  duplicates_ = 0;
  left_ = 0;
  limited_sent_ = 0;
  recover_ = ack.next;
  rescued_ = 0;
  board_.begin_episode();
  forced_ = true;
  phase_ = Phase::kLoss;
  board_.clear_lost();
  board_.mark_lost_below(ack.next);
}

void Recovery::enter(const AckOutcome& ack) {
  ++stats_.recoveries;
  if (config_.reduction == Reduction::kTahoe || config_.reduction == Reduction::kNone)
    return start_over(ack);
  phase_ = Phase::kRecovery;
  recover_ = ack.next;
  partial_seen_ = false;
  rescued_ = 0;
  remember(ack.una);
  const std::uint64_t flight = ack.next - ack.una;
  control_.on_recovery(ack.now, flight - std::min(limited_sent_, flight));
  limited_sent_ = 0;
  board_.begin_episode();
  board_.mark_lost_below(std::min(ack.una + mss_, ack.next));
  forced_ = true;
  second_ack_ = false;
  prr_delivered_ = 0;
  prr_out_ = 0;
  prr_flight_ = flight;
  if (config_.reduction == Reduction::kImmediate) control_.set_cwnd(control_.ssthresh());
  reduce_cwnd(ack, sack_ ? ack.delivered : mss_);
}

void Recovery::reduce_cwnd(const AckOutcome& ack, std::uint64_t delivered) {
  const std::uint64_t pipe = in_flight(ack.next);
  if (config_.reduction == Reduction::kRateHalving) {
    // Reduces cwnd by one segment for every second ACK. cwnd stays at most one segment above the
    // data in flight.
    std::uint64_t cwnd = control_.cwnd();
    if (second_ack_ && cwnd > control_.halving_floor())
      cwnd = std::max(cwnd - mss_, control_.halving_floor());
    second_ack_ = !second_ack_;
    control_.set_cwnd(std::min(cwnd, pipe + mss_));
  } else if (config_.reduction == Reduction::kPrr) {
    // RFC 6937, 3, with the slow-start reduction bound.
    prr_delivered_ += delivered;
    std::uint64_t may_send = 0;
    if (pipe > control_.ssthresh()) {
      const std::uint64_t target =
          times_over(prr_delivered_, control_.ssthresh(), prr_flight_ - 1, prr_flight_);
      may_send = target > prr_out_ ? target - prr_out_ : 0;
    } else {
      const std::uint64_t owed = prr_delivered_ > prr_out_ ? prr_delivered_ - prr_out_ : 0;
      may_send = std::min(control_.ssthresh() - pipe, std::max(owed, delivered) + mss_);
    }
    control_.set_cwnd(pipe + may_send);
  }
}

void Recovery::recovery_ack(const AckOutcome& ack) {
  if (ack.sacked > 0) stats_.lost_retransmissions += board_.find_lost_retransmissions();
  std::uint64_t delivered = ack.delivered;
  if (ack.duplicate) {
    ++duplicates_;
    if (!sack_) {
      left_ += mss_;
      delivered = mss_;
    }
  }
  if (ack.acked > 0) {
    control_.on_ack({ack.now, ack.acked, ack.flight, ack.rtt, true}, false);
    if (ack.una >= recover_ || !config_.partial_ack_stays) return leave(ack);
    if (!sack_) {
      // A partial ACK (RFC 6582, 3.2, (3)) fills one hole. The other bytes it acknowledges had
      // already left the network. The next hole is sent.
      const std::uint64_t known = std::min(left_, ack.acked > mss_ ? ack.acked - mss_ : 0);
      left_ -= known;
      delivered = ack.acked - known;
      board_.mark_lost_below(std::min(ack.una + mss_, ack.next));
      forced_ = true;
      restarts_timer_ = !(config_.impatient && partial_seen_);
      partial_seen_ = true;
    }
  }
  if (ack.acked > 0 || ack.duplicate) reduce_cwnd(ack, delivered);
}

void Recovery::moderate(std::uint64_t cwnd, Position next) {
  if (config_.burst == Burst::kModerate) {
    const std::uint64_t flight = std::max<std::uint64_t>(in_flight(next), mss_);
    cwnd = std::min(cwnd, flight + std::uint64_t{config_.burst_segments} * mss_);
  }
  control_.on_leave(cwnd);
}

void Recovery::leave(const AckOutcome& ack) {
  phase_ = Phase::kOpen;
  duplicates_ = 0;
  left_ = 0;
  limited_sent_ = 0;
  forced_ = false;
  board_.clear_lost();
  const bool halved = config_.reduction == Reduction::kRateHalving;
  moderate(halved ? std::min(control_.cwnd(), control_.ssthresh()) : control_.ssthresh(), ack.next);
}

void Recovery::on_timeout(std::uint64_t now, Position una, Position next) {
  ++stats_.timeouts;
  const bool again = (phase_ == Phase::kLoss || phase_ == Phase::kFrto) && timed_out_una_ == una;
  // RFC 5682, 2.1, (1): not while an earlier timeout is being recovered from.
  const bool probe = config_.frto && phase_ != Phase::kLoss && phase_ != Phase::kFrto;
  const bool reduced = phase_ == Phase::kRecovery && !config_.timeout_reduces_again;
  control_.on_timeout(now, next - una, !again && !reduced);
  if (again) {
    can_undo_ = false;
  } else if (!reduced) {  // else keep the remembered state: one reduction, one undo
    remember(una);
  }
  timed_out_una_ = una;
  if (!config_.sack_survives_timeout || board_.reneged()) board_.forget_sacks();
  duplicates_ = 0;
  left_ = 0;
  limited_sent_ = 0;
  recover_ = next;
  rescued_ = 0;
  board_.begin_episode();
  forced_ = true;
  phase_ = probe ? Phase::kFrto : Phase::kLoss;
  frto_step_ = 1;
  frto_room_ = 0;
  board_.clear_lost();
  board_.mark_lost_below(probe ? std::min(una + mss_, next) : next);
}

void Recovery::frto_ack(const AckOutcome& ack) {
  if (ack.acked == 0 && !ack.duplicate) return;
  if (frto_step_ == 1) {
    // RFC 5682, 2.1, (2): the test continues only if the ACK advances, but does not cover all data
    // sent before the timeout.
    if (ack.acked == 0 || ack.una >= recover_ || !ack.can_send_new) {
      conventional();
      return loss_ack(ack);
    }
    frto_step_ = 2;
    frto_room_ = 2ULL * mss_;
    return;
  }
  if (ack.acked == 0) {  // (3a)
    control_.set_cwnd(3ULL * mss_);
    conventional();
    return;
  }
  // (3b): segments that were never retransmitted are acknowledged, the timeout was spurious.
  ++stats_.spurious_timeouts;
  undo(ack);
}

void Recovery::conventional() {
  phase_ = Phase::kLoss;
  frto_room_ = 0;
  board_.mark_lost_below(recover_);
}

void Recovery::loss_ack(const AckOutcome& ack) {
  if (ack.acked == 0) {
    const bool again = config_.reduction == Reduction::kNone && ack.duplicate &&
                       ++duplicates_ >= board_.threshold();
    if (again) start_over(ack);
    return;
  }
  duplicates_ = 0;
  control_.on_ack({ack.now, ack.acked, ack.flight, ack.rtt, true}, true);
  if (ack.una < recover_) return;
  phase_ = Phase::kOpen;
  duplicates_ = 0;
  left_ = 0;
  forced_ = false;
  board_.clear_lost();
}

bool Recovery::undone(const AckOutcome& ack) {
  if (!can_undo_ || !any_retransmitted_) return false;
  if (config_.undo_by_dsack && ack.dsack.bytes() != 0 && ack.dsack.end > undo_from_ &&
      ack.dsack.begin < recover_) {
    undo_bytes_ -= std::min(undo_bytes_, ack.dsack.bytes());
    if (undo_bytes_ == 0) return true;
  }
  // Eifel: the ACK answers the original, whose timestamp is older than the retransmission's.
  return config_.undo_by_timestamps && phase_ != Phase::kOpen && ack.acked > 0 && ack.echoes &&
         static_cast<std::int32_t>(ack.ts_echo - first_ts_) < 0;
}

void Recovery::undo(const AckOutcome& ack) {
  ++stats_.undone;
  can_undo_ = false;
  control_.undo();
  if (phase_ == Phase::kOpen) return;
  phase_ = Phase::kOpen;
  duplicates_ = 0;
  left_ = 0;
  limited_sent_ = 0;
  forced_ = false;
  frto_room_ = 0;
  board_.clear_lost();
  moderate(control_.cwnd(), ack.next);
}

void Recovery::on_local_congestion(std::uint64_t now, Position una, Position next) {
  if (config_.local_congestion == LocalCongestion::kCollapse) {
    control_.set_cwnd(mss_);
  } else if (config_.local_congestion == LocalCongestion::kReduce && phase_ == Phase::kOpen &&
             una >= local_until_) {
    control_.on_recovery(now, next - una);
    control_.set_cwnd(control_.ssthresh());
    local_until_ = next;
  }
}

std::uint64_t Recovery::in_flight(Position next) const {
  if (phase_ != Phase::kOpen) {
    const std::uint64_t pipe = board_.pipe(next);
    return pipe - std::min(left_, pipe);
  }
  const std::uint64_t flight = next - una_ + board_.padding();
  if (!config_.limited_transmit) return flight;
  // RFC 3042: until a loss is certain, data that duplicate ACKs report as received makes room for
  // new data.
  const std::uint64_t gone = sack_ ? board_.sacked_bytes() : left_;
  return flight - std::min<std::uint64_t>({gone, flight, (board_.threshold() - 1ULL) * mss_});
}

std::uint64_t Recovery::room(Position next) const {
  if (phase_ == Phase::kFrto) return frto_room_;
  const std::uint64_t used = in_flight(next);
  return control_.cwnd() > used ? control_.cwnd() - used : 0;
}

Range64 Recovery::lost_hole(Position next) const {
  if (phase_ == Phase::kOpen) return {};
  return board_.next_hole(std::min(board_.lost_edge(), next));
}

Range64 Recovery::spare_hole(Position next) const {
  if (phase_ != Phase::kRecovery || !sack_) return {};
  const Range64 hole = board_.next_hole(board_.highest_sacked());
  if (hole.bytes() != 0) return hole;
  // Rescue retransmission: sends the end of the flight once. It may be lost too, and no SACK could
  // show that.
  const Position begin =
      std::max({board_.highest_sacked(), board_.retransmitted_to(), next > mss_ ? next - mss_ : 0});
  if (una_ < rescued_ || begin >= next) return {};
  return {begin, next};
}

void Recovery::on_retransmit(Position begin, Position end, Position next, std::uint32_t ts_value) {
  forced_ = false;
  if (begin >= board_.highest_sacked() && begin >= board_.lost_edge()) {
    rescued_ = recover_;  // HighRxt stays
  } else {
    board_.retransmitted(begin, end, next);
  }
  prr_out_ += end - begin;
  undo_bytes_ += end - begin;
  if (!any_retransmitted_) first_ts_ = ts_value;
  any_retransmitted_ = true;
}

void Recovery::on_new_data(std::uint64_t bytes) {
  prr_out_ += bytes;
  if (phase_ == Phase::kOpen && duplicates_ > 0) limited_sent_ += bytes;
  frto_room_ -= std::min(frto_room_, bytes);
}

}  // namespace longhaul::tcp
