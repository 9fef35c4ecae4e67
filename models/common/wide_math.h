// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/divisor.h"

namespace longhaul {

struct Division {
  std::uint64_t quotient;
  std::uint64_t rest;
};

/// Divides 128 bits by 64. The quotient must fit 64 bits. Nearly all dividends fit 64 bits; only a
/// wider one calls the library function for 128 bits.
constexpr Division divide(unsigned __int128 dividend, std::uint64_t divisor) {
  if (dividend >> 64 == 0) {
    const auto narrow = static_cast<std::uint64_t>(dividend);
    return {narrow / divisor, narrow % divisor};
  }
  return {static_cast<std::uint64_t>(dividend / divisor),
          static_cast<std::uint64_t>(dividend % divisor)};
}

/// Divides by a divisor that is known beforehand.
constexpr Division divide(unsigned __int128 dividend, const Divisor& divisor) {
  if (dividend >> 64 != 0) return divide(dividend, divisor.value());
  const auto narrow = static_cast<std::uint64_t>(dividend);
  const std::uint64_t quotient = divisor.quotient(narrow);
  return {quotient, narrow - quotient * divisor.value()};
}

/// (a * b + add) / c. The quotient must fit 64 bits.
template <class By>
constexpr std::uint64_t times_over(std::uint64_t a, std::uint64_t b, std::uint64_t add,
                                   const By& c) {
  return divide(static_cast<unsigned __int128>(a) * b + add, c).quotient;
}

}  // namespace longhaul
