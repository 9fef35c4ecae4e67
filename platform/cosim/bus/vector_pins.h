// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "platform/cosim/bus/interrupt_pins.h"
#include "platform/cosim/pin.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// Interrupt requests of a block as vector numbers, 0 to 63: one for each rising edge at which
/// VALID is high. READY, if the block has it, is always high. A number of 64 or more is ignored.
class VectorPins final : public Transactor {
 public:
  VectorPins(RtlBlock& block, ClockDomain& clock, const Pin& number, const Pin& valid, Pin ready,
             InterruptClient& client)
      : block_(block), number_(number), valid_(valid), client_(client) {
    ready.set(1);
    clock.watch(*this, true);
  }

  void sample() override {
    const std::uint64_t number = valid_.high() ? number_.get() : kNone;
    asked_ = number < kNone ? std::uint64_t{1} << number : 0;
  }
  void clocked(std::uint64_t edge_ps) override {
    if (asked_ == 0) return;
    rises_ |= asked_;
    block_.call_at_edge(*this);
  }
  void deliver() override { client_.interrupts_changed(0, std::exchange(rises_, 0)); }

 private:
  static constexpr std::uint64_t kNone = 64;
  RtlBlock& block_;
  Pin number_;
  Pin valid_;
  InterruptClient& client_;
  std::uint64_t asked_ = 0;
  std::uint64_t rises_ = 0;
};

}  // namespace longhaul::cosim
