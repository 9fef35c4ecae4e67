// SPDX-License-Identifier: Apache-2.0
#include "models/common/wide_math.h"

#include <gtest/gtest.h>

namespace longhaul {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000'000ULL;

TEST(WideMath, DividesWhatFitsIntoSixtyFourBitsAndWhatDoesNot) {
  static_assert(divide(17, 5).quotient == 3 && divide(17, 5).rest == 2);
  const unsigned __int128 wide = (static_cast<unsigned __int128>(7) << 64) + 5;
  const Division division = divide(wide, 16);
  EXPECT_EQ(division.quotient, 7ULL << 60);
  EXPECT_EQ(division.rest, 5U);
}

TEST(WideMath, AProductMayExceedSixtyFourBits) {
  EXPECT_EQ(times_over(10, 30, 7, 3), 102U);
  // A day of octets at 10 Gb/s, in picoseconds.
  constexpr std::uint64_t kOctets = 86'400ULL * 1'250'000'000ULL;
  EXPECT_EQ(times_over(kOctets, kSecond, 0, 1'250'000'000ULL), 86'400ULL * kSecond);
  EXPECT_EQ(times_over(kOctets, kSecond, 1'249'999'999ULL, 1'250'000'000ULL), 86'400ULL * kSecond);
}

}  // namespace
}  // namespace longhaul
