// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/tcp/congestion/control_type.h"
#include "models/tcp/congestion/portable_math.h"

namespace longhaul::tcp {
namespace {

constexpr double kC = 0.4;          // RFC 8312, 5, and 4.1
constexpr double kCubicBeta = 0.7;  // RFC 8312, 4.5

/// Grows by a cubic function of the time since the last loss (RFC 8312).
class Cubic final : public CongestionControl {
 public:
  using CongestionControl::CongestionControl;
  std::uint64_t halving_floor() const override {
    return ssthresh();
  }  // Linux, tcp_cubic.c: bictcp_min_cwnd()

 private:
  void observe(const Acked& ack) override {
    if (ack.rtt != 0) rtt_ = static_cast<double>(ack.rtt) / kPsPerSecond;
  }

  void begin_epoch(std::uint64_t now) {
    in_epoch_ = true;
    epoch_start_ = now;
    estimate_start_ = window();
    if (window() < last_max_) {
      k_ = portable_cbrt((last_max_ - window()) /
                         kC);  // eq. 2, with the window as it is after the reduction
      origin_ = last_max_;
    } else {
      k_ = 0;
      origin_ = window();
    }
  }

  void avoid(const Acked& ack) override {
    if (!in_epoch_) begin_epoch(ack.now);
    const double t = seconds_since(epoch_start_, ack.now);
    const auto cubic = [this](double at) {
      return kC * (at - k_) * (at - k_) * (at - k_) + origin_;
    };  // eq. 1
    // 4.2: the window of a standard TCP that reduces by beta instead of 1/2 (eq. 4).
    const double friendly =
        rtt_ > 0 ? estimate_start_ + 3 * (1 - kCubicBeta) / (1 + kCubicBeta) * t / rtt_ : 0;
    if (cubic(t) < friendly) {
      if (friendly > window()) gain(friendly - window());
      return;
    }
    // 4.3, 4.4: grows towards the function's value one round trip from now.
    const double target = cubic(t + rtt_);
    if (target > window()) gain(std::min(target - window(), window()) / window() * counted(ack));
  }

  std::uint64_t reduced(std::uint64_t /*now*/, std::uint64_t /*flight*/) override {
    in_epoch_ = false;
    prior_max_ = last_max_;
    // 4.6: fast convergence, a smaller window than before gives up bandwidth.
    last_max_ = window() < last_max_ ? window() * (1 + kCubicBeta) / 2 : window();
    return static_cast<std::uint64_t>(static_cast<double>(cwnd()) * kCubicBeta);
  }

  void timed_out(std::uint64_t /*now*/) override {
    in_epoch_ = false;
    last_max_ = 0;  // 4.7: K is 0, and the window where avoidance begins is the maximum
  }
  void idled(std::uint64_t idle) override { epoch_start_ += idle; }  // idle time does not count
  void undone() override {
    last_max_ = prior_max_;
    in_epoch_ = false;
  }

  bool in_epoch_ = false;
  std::uint64_t epoch_start_ = 0;
  double rtt_ = 0;             // s
  double last_max_ = 0;        // W_max, segments
  double prior_max_ = 0;       // before the last loss
  double origin_ = 0;          // where the function is flat, segments
  double k_ = 0;               // when, s after the epoch's start
  double estimate_start_ = 0;  // window at the epoch's start
};

}  // namespace

LONGHAUL_PLUGIN(cubic) {
  congestion_controls().add({"cubic", "CUBIC (RFC 8312)", make_policy<Cubic>});
}

}  // namespace longhaul::tcp
