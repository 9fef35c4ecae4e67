// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

/// A number that others are divided by very often: a shift where it is a power of two, as pages, banks, lines and packets mostly are.
class Divisor {
 public:
  explicit Divisor(std::uint64_t value)
      : value_(value),
        shift_((value & (value - 1)) == 0 ? static_cast<std::uint32_t>(__builtin_ctzll(value)) : kNone) {}

  std::uint64_t value() const { return value_; }
  std::uint64_t quotient(std::uint64_t x) const { return shift_ == kNone ? x / value_ : x >> shift_; }
  std::uint64_t remainder(std::uint64_t x) const { return shift_ == kNone ? x % value_ : x & (value_ - 1); }

 private:
  static constexpr std::uint32_t kNone = 64;
  std::uint64_t value_;
  std::uint32_t shift_;
};

}  // namespace longhaul
