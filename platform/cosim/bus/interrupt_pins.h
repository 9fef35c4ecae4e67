// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/pin.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

class InterruptClient {
 public:
  virtual ~InterruptClient() = default;
  /// Called in SystemC's time of the edge after which the levels are on the pins. Bit i of `levels`
  /// is line i, high if it requests an interrupt. `rises` are the lines that have risen since the
  /// last call, for pulses and edges.
  virtual void interrupts_changed(std::uint64_t levels, std::uint64_t rises) = 0;
};

/// Interrupt outputs of a block, up to 64 lines, in one of its clock domains: levels, or pulses of
/// at least one clock. They do not keep a gated clock running.
class InterruptPins final : public Transactor {
 public:
  /// `active_low` are the lines that request an interrupt when low. At power-up no line requests
  /// one.
  InterruptPins(RtlBlock& block, ClockDomain& clock, const Pin& pins, InterruptClient& client,
                std::uint64_t active_low = 0)
      : block_(block),
        watcher_(clock.watch(*this, false)),
        pins_(pins),
        client_(client),
        active_low_(active_low) {
    if (pins.width() < 64) active_low_ &= (std::uint64_t{1} << pins.width()) - 1;
    watcher_.wake_by(pins, 0);
  }

  void clocked(std::uint64_t edge_ps) override {
    levels_ = pins_.get() ^ active_low_;
    if (levels_ == told_) return watcher_.sleep_as_it_is();
    block_.call_at_edge(*this);
  }
  void deliver() override {
    const std::uint64_t rises = levels_ & ~told_;
    told_ = levels_;
    client_.interrupts_changed(told_, rises);
  }

 private:
  RtlBlock& block_;
  Watcher& watcher_;
  Pin pins_;
  InterruptClient& client_;
  std::uint64_t active_low_;
  std::uint64_t levels_ = 0;
  std::uint64_t told_ = 0;
};

}  // namespace longhaul::cosim
