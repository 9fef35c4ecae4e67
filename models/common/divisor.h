// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

/// A number that others are divided by very often: a shift where it is a power of two, as pages,
/// banks, lines and packets mostly are, else a multiplication and shifts. Exact for every dividend.
///
/// Source: T. Granlund, P. Montgomery, Division by Invariant Integers using Multiplication, PLDI
/// 1994, figure 4.1.
class Divisor {
 public:
  /// `value`: not zero.
  explicit constexpr Divisor(std::uint64_t value) : value_(value) {
    if ((value & (value - 1)) == 0) {
      shift_ = static_cast<std::uint32_t>(__builtin_ctzll(value));
      return;
    }
    const auto bits = 64U - static_cast<std::uint32_t>(__builtin_clzll(value));
    const std::uint64_t above = (bits == 64 ? 0 : 1ULL << bits) -
                                value;  // the next power of two less the value, modulo 2^64
    factor_ = static_cast<std::uint64_t>((static_cast<unsigned __int128>(above) << 64) / value) + 1;
    shift_ = bits - 1;
  }

  constexpr std::uint64_t value() const { return value_; }
  constexpr std::uint64_t quotient(std::uint64_t x) const {
    if (factor_ == 0) return x >> shift_;
    const auto high = static_cast<std::uint64_t>(static_cast<unsigned __int128>(factor_) * x >> 64);
    return (high + ((x - high) >> 1)) >> shift_;
  }
  constexpr std::uint64_t remainder(std::uint64_t x) const {
    return factor_ == 0 ? x & (value_ - 1) : x - quotient(x) * value_;
  }

 private:
  std::uint64_t value_;
  std::uint64_t factor_ = 0;  // 0: a power of two
  std::uint32_t shift_ = 0;
};

}  // namespace longhaul
