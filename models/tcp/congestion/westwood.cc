// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/tcp/congestion/control_type.h"
#include "models/tcp/congestion/rounds.h"

namespace longhaul::tcp {
namespace {

// Grieco, Mascolo: Westwood+, ACM CCR 34(2), 2004: one sample a round trip (at least 50 ms),
// low-pass with 7/8 of the old.
constexpr std::uint64_t kLeastRound = 50'000'000'000;  // ps
constexpr double kKeep = 7.0 / 8;

/// Grows like NewReno. After a loss, the window is the measured bandwidth times the shortest round
/// trip.
class Westwood final : public CongestionControl {
 public:
  using CongestionControl::CongestionControl;

 private:
  void observe(const Acked& ack) override {
    if (ack.rtt != 0) least_rtt_ = least_rtt_ == 0 ? ack.rtt : std::min(least_rtt_, ack.rtt);
    if (!rounds_.add(ack)) return;
    bandwidth_ =
        bandwidth_ == 0 ? rounds_.rate() : kKeep * bandwidth_ + (1 - kKeep) * rounds_.rate();
  }
  void avoid(const Acked& ack) override { gain(counted(ack) / window()); }
  std::uint64_t reduced(std::uint64_t /*now*/, std::uint64_t flight) override {
    if (bandwidth_ == 0) return flight / 2;  // nothing measured yet
    return static_cast<std::uint64_t>(bandwidth_ * static_cast<double>(least_rtt_) / kPsPerSecond);
  }

  Rounds rounds_{kLeastRound};
  std::uint64_t least_rtt_ = 0;  // ps
  double bandwidth_ = 0;         // bytes/s
};

}  // namespace

LONGHAUL_PLUGIN(westwood) {
  congestion_controls().add({"westwood", "TCP Westwood+", make_policy<Westwood>});
}

}  // namespace longhaul::tcp
