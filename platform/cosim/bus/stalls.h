// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/split_mix.h"

namespace longhaul::cosim {

/// Random clocks in which a transactor holds back a READY or a VALID, with a seed of its own.
class Stalls {
 public:
  /// Never stalls.
  Stalls() = default;
  /// `per_256` of 256 clocks are stalled: 0 (never) to 255.
  Stalls(std::uint64_t seed, std::uint32_t per_256) : bits_(seed), per_256_(per_256) {}

  bool any() const { return per_256_ != 0; }
  bool stalls() {
    if (per_256_ == 0) return false;
    return (bits_.next() & 0xffU) < per_256_;
  }

 private:
  SplitMix bits_;
  std::uint32_t per_256_ = 0;
};

/// Random delays in clocks, with a seed of its own.
class Delays {
 public:
  /// Always 0.
  Delays() = default;
  /// Delays of 0 to `most`, all equally likely.
  Delays(std::uint64_t seed, std::uint32_t most) : bits_(seed), most_(most) {}

  std::uint32_t next() {
    if (most_ == 0) return 0;
    return static_cast<std::uint32_t>(bits_.next() % (std::uint64_t{most_} + 1));
  }

 private:
  SplitMix bits_;
  std::uint32_t most_ = 0;
};

}  // namespace longhaul::cosim
