// SPDX-License-Identifier: Apache-2.0
#include "models/wan/rate_limiter.h"

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace longhaul {
namespace {

using Mode = RateLimiter::Mode;
constexpr BitRate kGigabit{1'000'000'000};  // 1250 B take 10 us

TEST(RateLimiter, WithoutARateEverythingLeavesAtOnce) {
  RateLimiter limiter;
  EXPECT_FALSE(limiter.active());
  EXPECT_EQ(limiter.pass(1250, 5), 5U);
  EXPECT_EQ(limiter.pass(1250, 5), 5U);
}

TEST(RateLimiter, ShapesToTheExactRate) {
  RateLimiter limiter;
  limiter.set(kGigabit, Mode::kShape, {0}, {1'000'000});
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(limiter.pass(1250, 0), i * 10 * kUs);
  EXPECT_EQ(limiter.backlog(0), 99U * 1250);
  EXPECT_EQ(limiter.backlog(10 * kUs), 98U * 1250);
  EXPECT_EQ(limiter.backlog(990 * kUs), 0U);
  EXPECT_EQ(limiter.pass(1250, 2000 * kUs), 2000 * kUs);
}

TEST(RateLimiter, ABurstPassesBeforeTheRateHolds) {
  RateLimiter limiter;
  limiter.set(kGigabit, Mode::kShape, {5000}, {1'000'000});
  for (int i = 0; i < 4; ++i) ASSERT_EQ(limiter.pass(1250, 0), 0U);
  EXPECT_EQ(limiter.pass(1250, 0), 10 * kUs);
  EXPECT_EQ(limiter.pass(1250, 0), 20 * kUs);
  // The bucket fills up again while nothing comes.
  for (int i = 0; i < 4; ++i) ASSERT_EQ(limiter.pass(1250, 1000 * kUs), 1000 * kUs);
  EXPECT_EQ(limiter.pass(1250, 1000 * kUs), 1010 * kUs);
}

TEST(RateLimiter, AFullQueueDropsAndTheDroppedUseNoRate) {
  RateLimiter limiter;
  limiter.set(kGigabit, Mode::kShape, {0}, {2500});
  EXPECT_EQ(limiter.pass(1250, 0), 0U);
  EXPECT_EQ(limiter.pass(1250, 0), 10 * kUs);
  EXPECT_EQ(limiter.pass(1250, 0), 20 * kUs);
  EXPECT_FALSE(limiter.pass(1250, 0));
  EXPECT_FALSE(limiter.pass(1250, 10 * kUs - 1));
  EXPECT_EQ(limiter.pass(1250, 10 * kUs), 30 * kUs);
}

TEST(RateLimiter, ThePolicerDropsWhatDoesNotConform) {
  RateLimiter limiter;
  limiter.set(kGigabit, Mode::kPolice, {2500}, {0});
  EXPECT_TRUE(limiter.pass(1250, 0));
  EXPECT_TRUE(limiter.pass(1250, 0));
  EXPECT_FALSE(limiter.pass(1250, 0));
  EXPECT_FALSE(limiter.pass(1250, 10 * kUs - 1));
  EXPECT_EQ(limiter.pass(1250, 10 * kUs), 10 * kUs);
}

TEST(RateLimiter, OddRatesDoNotDrift) {
  RateLimiter limiter;
  constexpr BitRate kOdd{997'331'117};
  limiter.set(kOdd, Mode::kShape, {0}, {1ULL << 40});
  std::uint64_t leaves = 0;
  for (int i = 0; i <= 1'000'000; ++i) leaves = *limiter.pass(1518, leaves);
  EXPECT_EQ(leaves, transfer_ps(1'518'000'000ULL, kOdd));
}

TEST(RateLimiter, AChangeOfRateKeepsTheOrder) {
  RateLimiter limiter;
  limiter.set(kGigabit, Mode::kShape, {0}, {1'000'000});
  limiter.pass(1250, 0);
  EXPECT_EQ(limiter.pass(1250, 0), 10 * kUs);
  limiter.set({10'000'000'000}, Mode::kShape, {0}, {1'000'000});
  EXPECT_EQ(limiter.pass(1250, 0), 20 * kUs);
  EXPECT_EQ(limiter.pass(1250, 0), 21 * kUs);
  limiter.set({0}, Mode::kShape, {0}, {0});
  EXPECT_EQ(limiter.pass(1250, 0), 21 * kUs);
}

}  // namespace
}  // namespace longhaul
