// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

/// The increment between states of splitmix64 (Steele, Lea, Flood 2014).
inline constexpr std::uint64_t kSplitMixIncrement = 0x9e37'79b9'7f4a'7c15ULL;

/// One step of splitmix64: well-mixed bits from a state. Neighbouring seeds give unrelated streams.
constexpr std::uint64_t split_mix(std::uint64_t state) {
  std::uint64_t z = state + kSplitMixIncrement;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebULL;
  return z ^ (z >> 31);
}

/// A stream of well-mixed bits from a seed.
class SplitMix {
 public:
  constexpr SplitMix() = default;
  constexpr explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() {
    const std::uint64_t bits = split_mix(state_);
    state_ += kSplitMixIncrement;
    return bits;
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace longhaul
