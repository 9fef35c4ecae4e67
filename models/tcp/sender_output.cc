// SPDX-License-Identifier: Apache-2.0
// Decisions of the sender about the next segments to send.
#include <algorithm>

#include "models/tcp/sender.h"

namespace longhaul::tcp {

void Sender::output() {
  if (blocked_) return;
  cwnd_limited_ = false;
  std::uint32_t burst = config_.burst == Burst::kLimit ? config_.burst_segments : ~0U;
  for (; burst > 0; --burst) {
    const std::uint64_t room = recovery_.room(next_);
    const Range64 hole = recovery_.lost_hole(next_);
    if (hole.bytes() != 0) {  // RFC 6675, NextSeg (1)
      if (!recovery_.forced() && room < mss_) break;
      if (!resend(hole)) break;
      continue;
    }
    recovery_.clear_forced();
    const Sent sent = send_new(room);  // (2)
    if (sent == Sent::kSome) continue;
    if (sent == Sent::kBlocked || room < mss_) break;
    const Range64 spare = recovery_.spare_hole(next_);  // (3), (4)
    if (spare.bytes() == 0 || !resend(spare)) break;
  }
  if (una_ != next_) {
    timers_.cancel(Timer::kPersist);
    persist_backoff_ = 0;
    if (!timers_.running(Timer::kRetransmit)) restart_timer();
  } else if (unsent() > 0 && !blocked_) {
    arm_persist();  // the window, or silly window avoidance, stops all data
  }
  watch_use(environment_.now());
}

bool Sender::resend(Range64 hole) {
  // Does not send beyond a window that was reduced, except the first segment, which probes the
  // window.
  if (hole.begin != una_ && hole.begin >= peer_.edge()) return false;
  const std::uint32_t limit = outbox_.payload_limit();
  const Position last = std::min(hole.end, hole.begin + limit);
  const bool fin = fin_sent_ && last == end_ + 1;
  auto bytes = static_cast<std::uint32_t>(last - hole.begin - (fin ? 1 : 0));
  std::uint8_t flags = last >= end_ ? kPsh : 0;
  if (fin) flags = static_cast<std::uint8_t>(flags | kFin);
  if (!outbox_.send_data(flags, hole.begin, bytes)) {
    blocked_ = true;
    return false;
  }
  const Position end = hole.begin + bytes + ((flags & kFin) != 0 ? 1 : 0);
  const std::uint64_t now = environment_.now();
  recovery_.on_retransmit(hole.begin, end, next_, timestamps_.value(now));
  ++stats_.retransmitted_segments;
  stats_.retransmitted_bytes += bytes;
  if (timing_ && hole.begin < timed_end_) timing_ = false;  // Karn
  last_sent_ = now;
  return true;
}

std::uint32_t Sender::piece(std::uint64_t data, std::uint64_t room, std::uint32_t limit) const {
  std::uint64_t bytes = std::min(data, window());
  if (bytes <= limit) return static_cast<std::uint32_t>(bytes);
  std::uint64_t most = std::max(offload_, limit);
  if (config_.offload_divisor != 0)
    most = std::min(most, control_->cwnd() / config_.offload_divisor);
  bytes = std::min({bytes, most, room / mss_ * limit});
  bytes = std::max<std::uint64_t>(bytes, limit);
  return static_cast<std::uint32_t>(bytes < data ? bytes - bytes % limit : bytes);
}

bool Sender::worth_sending(std::uint64_t bytes, std::uint64_t data, std::uint32_t limit) const {
  if (bytes >= limit) return true;
  if (bytes == data) {
    if (nodelay_ || config_.nagle == Nagle::kOff || fin_queued_ || una_ == next_) return true;
    if (config_.nagle == Nagle::kMinshall && last_short_ <= una_) return true;
  }
  // RFC 9293, 3.8.6.2.1, (3).
  return bytes > 0 &&
         static_cast<double>(bytes) >= config_.sws_share * static_cast<double>(peer_.largest());
}

Sender::Sent Sender::send_new(std::uint64_t room) {
  const std::uint64_t data = unsent();
  const bool fin_waits = fin_queued_ && !fin_sent_;
  if (data == 0 && !fin_waits) return Sent::kNothing;
  const std::uint64_t now = environment_.now();
  if (una_ == next_) {
    before_new_data(now);
    room = recovery_.room(next_);
  }
  const std::uint32_t limit = outbox_.payload_limit();
  std::uint32_t bytes = piece(data, room, limit);
  if (data > 0) {
    if (bytes == 0 || !worth_sending(bytes, data, limit)) return Sent::kNothing;
    const std::uint64_t need =
        config_.cwnd_unit == CwndUnit::kSegments ? mss_ : std::min(bytes, mss_);
    if (room < need) {
      cwnd_limited_ = true;
      return Sent::kNothing;
    }
  }
  const bool last = bytes == data;
  std::uint8_t flags = last && data > 0 ? kPsh : 0;
  if (last && fin_waits) flags = static_cast<std::uint8_t>(flags | kFin);
  if (!outbox_.send_data(flags, next_, bytes)) {
    blocked_ = true;
    recovery_.on_local_congestion(now, una_, next_);
    return Sent::kBlocked;
  }
  account(next_, bytes, (flags & kFin) != 0, limit, now);
  return Sent::kSome;
}

void Sender::account(Position begin, std::uint32_t bytes, bool fin, std::uint32_t limit,
                     std::uint64_t now) {
  next_ = begin + bytes + (fin ? 1 : 0);
  fin_sent_ = fin_sent_ || fin;
  probing_ = false;
  recovery_.on_new_data(bytes);
  if (bytes % limit != 0) {
    last_short_ = next_;
    if (config_.cwnd_unit == CwndUnit::kSegments)
      recovery_.board().sent_short(next_, limit - bytes % limit);
  }
  if (!timing_) {
    timing_ = true;
    timed_end_ = next_;
    timed_at_ = now;
  }
  last_sent_ = now;
}

void Sender::before_new_data(std::uint64_t now) {
  const std::uint64_t idle = now - last_sent_;
  if (idle > rtt_.rto()) {
    control_->on_idle(idle, rtt_.rto());
    last_sent_ = now;
    used_since_ = now;
    most_used_ = 0;
  }
}

void Sender::watch_use(std::uint64_t now) {
  if (config_.idle != Idle::kDecay) return;
  const std::uint64_t used = next_ - una_ + recovery_.board().padding();
  if (cwnd_limited_ || used + mss_ > control_->cwnd()) {
    used_since_ = now;
    most_used_ = 0;
    return;
  }
  most_used_ = std::max(most_used_, used);
  if (used_since_ + rtt_.rto() > now) return;
  control_->on_unused(most_used_);
  used_since_ = now;
  most_used_ = 0;
}

}  // namespace longhaul::tcp
