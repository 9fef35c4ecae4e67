// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/split_mix.h"

namespace longhaul::cosim {

/// Random clocks in which a transactor holds back a READY or a VALID, by a seed of its own.
class Stalls {
 public:
  /// Never.
  Stalls() = default;
  /// `per_256`: of 256 clocks so many are stalled; 0 (never) to 255.
  Stalls(std::uint64_t seed, std::uint32_t per_256) : state_(seed), per_256_(per_256) {}

  bool any() const { return per_256_ != 0; }
  bool stalls() {
    if (per_256_ == 0) return false;
    const std::uint64_t bits = split_mix(state_);
    state_ += kSplitMixIncrement;
    return (bits & 0xffU) < per_256_;
  }

 private:
  std::uint64_t state_ = 0;
  std::uint32_t per_256_ = 0;
};

}  // namespace longhaul::cosim
