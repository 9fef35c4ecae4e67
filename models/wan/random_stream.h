// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "models/common/units.h"

namespace longhaul {

/// A stream of random decisions that is the same on every machine. It uses std::mt19937_64, whose
/// output the C++ standard fixes. Sampling is written here in basic arithmetic, since library
/// distributions and logarithms differ between systems.
class RandomStream {
 public:
  /// Streams with different labels are independent of each other, whatever the seed.
  RandomStream(std::uint64_t seed, const std::string& label);

  /// 64 random bits.
  std::uint64_t bits() { return engine_(); }
  /// Returns true with the given probability. Takes one draw, or none if the probability is 0 or 1.
  bool chance(Probability p);
  /// The number of failed trials before the next success, each with probability p, 0 < p <= 1
  /// (geometric). Takes one draw.
  std::uint64_t gap(Probability p);

 private:
  std::mt19937_64 engine_;
};

namespace detail {
/// Natural logarithm of x, 0 < x <= 1, to a few units of the last place. Uses basic operations of
/// IEEE 754 only.
double portable_log(double x);
/// Natural logarithm of 1 - p, 0 < p < 1, without loss of precision for small p.
double portable_log1m(double p);
}  // namespace detail

}  // namespace longhaul
