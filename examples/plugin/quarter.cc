// SPDX-License-Identifier: Apache-2.0
// A congestion control: `quarter` grows as NewReno does, and leaves a quarter of the window on a
// loss.
#include "models/tcp/congestion/control_type.h"

namespace {

using longhaul::tcp::Acked;
using longhaul::tcp::CongestionConfig;
using longhaul::tcp::CongestionControl;

class Quarter final : public CongestionControl {
 public:
  using CongestionControl::CongestionControl;

 private:
  /// One segment per round trip (RFC 5681, 3.1).
  void avoid(const Acked& ack) override {
    acked_ += ack.bytes;
    if (acked_ < cwnd()) return;
    acked_ -= cwnd();
    set_cwnd(cwnd() + mss());
  }
  std::uint64_t reduced(std::uint64_t /*now*/, std::uint64_t flight) override {
    acked_ = 0;
    return flight / 4;
  }

  std::uint64_t acked_ = 0;  // since the window grew last, bytes
};

}  // namespace

LONGHAUL_PLUGIN(quarter) {
  longhaul::tcp::congestion_controls().add(
      {"quarter", "NewReno that leaves a quarter on a loss", longhaul::tcp::make_policy<Quarter>});
}
