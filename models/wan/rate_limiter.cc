// SPDX-License-Identifier: Apache-2.0
#include "models/wan/rate_limiter.h"

#include <algorithm>

namespace longhaul {

void RateLimiter::set(BitRate rate, Mode mode, Bytes burst, Bytes queue) {
  if (rate.bits_per_s != 0 && !(rate == rate_)) {
    const std::uint64_t until_ps = debt_.ceil_ps();
    debt_ = OctetClock(OctetTime::of(rate.bits_per_s));
    debt_.reset(until_ps);
  }
  rate_ = rate;
  mode_ = mode;
  burst_ = burst;
  queue_ = queue;
}

std::optional<std::uint64_t> RateLimiter::pass(std::uint32_t octets, std::uint64_t now_ps) {
  if (!active()) {
    last_leaves_ps_ = std::max(last_leaves_ps_, now_ps);  // order holds across a change of the rate
    return last_leaves_ps_;
  }
  debt_.begin(now_ps);
  const std::uint64_t spare_octets = std::max<std::uint64_t>(burst_.count, octets) - octets;
  const std::uint64_t spare_ps = debt_.octet().length_ps(spare_octets);
  const std::uint64_t debt_ps = debt_.ceil_ps();
  const std::uint64_t leaves_ps =
      std::max({now_ps, last_leaves_ps_, debt_ps > spare_ps ? debt_ps - spare_ps : 0});
  if (leaves_ps > now_ps) {
    if (mode_ == Mode::kPolice || backlog(now_ps) + octets > queue_.count) return std::nullopt;
    waiting_.push_back({leaves_ps, octets});
    waiting_octets_ += octets;
  }
  debt_.advance(octets);
  last_leaves_ps_ = leaves_ps;
  return leaves_ps;
}

std::uint64_t RateLimiter::backlog(std::uint64_t now_ps) {
  while (!waiting_.empty() && waiting_.front().leaves_ps <= now_ps)
    waiting_octets_ -= waiting_.pop_front().octets;
  return waiting_octets_;
}

}  // namespace longhaul
