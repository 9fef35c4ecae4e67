// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/tcp/congestion/control_type.h"

namespace longhaul::tcp {
namespace {

// Linux 2.6.13 to 2.6.18, tcp_bic.c: values of its parameters, and the windows for which they
// apply.
constexpr std::uint32_t kLinuxBicLowWindow = 14;     // segments; up to it a standard TCP
constexpr std::uint32_t kLinuxBicMaxIncrement = 16;  // segments per round trip
constexpr std::uint32_t kLinuxBicPart = 4;  // BICTCP_B: the search goes a fourth of the way
// Round trips for the last segments of the way.
constexpr std::uint32_t kLinuxBicSmoothPart = 20;
constexpr std::uint32_t kLinuxBicBeta = 819;  // of 1024: share of the window kept after a loss
constexpr std::uint32_t kLinuxBicBetaUnit = 1024;
// At least 1 of 20, 5 % a round trip, before the first loss.
constexpr std::uint32_t kLinuxBicLeastGrowth = 20;
constexpr std::uint32_t kLinuxBicRatioUnit = 16;

/// BIC of Linux 2.6.18. It uses whole segments and other constants than the paper's. It forgets
/// losses after a timeout.
class BicLinux final : public CongestionControl {
 public:
  using CongestionControl::CongestionControl;
  std::uint64_t halving_floor() const override { return ssthresh(); }  // Linux, bictcp_min_cwnd()

 private:
  std::uint32_t segments() const { return static_cast<std::uint32_t>(cwnd() / mss()); }

  void observe(const Acked& ack) override {
    if (ack.in_recovery) return;
    ratio_ +=
        static_cast<std::uint32_t>((ack.bytes + mss() - 1) / mss()) - ratio_ / kLinuxBicRatioUnit;
  }

  /// Returns the number of acknowledged segments after which the window grows by one.
  std::uint32_t segments_for_one(std::uint32_t w) const {
    if (w < max_) {
      const std::uint32_t part = (max_ - w) / kLinuxBicPart;
      if (part > kLinuxBicMaxIncrement) return w / kLinuxBicMaxIncrement;
      return part <= 1 ? w * kLinuxBicSmoothPart / kLinuxBicPart : w / part;
    }
    if (w < max_ + kLinuxBicPart) return w * kLinuxBicSmoothPart / kLinuxBicPart;
    if (w < max_ + kLinuxBicMaxIncrement * (kLinuxBicPart - 1))
      return w * (kLinuxBicPart - 1) / (w - max_);
    return w / kLinuxBicMaxIncrement;
  }

  void avoid(const Acked& /*ack*/) override {
    const std::uint32_t w = segments();
    std::uint32_t needed = w;
    if (w > kLinuxBicLowWindow) {
      needed = segments_for_one(w);
      if (!lost_) needed = std::min(needed, kLinuxBicLeastGrowth);
      needed = std::max<std::uint32_t>(
          needed * kLinuxBicRatioUnit / std::max<std::uint32_t>(ratio_, 1), 1);  // in ACKs
    }
    if (acks_ < needed) {
      ++acks_;
      return;
    }
    acks_ = 0;
    set_cwnd(cwnd() + mss());
  }

  std::uint64_t reduced(std::uint64_t /*now*/, std::uint64_t /*flight*/) override {
    const std::uint32_t w = segments();
    // Fast convergence: if the window is smaller than at the last loss, the new maximum lies
    // halfway between the window before and after the reduction.
    max_ = w < max_ ? w * (kLinuxBicBetaUnit + kLinuxBicBeta) / (2 * kLinuxBicBetaUnit) : w;
    lost_ = true;
    acks_ = 0;
    return std::uint64_t{w <= kLinuxBicLowWindow ? w / 2 : w * kLinuxBicBeta / kLinuxBicBetaUnit} *
           mss();
  }

  void timed_out(std::uint64_t /*now*/) override {
    max_ = 0;
    lost_ = false;
    acks_ = 0;
    ratio_ = 2 * kLinuxBicRatioUnit;
  }

  std::uint32_t max_ = 0;   // window of the last loss, segments
  bool lost_ = false;       // since the beginning or the last timeout
  std::uint32_t acks_ = 0;  // towards the next segment
  std::uint32_t ratio_ =
      2 * kLinuxBicRatioUnit;  // segments an ACK acknowledges, smoothed, in sixteenths
};

}  // namespace

LONGHAUL_PLUGIN(bic_linux) {
  congestion_controls().add({"bic-linux", "BIC-TCP as Linux 2.6.18 has it", make_policy<BicLinux>});
}

}  // namespace longhaul::tcp
