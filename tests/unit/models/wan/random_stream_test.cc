// SPDX-License-Identifier: Apache-2.0
#include "models/wan/random_stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace longhaul {
namespace {

TEST(RandomStream, SameSeedAndLabelGiveTheSameStreamAndOthersDoNot) {
  RandomStream a(1, "x");
  RandomStream b(1, "x");
  RandomStream other_label(1, "y");
  RandomStream other_seed(2, "x");
  int equal_label = 0;
  int equal_seed = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = a.bits();
    ASSERT_EQ(bits, b.bits());
    equal_label += bits == other_label.bits() ? 1 : 0;
    equal_seed += bits == other_seed.bits() ? 1 : 0;
  }
  EXPECT_EQ(equal_label, 0);
  EXPECT_EQ(equal_seed, 0);
}

TEST(RandomStream, EngineIsTheStandards) {
  // The 10000th value of a default mt19937_64, as the C++ standard gives it ([rand.predef]).
  std::mt19937_64 engine;
  engine.discard(9999);
  EXPECT_EQ(engine(), 9981545732273789042ULL);
}

TEST(RandomStream, LogarithmsAgreeWithTheLibrarysToAFewUlps) {
  for (double x : {1.0, 0.999999, 0.75, 0.5, 0.3333, 1e-3, 1e-9, 0x1p-53}) {
    EXPECT_NEAR(detail::portable_log(x), std::log(x), std::abs(std::log(x)) * 1e-15) << x;
  }
  for (double p : {0.9, 0.5, 0.1, 1e-3, 1e-9, 1e-15}) {
    EXPECT_NEAR(detail::portable_log1m(p), std::log1p(-p), std::abs(std::log1p(-p)) * 1e-15) << p;
  }
}

TEST(RandomStream, CertainAndImpossibleTakeNoDraw) {
  RandomStream a(1, "x");
  RandomStream b(1, "x");
  EXPECT_FALSE(a.chance({0}));
  EXPECT_TRUE(a.chance({1}));
  EXPECT_EQ(a.gap({1}), 0U);
  EXPECT_EQ(a.bits(), b.bits());
}

TEST(RandomStream, ChanceKeepsItsProbability) {
  RandomStream stream(7, "chance");
  int hits = 0;
  constexpr int kTrials = 1'000'000;
  for (int i = 0; i < kTrials; ++i) hits += stream.chance({0.01}) ? 1 : 0;
  EXPECT_NEAR(hits, 10'000, 5 * std::sqrt(10'000 * 0.99));  // five standard deviations
}

TEST(RandomStream, GapIsGeometric) {
  RandomStream stream(7, "gap");
  constexpr double kP = 0.05;
  constexpr int kDraws = 200'000;
  double sum = 0;
  int zeros = 0;
  int beyond_20 = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t gap = stream.gap({kP});
    sum += static_cast<double>(gap);
    zeros += gap == 0 ? 1 : 0;
    beyond_20 += gap > 20 ? 1 : 0;
  }
  const double tail = std::pow(1 - kP, 21);
  EXPECT_NEAR(sum / kDraws, (1 - kP) / kP, 5 * std::sqrt((1 - kP) / (kP * kP) / kDraws));
  EXPECT_NEAR(zeros, kDraws * kP, 5 * std::sqrt(kDraws * kP * (1 - kP)));
  EXPECT_NEAR(beyond_20, kDraws * tail, 5 * std::sqrt(kDraws * tail * (1 - tail)));
}

TEST(RandomStream, GapsOfTinyProbabilitiesAreHuge) {
  RandomStream stream(7, "tiny");
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) sum += static_cast<double>(stream.gap({1e-12}));
  EXPECT_NEAR(sum / 10'000, 1e12, 5e12 / 100);
  EXPECT_GE(stream.gap({1e-300}), std::uint64_t{1} << 62);
}

}  // namespace
}  // namespace longhaul
