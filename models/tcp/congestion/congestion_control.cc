// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/congestion/congestion_control.h"

#include <algorithm>

#include "models/tcp/congestion/config.h"

namespace longhaul::tcp {

void CongestionControl::start(std::uint32_t mss) {
  mss_ = mss;
  ssthresh_ = config_.initial_ssthresh;
  if (config_.initial_ssthresh_segments != 0) {
    ssthresh_ = std::min(ssthresh_, std::uint64_t{config_.initial_ssthresh_segments} * mss);
  }
  set_cwnd(initial_window());
}

std::uint64_t CongestionControl::initial_window() const {
  if (config_.initial_window != 0) return std::uint64_t{config_.initial_window} * mss_;
  // RFC 5681, 3.1.
  if (mss_ > 2190) return 2ULL * mss_;
  return (mss_ > 1095 ? 3ULL : 4ULL) * mss_;
}

std::uint64_t CongestionControl::whole(std::uint64_t bytes) const {
  return config_.cwnd_unit == CwndUnit::kSegments ? bytes / mss_ * mss_ : bytes;
}

std::uint64_t CongestionControl::limit() const {
  if (config_.cwnd_limit_segments == 0) return config_.cwnd_limit;
  return std::min(config_.cwnd_limit, std::uint64_t{config_.cwnd_limit_segments} * mss_);
}

void CongestionControl::set_cwnd(std::uint64_t bytes) {
  cwnd_ = std::max<std::uint64_t>(whole(std::min(bytes, limit())), mss_);
}

double CongestionControl::counted(const Acked& ack) const {
  return config_.abc_limit == 0 ? 1.0 : static_cast<double>(ack.bytes) / mss_;
}

void CongestionControl::gain(double segments) {
  credit_ += segments;
  const double unit = config_.cwnd_unit == CwndUnit::kSegments ? 1.0 : 1.0 / mss_;
  const auto units = static_cast<std::uint64_t>(credit_ / unit);
  if (units == 0) return;
  credit_ -= static_cast<double>(units) * unit;
  set_cwnd(cwnd_ + (config_.cwnd_unit == CwndUnit::kSegments ? units * mss_ : units));
}

void CongestionControl::slow_start(const Acked& ack) {
  if (config_.abc_limit == 0) return set_cwnd(cwnd_ + mss_);
  // RFC 3465, 2.3: L is 1 in the slow start that follows a timeout.
  const std::uint64_t limit = std::uint64_t{after_timeout_ ? 1 : config_.abc_limit} * mss_;
  const std::uint64_t bytes = std::min(ack.bytes, limit);
  if (config_.cwnd_unit == CwndUnit::kBytes) return set_cwnd(cwnd_ + bytes);
  gain(static_cast<double>(bytes) / mss_);
}

void CongestionControl::on_ack(const Acked& ack, bool may_grow) {
  observe(ack);
  if (!may_grow) return;
  if (in_slow_start()) return slow_start(ack);
  after_timeout_ = false;
  avoid(ack);
}

void CongestionControl::remember() {
  prior_cwnd_ = cwnd_;
  prior_ssthresh_ = ssthresh_;
}

void CongestionControl::on_recovery(std::uint64_t now, std::uint64_t flight) {
  remember();
  credit_ = 0;
  ssthresh_ = std::max<std::uint64_t>(whole(reduced(now, flight)), 2ULL * mss_);
}

void CongestionControl::on_timeout(std::uint64_t now, std::uint64_t flight, bool first) {
  if (first) {
    remember();
    ssthresh_ = std::max<std::uint64_t>(whole(reduced(now, flight)), 2ULL * mss_);
  }
  credit_ = 0;
  after_timeout_ = true;
  set_cwnd(mss_);
  timed_out(now);
}

void CongestionControl::on_idle(std::uint64_t idle, std::uint64_t rto) {
  idled(idle);
  if (config_.idle == Idle::kRestart) {
    set_cwnd(std::min(cwnd_, initial_window()));
  } else if (config_.idle == Idle::kDecay) {
    // RFC 2861, 3: ssthresh remembers three quarters, the window halves for every RTO.
    ssthresh_ = std::max(ssthresh_, cwnd_ - cwnd_ / 4);
    const std::uint64_t floor = std::min(cwnd_, initial_window());
    const std::uint64_t halvings = std::min<std::uint64_t>(idle / rto, 63);
    set_cwnd(std::max(cwnd_ >> halvings, floor));
  }
}

void CongestionControl::on_unused(std::uint64_t used) {
  if (config_.idle != Idle::kDecay) return;
  ssthresh_ = std::max(ssthresh_, cwnd_ - cwnd_ / 4);
  set_cwnd(std::max((cwnd_ + used) / 2, std::min(cwnd_, initial_window())));
}

void CongestionControl::undo() {
  set_cwnd(std::max(cwnd_, prior_cwnd_));
  ssthresh_ = prior_ssthresh_;
  after_timeout_ = false;
  undone();
}

}  // namespace longhaul::tcp
