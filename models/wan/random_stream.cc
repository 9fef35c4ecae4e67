// SPDX-License-Identifier: Apache-2.0
#include "models/wan/random_stream.h"

#include <cmath>

#include "models/common/split_mix.h"

namespace longhaul {
namespace {

constexpr double kLn2 = 0.693147180559945309417232121458;

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3ULL;
  return hash;
}

/// 2 atanh(z) for |z| <= 1/3, by its series.
double twice_atanh(double z) {
  const double square = z * z;
  double sum = 0;
  for (int k = 35; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * z * sum;
}

}  // namespace

namespace detail {

double portable_log(double x) {
  if (x >= 0.5) return twice_atanh((x - 1) / (x + 1));  // exactly 0 at 1
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // exact
  return exponent * kLn2 + twice_atanh((mantissa - 1) / (mantissa + 1));
}

double portable_log1m(double p) {
  return p <= 0.5 ? twice_atanh(-p / (2 - p)) : portable_log(1 - p);
}

}  // namespace detail

RandomStream::RandomStream(std::uint64_t seed, const std::string& label)
    : engine_(split_mix(split_mix(seed) ^ fnv1a(label))) {}

bool RandomStream::chance(Probability p) {
  if (p.share <= 0) return false;
  if (p.share >= 1) return true;
  return engine_() <
         static_cast<std::uint64_t>(p.share * 18446744073709551616.0);  // 2^64, exact scaling
}

std::uint64_t RandomStream::gap(Probability p) {
  if (p.share >= 1) return 0;
  const double uniform = static_cast<double>((engine_() >> 11) + 1) * 0x1p-53;  // (0, 1]
  const double trials = detail::portable_log(uniform) / detail::portable_log1m(p.share);
  return trials < 9e18 ? static_cast<std::uint64_t>(trials) : static_cast<std::uint64_t>(9e18);
}

}  // namespace longhaul
