// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "models/common/units.h"

namespace longhaul {

/// A stream of random decisions that is the same on every machine: std::mt19937_64, whose output
/// the C++ standard fixes, and sampling written out here in basic arithmetic (library distributions
/// and logarithms differ between systems).
class RandomStream {
 public:
  /// Streams with different labels are independent of each other, whatever the seed.
  RandomStream(std::uint64_t seed, const std::string& label);

  /// 64 random bits.
  std::uint64_t bits() { return engine_(); }
  /// True with the given probability; takes one draw, none when the probability is 0 or 1.
  bool chance(Probability p);
  /// Number of trials that fail before the next one that succeeds, each with probability p, 0 < p
  /// <= 1 (geometric). One draw.
  std::uint64_t gap(Probability p);

 private:
  std::mt19937_64 engine_;
};

namespace detail {
/// Natural logarithm of x, 0 < x <= 1, to a few units of the last place, by IEEE 754 basic
/// operations only.
double portable_log(double x);
/// Natural logarithm of 1 - p, 0 < p < 1, without loss for small p.
double portable_log1m(double p);
}  // namespace detail

}  // namespace longhaul
