// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_time.h"

#include <gtest/gtest.h>

namespace longhaul::wan {
namespace {

TEST(Gnet1Time, CountsHundredsOfNanosecondsAndFourBelow) {
  EXPECT_EQ(Gnet1Time::of_ps(20'016'000).word, 200U << 5 | 4U);
  EXPECT_EQ(Gnet1Time::of_ps(20'016'001).word, 200U << 5 | 5U) << "rounded up";
  EXPECT_EQ(Gnet1Time::of_clocks(3).word, 24U) << "96 ns";
  EXPECT_EQ(Gnet1Time::of_clocks(4).word, 1U << 5 | 7U) << "128 ns";
}

TEST(Gnet1Time, SumsAndDifferencesCarry) {
  for (std::uint64_t a = 0; a < 60; ++a) {
    for (std::uint64_t b = 0; b <= a; ++b) {
      EXPECT_EQ(Gnet1Time::of_quads(a) + Gnet1Time::of_quads(b), Gnet1Time::of_quads(a + b));
      EXPECT_EQ(Gnet1Time::of_quads(a) - Gnet1Time::of_quads(b), Gnet1Time::of_quads(a - b));
    }
  }
}

TEST(Gnet1Time, ComparesAcrossTheWrap) {
  const Gnet1Time before{0xffff'ffe0};
  const Gnet1Time after = before + Gnet1Time{5U << 5};
  EXPECT_LT(after.word, before.word);
  EXPECT_TRUE(reached(after, before));
  EXPECT_FALSE(reached(before, after));
  EXPECT_TRUE(reached(before, before));
}

}  // namespace
}  // namespace longhaul::wan
