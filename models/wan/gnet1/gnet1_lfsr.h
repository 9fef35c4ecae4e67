// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::wan {

/// The random numbers of GNET-1: a 64-bit LFSR (taps 64, 63, 61, 60) that moves 32 places at a
/// time, as rtl/common/lfsr64.sv.
///
/// skip() only counts. When a number is read, all skipped places are jumped over at once. So the
/// sequence is that of the RTL, whether or not the numbers between are read.
class Gnet1Lfsr {
 public:
  static constexpr std::uint64_t kResetSeed = 0x4e54'3120'474e'4554;

  /// Sets the seed. Zero would never change, so it counts as one.
  void seed(std::uint64_t value) {
    state_ = value == 0 ? 1 : value;
    skipped_ = 0;
  }
  /// Skips `count` numbers.
  void skip(std::uint64_t count) { skipped_ += count; }
  /// The whole register. The low half is the present number, the high half the one before.
  std::uint64_t state() {
    if (skipped_ != 0) jump();
    return state_;
  }
  void step() { state_ = leap(state()); }

  /// Moves 32 places at once: no tap reaches a bit that was shifted in among them.
  static constexpr std::uint64_t leap(std::uint64_t s) {
    const std::uint64_t fed = s ^ s << 1 ^ s << 3 ^ s << 4;
    return s << 32 | fed >> 32;
  }

 private:
  void jump();

  std::uint64_t state_ = kResetSeed;
  std::uint64_t skipped_ = 0;
};

}  // namespace longhaul::wan
