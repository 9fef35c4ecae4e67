// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/divisor.h"

namespace longhaul {

struct Division {
  std::uint64_t quotient;
  std::uint64_t rest;
};

/// Divides 128 bits by 64; the quotient must have 64. Of 128 bits it is a call into a library, and
/// hardly ever needed.
constexpr Division divide(unsigned __int128 dividend, std::uint64_t divisor) {
  if (dividend >> 64 == 0) {
    const auto narrow = static_cast<std::uint64_t>(dividend);
    return {narrow / divisor, narrow % divisor};
  }
  return {static_cast<std::uint64_t>(dividend / divisor),
          static_cast<std::uint64_t>(dividend % divisor)};
}

/// The same by a divisor that is known beforehand.
constexpr Division divide(unsigned __int128 dividend, const Divisor& divisor) {
  if (dividend >> 64 != 0) return divide(dividend, divisor.value());
  const auto narrow = static_cast<std::uint64_t>(dividend);
  const std::uint64_t quotient = divisor.quotient(narrow);
  return {quotient, narrow - quotient * divisor.value()};
}

/// a * b + add, divided by `c`.
template <class By>
constexpr std::uint64_t times_over(std::uint64_t a, std::uint64_t b, std::uint64_t add,
                                   const By& c) {
  return divide(static_cast<unsigned __int128>(a) * b + add, c).quotient;
}

}  // namespace longhaul
