// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

/// A divisor that is used very often, with a precomputed reciprocal. Exact for every dividend.
///
/// A power of two, as most sizes of pages, banks, lines and packets, divides by a shift. Other
/// divisors take a multiplication and shifts.
///
/// Source: T. Granlund, P. Montgomery, Division by Invariant Integers using Multiplication, PLDI
/// 1994, figure 4.1.
class Divisor {
 public:
  /// `value` is not zero.
  explicit constexpr Divisor(std::uint64_t value) : value_(value) {
    if ((value & (value - 1)) == 0) {
      shift_ = static_cast<std::uint32_t>(__builtin_ctzll(value));
      return;
    }
    const auto bits = 64U - static_cast<std::uint32_t>(__builtin_clzll(value));
    // The next power of two less the value, modulo 2^64.
    const std::uint64_t above = (bits == 64 ? 0 : 1ULL << bits) - value;
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
