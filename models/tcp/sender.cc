// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/sender.h"

#include <algorithm>

#include "models/tcp/congestion/control_type.h"

namespace longhaul::tcp {

Sender::Sender(const TcpConfig& config, Environment& environment, Timers& timers, Outbox& outbox,
               Timestamps& timestamps, Stats& stats)
    : config_(config),
      environment_(environment),
      timers_(timers),
      outbox_(outbox),
      timestamps_(timestamps),
      stats_(stats),
      control_(make_congestion_control(config)),
      recovery_(config, *control_, stats),
      rtt_(config) {}

void Sender::syn_sent(std::uint64_t now, bool again) {
  next_ = 1;
  syn_again_ = syn_again_ || again;
  timing_ = !again;
  timed_end_ = 1;
  timed_at_ = now;
  timers_.set(Timer::kRetransmit, fires_at(now, rtt_.rto(), config_.timer_tick));
}

void Sender::start(std::uint32_t mss, bool sack, std::uint8_t peer_shift) {
  mss_ = mss;
  sack_ = sack;
  peer_.set_shift(peer_shift);
  const std::uint64_t now = environment_.now();
  if (timing_) rtt_.sample(timed_at_, now, config_.rtt_tick);
  timing_ = false;
  una_ = 1;
  retries_ = 0;
  rtt_.end_back_off();
  control_->start(mss);
  if (syn_again_) control_->set_cwnd(mss);  // RFC 5681, 3.1: one segment after a lost SYN
  recovery_.start(mss, sack, una_);
  last_sent_ = now;
  used_since_ = now;
  timers_.cancel(Timer::kRetransmit);
}

std::uint64_t Sender::take_sacks(const Segment& segment, Position ack, Range64& dsack) {
  Scoreboard& board = recovery_.board();
  const std::uint32_t iss = outbox_.iss();
  const auto range = [&](std::size_t i) {
    const SackBlock& block = segment.options.sack[i];
    const std::int64_t begin = from_wire(iss, block.begin, una_);
    const std::int64_t end = from_wire(iss, block.end, una_);
    if (begin < 0 || begin >= end || static_cast<Position>(end) > next_) return Range64{};
    return Range64{static_cast<Position>(begin), static_cast<Position>(end)};
  };
  std::uint64_t found = 0;
  const Position highest = board.highest_sacked();
  for (std::size_t i = 0; i < segment.options.sack_count; ++i) {
    Range64 block = range(i);
    if (block.bytes() == 0) continue;
    if (i == 0) {
      // RFC 2883, 4: a duplicate is reported first, below the ACK or inside the second block.
      const Range64 second = segment.options.sack_count > 1 ? range(1) : Range64{};
      if (block.begin < ack ||
          (second.bytes() != 0 && second.begin <= block.begin && block.end <= second.end)) {
        dsack = block;
        continue;
      }
    }
    block.begin = std::max(block.begin, std::max(una_, ack));
    if (block.begin >= block.end) continue;
    // The hole below the block was overtaken if it was never retransmitted.
    const Position late = board.first_missing(block.begin);
    const bool overtaken = late < block.end && late < highest && late >= board.retransmitted_to();
    const std::uint64_t fresh = board.sack(block.begin, block.end);
    if (overtaken) board.saw_reordering(highest - late);
    found += fresh;
  }
  return found;
}

std::uint64_t Sender::take_rtt(const Segment& segment, Position ack, std::uint64_t now) {
  if (timestamps_.on() && segment.options.timestamps) {
    timing_ = timing_ && ack < timed_end_;
    if (segment.options.ts_echo == 0) return 0;
    const std::uint64_t rtt = timestamps_.since(segment.options.ts_echo, now);
    rtt_.take(rtt, config_.timestamp_tick);
    return rtt;
  }
  if (!timing_ || ack < timed_end_) return 0;
  timing_ = false;
  return rtt_.sample(timed_at_, now, config_.rtt_tick);
}

std::uint64_t Sender::on_ack(const Segment& segment, std::int64_t seq, Position ack) {
  probes_ = 0;
  if (ack > next_) next_ = ack;  // the byte of a window probe was taken
  if (ack < una_) return 0;
  const bool window_changed = peer_.take(segment, seq, ack);
  if (una_ == next_ && ack == una_) return 0;  // nothing outstanding

  AckOutcome outcome;
  outcome.now = environment_.now();
  outcome.flight = next_ - una_ + recovery_.board().padding();
  outcome.next = next_;
  Scoreboard& board = recovery_.board();
  const std::uint64_t sacked_before = board.sacked_bytes();
  const Position highest_before = board.highest_sacked();
  std::uint64_t found = 0;
  if (sack_ && segment.options.sack_count > 0) found = take_sacks(segment, ack, outcome.dsack);
  outcome.sacked = found;
  outcome.acked = ack - una_;
  outcome.una = ack;
  if (outcome.acked > 0) {
    // The hole at una was filled without a retransmission, after data above it: reordering.
    if (highest_before > ack && board.retransmitted_to() == una_)
      board.saw_reordering(highest_before - una_);
    outcome.rtt = take_rtt(segment, ack, outcome.now);
    board.advance(ack);
    una_ = ack;
    probing_ = false;
    retries_ = 0;
    if (outcome.rtt != 0)
      rtt_.end_back_off();  // Karn: a retransmitted segment gives no sample (RFC 6298, 5)
  }
  outcome.delivered = outcome.acked + board.sacked_bytes() - sacked_before;
  outcome.duplicate =
      outcome.acked == 0 && (sack_ ? found > 0 : segment.sequence_length() == 0 && !window_changed);
  outcome.can_send_new = window() > 0 && unsent() > 0;
  outcome.echoes = timestamps_.on() && segment.options.timestamps;
  outcome.ts_echo = segment.options.ts_echo;
  recovery_.on_ack(outcome);
  if (outcome.acked > 0) {
    if (una_ == next_) {
      timers_.cancel(Timer::kRetransmit);
    } else if (recovery_.restarts_timer()) {
      restart_timer();
    }
  }
  return std::min(una_, end_) - std::min(una_ - outcome.acked, end_);
}

void Sender::restart_timer() {
  timers_.set(Timer::kRetransmit, fires_at(environment_.now(), rtt_.rto(), config_.timer_tick));
}

bool Sender::on_retransmit_timer() {
  if (una_ == next_) return true;
  if (++retries_ > config_.data_retries) return false;
  timing_ = false;  // Karn
  recovery_.on_timeout(environment_.now(), una_, next_);
  rtt_.back_off();
  restart_timer();
  return true;
}

std::uint64_t Sender::persist_interval() const {
  const std::uint64_t base = std::clamp(rtt_.rto(), config_.persist_min, config_.persist_max);
  return persist_backoff_ >= 32 || base > (config_.persist_max >> persist_backoff_)
             ? config_.persist_max
             : base << persist_backoff_;
}

void Sender::arm_persist() {
  if (timers_.running(Timer::kPersist)) return;
  timers_.set(Timer::kPersist,
              fires_at(environment_.now(), persist_interval(), config_.timer_tick));
}

bool Sender::on_persist_timer() {
  if (una_ != next_ || unsent() == 0) return true;
  if (++probes_ > config_.window_probes) return false;
  ++persist_backoff_;
  ++stats_.window_probes;
  const std::uint64_t open = window();
  if (open > 0) {
    // RFC 9293, 3.8.6.2.1, (4), override: sends the data that fits, even a small segment.
    const std::uint32_t limit = outbox_.payload_limit();
    auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>({open, unsent(), limit}));
    std::uint8_t flags = kPsh;
    if (outbox_.send_data(flags, next_, bytes))
      account(next_, bytes, false, limit, environment_.now());
  } else if (config_.window_probe == WindowProbe::kByte) {
    probing_ = outbox_.send(kPsh, next_, 1) || probing_;
  } else {
    outbox_.send(0, next_ - 1, 0);  // an old number, which must be answered
  }
  if (una_ == next_) arm_persist();
  return true;
}

}  // namespace longhaul::tcp
