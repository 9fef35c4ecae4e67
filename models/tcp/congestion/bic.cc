// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/tcp/congestion/control_type.h"

namespace longhaul::tcp {
namespace {

// Xu, Harfoush, Rhee: Binary Increase Congestion Control (BIC), INFOCOM 2004, 3 and 4.
constexpr double kBicLowWindow = 14;    // segments; below it a standard TCP
constexpr double kMaxIncrement = 32;    // S_max, segments per round trip
constexpr double kMinIncrement = 0.01;  // S_min
constexpr double kBeta = 0.125;         // the share that a loss takes

/// Searches for the window of the last loss by halving the interval, then probes beyond it.
class Bic final : public CongestionControl {
 public:
  using CongestionControl::CongestionControl;
  std::uint64_t halving_floor() const override { return ssthresh(); }  // as Linux' BIC since 2.6.13

 private:
  void avoid(const Acked& ack) override {
    const double w = window();
    double per_round = 1;
    if (w >= kBicLowWindow) {
      if (w < max_) {
        probe_ = 0;
        per_round =
            std::clamp((max_ - w) / 2, kMinIncrement, kMaxIncrement);  // half way to the maximum
      } else {
        // Beyond the maximum, growth rises as in slow start: 1, 2, 4, ... a round trip. Then it is
        // linear.
        if (probe_ == 0) {
          probe_ = 1;
          probe_target_ = w + 1;
        } else if (probe_ < kMaxIncrement && w >= probe_target_) {
          probe_ = std::min(probe_ * 2, kMaxIncrement);
          probe_target_ = w + probe_;
        }
        per_round = probe_;
      }
    }
    gain(per_round / w * counted(ack));
  }

  std::uint64_t reduced(std::uint64_t /*now*/, std::uint64_t /*flight*/) override {
    const double w = window();
    prior_max_ = max_;
    probe_ = 0;
    if (w < kBicLowWindow) {
      max_ = w;
      return cwnd() / 2;
    }
    // Fast convergence: if the window is smaller than at the last loss, the new maximum lies
    // halfway between the window before and after the reduction.
    max_ = w < max_ ? w * (2 - kBeta) / 2 : w;
    return static_cast<std::uint64_t>(static_cast<double>(cwnd()) * (1 - kBeta));
  }

  void undone() override { max_ = prior_max_; }

  double max_ = 0;  // window of the last loss, segments
  double prior_max_ = 0;
  double probe_ = 0;  // growth per round trip past the maximum; 0 while below it
  double probe_target_ = 0;
};

}  // namespace

LONGHAUL_PLUGIN(bic) {
  congestion_controls().add({"bic", "BIC-TCP as its paper has it", make_policy<Bic>});
}

}  // namespace longhaul::tcp
