// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "models/tcp/config.h"
#include "models/tcp/congestion/control_type.h"
#include "models/tcp/params.h"
#include "tests/unit/times.h"

namespace longhaul::tcp::rig {

constexpr std::uint32_t kMss = 1448;

/// A policy on an ideal path: full segments, one ACK for each, evenly spaced over a round trip.
class Path {
 public:
  Path(const char* name, double rtt_ms, double start_segments)
      : rtt_(static_cast<std::uint64_t>(rtt_ms * kMs)) {
    TcpParams params;
    params.congestion_control.value = name;
    params.initial_window.value = static_cast<std::uint32_t>(start_segments);
    params.initial_ssthresh.value = {1};  // congestion avoidance from the start
    params.reduce_from.value = "cwnd";
    config_ = std::make_unique<TcpConfig>(resolve(params, "path"));
    control_ = make_congestion_control(*config_);
    control_->start(kMss);
  }

  double window() const { return static_cast<double>(control_->cwnd()) / kMss; }
  double threshold() const { return static_cast<double>(control_->ssthresh()) / kMss; }
  double seconds() const { return static_cast<double>(now_ - start_) / 1e12; }
  CongestionControl& control() { return *control_; }
  void set_rtt(double ms) { rtt_ = static_cast<std::uint64_t>(ms * kMs); }

  void ack(double segments = 1) {
    const auto bytes = static_cast<std::uint64_t>(segments * kMss);
    now_ += rtt_ * bytes / control_->cwnd();
    control_->on_ack({now_, bytes, control_->cwnd(), rtt_}, true);
  }
  void round_trip(double segments = 1) {
    const std::uint64_t end = now_ + rtt_;
    while (now_ < end) ack(segments);
  }
  /// A loss and recovery of no time; the clock of seconds() starts here.
  void lose() {
    control_->on_recovery(now_, control_->cwnd());
    control_->on_leave(control_->ssthresh());
    start_ = now_;
  }
  /// A timeout and the slow start that follows it; the clock of seconds() starts where that ends.
  void time_out() {
    control_->on_timeout(now_, control_->cwnd(), true);
    while (control_->in_slow_start()) ack();
    start_ = now_;
  }
  /// Runs for `length` and compares the window with `formula` of the seconds since the loss at
  /// every round trip.
  void follows(const std::function<double(double)>& formula, double length, double tolerance) {
    while (seconds() < length) {
      round_trip();
      ASSERT_NEAR(window() / formula(seconds()), 1.0, tolerance) << "at " << seconds() << " s";
    }
  }

 private:
  std::uint64_t rtt_;
  std::uint64_t now_ = kMs;
  std::uint64_t start_ = kMs;
  std::unique_ptr<TcpConfig> config_;
  std::unique_ptr<CongestionControl> control_;
};

}  // namespace longhaul::tcp::rig
