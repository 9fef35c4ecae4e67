// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/rtt_estimator.h"

#include <algorithm>

namespace longhaul::tcp {

std::uint64_t RttEstimator::sample(std::uint64_t sent, std::uint64_t now, std::uint64_t tick) {
  std::uint64_t rtt = now - sent;
  if (tick != 0) rtt = std::max<std::uint64_t>(now / tick - sent / tick, 1) * tick;
  take(rtt, tick);
  return rtt;
}

void RttEstimator::take(std::uint64_t rtt, std::uint64_t tick) {
  granularity_ = tick;
  least_ = measured_ ? std::min(least_, rtt) : rtt;
  if (!measured_) {
    measured_ = true;
    srtt_ = rtt;
    rttvar_ = rtt / 2;
    return;
  }
  // RTTVAR before SRTT, beta 1/4, alpha 1/8 (RFC 6298, 2.3).
  const std::uint64_t off = srtt_ > rtt ? srtt_ - rtt : rtt - srtt_;
  rttvar_ = rttvar_ - rttvar_ / 4 + off / 4;
  srtt_ = srtt_ - srtt_ / 8 + rtt / 8;
}

void RttEstimator::back_off() {
  if (rto() < config_.rto_max) ++backed_off_;
}

std::uint64_t RttEstimator::rto() const {
  std::uint64_t base = config_.rto_initial;
  if (measured_) {
    std::uint64_t spread = std::max(4 * rttvar_, granularity_);
    if (config_.rto_min_on_variance) spread = std::max(spread, config_.rto_min);
    base = srtt_ + spread;
    if (!config_.rto_min_on_variance) base = std::max(base, config_.rto_min);
  }
  base = std::min(base, config_.rto_max);
  // backed_off_ stops growing at the limit: the shift cannot overflow before it.
  return backed_off_ >= 32 || base > (config_.rto_max >> backed_off_) ? config_.rto_max
                                                                      : base << backed_off_;
}

}  // namespace longhaul::tcp
