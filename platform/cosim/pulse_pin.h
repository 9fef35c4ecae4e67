// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// An input that is pulsed from outside. It is high for a number of clocks, from the first edge of
/// its clock after the pulse's instant.
class PulsePin final : public Transactor {
 public:
  PulsePin(RtlBlock& block, ClockDomain& clock, BitPin pin, std::uint32_t clocks)
      : block_(block), clock_(clock), pin_(pin), clocks_(clocks) {}

  /// Starts a pulse now; a pulse that is still high starts again.
  void pulse() {
    from_ps_ = block_.input_ps();
    if (left_ == 0) clock_.attach(*this, from_ps_);
    left_ = clocks_ + 1;
  }
  void clocked(std::uint64_t edge_ps) override {
    if (edge_ps <= from_ps_) return;
    pin_.set(--left_ != 0);
    if (left_ == 0) clock_.detach(*this);
  }

 private:
  RtlBlock& block_;
  ClockDomain& clock_;
  BitPin pin_;
  const std::uint32_t clocks_;
  std::uint32_t left_ = 0;
  std::uint64_t from_ps_ = 0;
};

}  // namespace longhaul::cosim
