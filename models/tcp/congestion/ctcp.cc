// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "models/tcp/congestion/control_type.h"
#include "models/tcp/congestion/rounds.h"

namespace longhaul::tcp {
namespace {

// Tan, Song, Zhang, Sridharan: A Compound TCP Approach, INFOCOM 2006, III;
// draft-sridharan-tcpm-ctcp-02, 3.
constexpr double kCtcpAlpha = 0.125;
constexpr double kCtcpBeta = 0.5;
constexpr double kGamma = 30;          // queued segments that mean "early congestion"
constexpr double kZeta = 1;            // how fast the delay window gives way then
constexpr double kCtcpLowWindow = 41;  // segments; below it a standard TCP

/// Compound TCP: the window is the sum of a loss-based and a delay-based window.
class Ctcp final : public CongestionControl {
 public:
  using CongestionControl::CongestionControl;

 private:
  void observe(const Acked& ack) override {
    if (ack.rtt != 0) least_rtt_ = least_rtt_ == 0 ? ack.rtt : std::min(least_rtt_, ack.rtt);
    round_over_ = rounds_.add(ack) || round_over_;
  }

  void avoid(const Acked& ack) override {
    gain(counted(ack) / window());  // the loss window's segment per round trip, over the sum
    if (!round_over_ || rounds_.rtt() == 0) return;
    round_over_ = false;
    const double win = window();
    const auto base = static_cast<double>(least_rtt_);
    const double queued =
        win * (1 - base / static_cast<double>(rounds_.rtt()));  // (expected - actual) * base
    if (queued < kGamma) {
      if (win < kCtcpLowWindow) return;
      const double step = kCtcpAlpha * std::sqrt(win * std::sqrt(win)) - 1;  // win^k, k = 3/4
      if (step > 0) change_delay_window(step);
    } else {
      change_delay_window(-kZeta * queued);
    }
  }

  void change_delay_window(double segments) {
    const double next = std::max(delay_window_ + segments, 0.0);
    const double change = next - delay_window_;
    delay_window_ = next;
    if (change >= 0) return gain(change);
    const auto fall = static_cast<std::uint64_t>(-change * mss());
    set_cwnd(cwnd() > fall ? cwnd() - fall : mss());
  }

  std::uint64_t reduced(std::uint64_t /*now*/, std::uint64_t /*flight*/) override {
    const double win = window();
    const double loss_window = std::max(win - delay_window_, 1.0);
    prior_delay_window_ = delay_window_;
    delay_window_ = std::max(win * (1 - kCtcpBeta) - loss_window / 2, 0.0);
    return static_cast<std::uint64_t>((loss_window / 2 + delay_window_) * mss());
  }

  void timed_out(std::uint64_t /*now*/) override { delay_window_ = 0; }
  void idled(std::uint64_t /*idle*/) override { delay_window_ = 0; }
  void undone() override { delay_window_ = prior_delay_window_; }

  Rounds rounds_;
  bool round_over_ = false;
  std::uint64_t least_rtt_ = 0;    // ps
  double delay_window_ = 0;        // segments, part of the window
  double prior_delay_window_ = 0;  // before the last loss
};

}  // namespace

LONGHAUL_PLUGIN(ctcp) {
  congestion_controls().add({"ctcp", "Compound TCP of Windows", make_policy<Ctcp>});
}

}  // namespace longhaul::tcp
