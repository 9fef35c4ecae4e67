// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/tcp/congestion/config.h"
#include "models/tcp/congestion/control_type.h"

namespace longhaul::tcp {
namespace {

/// Grows by one segment a round trip and halves on a loss (RFC 5681, 3.1; RFC 3465, 2.1 if bytes
/// are counted).
///
/// If ACKs are counted and the window is in bytes, each ACK adds its share of a segment, in whole
/// bytes as in BSD. With `whole_segments`, a window of ACKs adds one segment.
class NewReno final : public CongestionControl {
 public:
  NewReno(const CongestionConfig& config, bool whole_segments)
      : CongestionControl(config), whole_segments_(whole_segments) {}

 private:
  void avoid(const Acked& ack) override {
    if (!whole_segments_ && config().abc_limit == 0 && config().cwnd_unit == CwndUnit::kBytes) {
      // RFC 5681, 3.1, (3).
      const std::uint64_t step = std::uint64_t{mss()} * mss() / cwnd();
      return set_cwnd(cwnd() + std::max<std::uint64_t>(step, 1));
    }
    counted_bytes_ += config().abc_limit == 0 ? mss() : ack.bytes;
    if (counted_bytes_ < cwnd()) return;
    counted_bytes_ -= cwnd();
    set_cwnd(cwnd() + mss());
  }

  std::uint64_t reduced(std::uint64_t /*now*/, std::uint64_t flight) override {
    counted_bytes_ = 0;
    return (config().reduce_from == ReduceFrom::kCwnd ? cwnd() : flight) / 2;
  }

  const bool whole_segments_;
  std::uint64_t counted_bytes_ = 0;  // since the window last grew
};

}  // namespace

LONGHAUL_PLUGIN(new_reno) {
  congestion_controls().add(
      {"newreno", "NewReno (RFC 6582) with a window in bytes",
       [](const CongestionConfig& config) -> std::unique_ptr<CongestionControl> {
         return std::make_unique<NewReno>(config, false);
       }});
  congestion_controls().add(
      {"newreno-whole", "NewReno that grows by whole segments",
       [](const CongestionConfig& config) -> std::unique_ptr<CongestionControl> {
         return std::make_unique<NewReno>(config, true);
       }});
}

}  // namespace longhaul::tcp
