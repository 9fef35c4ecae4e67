// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/congestion/control_type.h"
#include "models/tcp/congestion/portable_math.h"

namespace longhaul::tcp {
namespace {

constexpr double kHighSpeedLowWindow = 38;  // RFC 3649, 5
constexpr double kHighWindow = 83000;       // for a loss rate of 1e-7
constexpr double kHighDecrease = 0.1;

/// b(w), RFC 3649, 5: a straight line in log w from 1/2 at 38 segments to 0.1 at 83000.
double decrease(double w) {
  if (w <= kHighSpeedLowWindow) return 0.5;
  const double share = (portable_log(w) - portable_log(kHighSpeedLowWindow)) /
                       (portable_log(kHighWindow) - portable_log(kHighSpeedLowWindow));
  return (kHighDecrease - 0.5) * share + 0.5;
}

/// a(w) of RFC 3649, 5, in segments per round trip. The response function stays p(w) = 0.078 /
/// w^1.2.
double increase(double w) {
  if (w <= kHighSpeedLowWindow) return 1;
  const double b = decrease(w);
  return 0.078 * portable_exp(0.8 * portable_log(w)) * 2 * b / (2 - b);
}

/// HighSpeed TCP (RFC 3649): the larger the window, the larger the growth and the smaller the
/// reduction.
class HighSpeed final : public CongestionControl {
 public:
  using CongestionControl::CongestionControl;

 private:
  void avoid(const Acked& ack) override { gain(increase(window()) / window() * counted(ack)); }
  std::uint64_t reduced(std::uint64_t /*now*/, std::uint64_t /*flight*/) override {
    return static_cast<std::uint64_t>(static_cast<double>(cwnd()) * (1 - decrease(window())));
  }
};

}  // namespace

LONGHAUL_PLUGIN(high_speed) {
  congestion_controls().add({"highspeed", "HighSpeed TCP (RFC 3649)", make_policy<HighSpeed>});
}

}  // namespace longhaul::tcp
