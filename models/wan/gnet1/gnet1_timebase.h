// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/wan/gnet1/gnet1_time.h"

namespace longhaul::wan {

/// GPS time in GNET-1. Each pulse begins a second; between pulses the box's own oscillator counts.
/// Clocks are those of 31.25 MHz.
class Gnet1Timebase {
 public:
  struct Gps {
    std::uint32_t seconds;
    std::uint32_t tenths;  ///< 100 ns within the second
  };

  /// The box's GPS time after clock `clock`.
  Gps at(std::uint64_t clock) const {
    const bool before = clock < begins_;  // for a clock just before the last pulse
    const std::uint64_t since = clock - (before ? last_begins_ : begins_);
    return {before ? last_seconds_ : seconds_, Gnet1Time::of_clocks(since).tenths() & 0x00ff'ffffU};
  }
  /// The pulse rises with the clock after `clock`. The second begins two flip-flops and an edge
  /// detector later.
  void pulse(std::uint64_t clock) {
    const std::uint64_t begins = clock + 4;
    pps_ticks_ = static_cast<std::uint32_t>(begins - (pulsed_ ? begins_ : 1));
    pulsed_ = true;
    last_begins_ = begins_;
    last_seconds_ = seconds_;
    begins_ = begins;
    seconds_ = next_seconds_++;
  }
  void set_next_seconds(std::uint32_t seconds) { next_seconds_ = seconds; }
  std::uint32_t pps_ticks() const { return pps_ticks_; }

 private:
  std::uint64_t begins_ = 0;
  std::uint64_t last_begins_ = 0;
  std::uint32_t seconds_ = 0;
  std::uint32_t last_seconds_ = 0;
  std::uint32_t next_seconds_ = 1;
  std::uint32_t pps_ticks_ = 0;
  bool pulsed_ = false;
};

}  // namespace longhaul::wan
