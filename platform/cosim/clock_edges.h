// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/units.h"

namespace longhaul::cosim {

/// The rising edges of one clock, exact for any frequency and offset. Times are rounded down to
/// whole picoseconds.
///
/// Edge n is at phase + floor(n * period), with period = 1 / (frequency * (1 + ppm / 10^6)) as a
/// fraction. So there is no drift, and edges of clocks whose periods are multiples of each other
/// coincide. The offset is kept to 10^-9.
class ClockEdges {
 public:
  ClockEdges(Frequency nominal, double ppm, std::uint64_t phase_ps);

  std::uint64_t next_ps() const { return next_ps_; }
  /// The fall before next_ps(): half a period after the last rising edge.
  std::uint64_t fall_ps() const { return last_ps_ + whole_ps_ / 2; }
  void advance() {
    last_ps_ = next_ps_;
    next_ps_ += whole_ps_;
    fraction_ += rest_;
    if (fraction_ >= per_) {
      fraction_ -= per_;
      ++next_ps_;
    }
  }
  /// Advances to the first edge after `ps`, as if every edge before it had been taken. Returns how
  /// many were skipped.
  [[gnu::noinline]] std::uint64_t skip_past(std::uint64_t ps);
  /// Whether both clocks have the same edges from now on.
  bool same_clock(const ClockEdges& o) const {
    return whole_ps_ == o.whole_ps_ && rest_ == o.rest_ && per_ == o.per_ &&
           next_ps_ == o.next_ps_ && fraction_ == o.fraction_;
  }

 private:
  std::uint64_t whole_ps_;  // period = whole_ps_ + rest_ / per_
  std::uint64_t rest_;
  std::uint64_t per_;
  std::uint64_t fraction_ = 0;  // fraction of next_ps_, in units of 1 / per_
  std::uint64_t last_ps_ = 0;
  std::uint64_t next_ps_;
};

}  // namespace longhaul::cosim
