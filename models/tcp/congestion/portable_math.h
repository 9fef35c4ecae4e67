// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace longhaul::tcp {

// Elementary functions in basic operations of IEEE 754. The last bit of a library function differs
// between systems; the results of a run must not.

/// Cube root of x >= 0, to a few units of the last place.
inline double portable_cbrt(double x) {
  if (x <= 0) return 0;
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // exact
  const int thirds = exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3);
  const double reduced = std::ldexp(mantissa, exponent - 3 * thirds);  // in [0.5, 4)
  double root = 1.0;
  for (int i = 0; i < 8; ++i) root = (2 * root + reduced / (root * root)) / 3;
  return std::ldexp(root, thirds);
}

/// Natural logarithm of x > 0.
inline double portable_log(double x) {
  constexpr double kLn2 = 0.693147180559945309417;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // in [0.5, 1)
  if (mantissa < 0.70710678118654752440) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 atanh((m - 1) / (m + 1)), |argument| < 0.172.
  const double z = (mantissa - 1) / (mantissa + 1);
  const double zz = z * z;
  double sum = 0;
  for (int k = 25; k >= 1; k -= 2) sum = sum * zz + 1.0 / k;
  return exponent * kLn2 + 2 * z * sum;
}

/// e to the power of x, |x| < 700.
inline double portable_exp(double x) {
  constexpr double kLn2 = 0.693147180559945309417;
  const double steps = std::floor(x / kLn2 + 0.5);
  const double rest = x - steps * kLn2;  // |rest| <= 0.35
  double sum = 1;
  for (int k = 16; k >= 1; --k) sum = 1 + rest * sum / k;
  return std::ldexp(sum, static_cast<int>(steps));
}

}  // namespace longhaul::tcp
