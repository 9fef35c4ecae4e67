// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/units.h"
#include "models/common/wide_math.h"

namespace longhaul::wan {

/// The instants of NIST Net's timer interrupts. Tick n comes at phase + n / rate, exact to the
/// picosecond and without drift.
class MiniJiffies {
 public:
  MiniJiffies(Frequency rate, std::uint64_t phase_ps) : rate_(rate), phase_ps_(phase_ps) {}

  std::uint64_t tick_ps(std::uint64_t n) const {
    return phase_ps_ + times_over(n, kSecond, 0, rate_.hz);
  }
  /// A delay in ticks, rounded to the nearest, halves up.
  std::uint64_t ticks(const sc_core::sc_time& delay) const {
    return times_over(to_ps(delay), 2 * rate_.hz, kSecond, 2 * kSecond);
  }

 private:
  static constexpr std::uint64_t kSecond = 1'000'000'000'000;  // ps
  Frequency rate_;
  std::uint64_t phase_ps_;
};

}  // namespace longhaul::wan
