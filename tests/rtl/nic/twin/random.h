// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

namespace longhaul::nic_twin {

/// Draws of a test. The same seed gives the same numbers with every library and on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// A number below `end`, which is not 0.
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  /// A number from `low` to `high`, both included.
  std::uint64_t within(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }
  bool one_in(std::uint64_t times) { return below(times) == 0; }
  bool coin() { return one_in(2); }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + below(choices.size()));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace longhaul::nic_twin
