// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/tcp/congestion/control_type.h"
#include "models/tcp/congestion/rounds.h"

namespace longhaul::tcp {
namespace {

// Leith, Shorten: H-TCP, PFLDnet 2004; draft-leith-tcp-htcp-06, 2.
constexpr double kLowTime = 1.0;       // Delta_L, s: as a standard TCP until then
constexpr double kLeastBackOff = 0.5;  // beta's limits
constexpr double kMostBackOff = 0.8;
constexpr double kRateChange = 0.2;  // more than this between losses: no adaptive back-off

/// Growth that rises with the time since the last loss, back-off by the ratio of the round-trip
/// times.
class HTcp final : public CongestionControl {
 public:
  using CongestionControl::CongestionControl;

 private:
  void observe(const Acked& ack) override {
    if (last_loss_ == 0) last_loss_ = ack.now;
    if (ack.rtt != 0) {
      least_rtt_ = least_rtt_ == 0 ? ack.rtt : std::min(least_rtt_, ack.rtt);
      most_rtt_ = std::max(most_rtt_, ack.rtt);
    }
    if (rounds_.add(ack)) best_rate_ = std::max(best_rate_, rounds_.rate());
  }

  void avoid(const Acked& ack) override {
    const double since = seconds_since(last_loss_, ack.now) - kLowTime;
    double alpha = since <= 0 ? 1 : 1 + 10 * since + 0.25 * since * since;
    alpha *= 2 * (1 - beta_);  // fair to flows with another beta
    gain(std::max(alpha, 1.0) / window() * counted(ack));
  }

  std::uint64_t reduced(std::uint64_t now, std::uint64_t /*flight*/) override {
    const double change = prior_rate_ > 0 ? (best_rate_ - prior_rate_) / prior_rate_ : 1;
    if (change > kRateChange || change < -kRateChange || most_rtt_ == 0) {
      beta_ = kLeastBackOff;
    } else {
      beta_ = std::clamp(static_cast<double>(least_rtt_) / static_cast<double>(most_rtt_),
                         kLeastBackOff, kMostBackOff);
    }
    prior_rate_ = best_rate_;
    best_rate_ = 0;
    most_rtt_ = least_rtt_;
    prior_loss_ = last_loss_;
    last_loss_ = now;
    return static_cast<std::uint64_t>(static_cast<double>(cwnd()) * beta_);
  }

  void idled(std::uint64_t idle) override { last_loss_ += idle; }
  void undone() override { last_loss_ = prior_loss_; }

  Rounds rounds_;
  std::uint64_t last_loss_ = 0;  // ps
  std::uint64_t prior_loss_ = 0;
  std::uint64_t least_rtt_ = 0;
  std::uint64_t most_rtt_ = 0;  // since the last loss
  double beta_ = kLeastBackOff;
  double best_rate_ = 0;   // since the last loss, bytes/s
  double prior_rate_ = 0;  // in the epoch before
};

}  // namespace

LONGHAUL_PLUGIN(h_tcp) { congestion_controls().add({"htcp", "H-TCP", make_policy<HTcp>}); }

}  // namespace longhaul::tcp
