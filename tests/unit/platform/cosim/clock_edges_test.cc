// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/clock_edges.h"

#include <gtest/gtest.h>

namespace longhaul::cosim {
namespace {

std::uint64_t edge(ClockEdges edges, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) edges.advance();
  return edges.next_ps();
}

TEST(ClockEdges, NominalClocksHaveWholePeriods) {
  const ClockEdges edges(units::MHz(125), 0, 1234);
  EXPECT_EQ(edge(edges, 0), 1234U);
  EXPECT_EQ(edge(edges, 1), 9234U);
  EXPECT_EQ(edge(edges, 1000), 1234U + 8'000'000U);
}

TEST(ClockEdges, AnOffsetIsExactAndDoesNotDrift) {
  // 125 MHz + 100 ppm: 8000 / 1.0001 = 7999.20007999...; edge 10001 * k is at 10000 * k * 8000 ps.
  const ClockEdges fast(units::MHz(125), 100, 0);
  EXPECT_EQ(edge(fast, 1), 7999U);
  EXPECT_EQ(edge(fast, 2), 15998U);
  EXPECT_EQ(edge(fast, 5), 39996U);
  EXPECT_EQ(edge(fast, 10001), 80'000'000U);
  EXPECT_EQ(edge(fast, 10001 * 50), 80'000'000U * 50);
  // - 100 ppm: edge 9999 at 10000 * 8000 ps.
  const ClockEdges slow(units::MHz(125), -100, 0);
  EXPECT_EQ(edge(slow, 1), 8000U);
  EXPECT_EQ(edge(slow, 2), 16001U);
  EXPECT_EQ(edge(slow, 9999), 80'000'000U);
  EXPECT_EQ(edge(slow, 9999 * 50), 80'000'000U * 50);
}

TEST(ClockEdges, DividedClocksCoincideWithTheirSourceWhateverTheOffset) {
  ClockEdges source(units::MHz(125), 37.219, 0);
  ClockEdges half({62'500'000}, 37.219, 0);
  ClockEdges quarter({31'250'000}, 37.219, 0);
  for (int i = 0; i < 100'000; ++i) {
    if (i % 2 == 0) {
      ASSERT_EQ(half.next_ps(), source.next_ps());
      half.advance();
    }
    if (i % 4 == 0) {
      ASSERT_EQ(quarter.next_ps(), source.next_ps());
      quarter.advance();
    }
    source.advance();
  }
}

TEST(ClockEdges, APeriodThatIsNoWholeNumberIsKept) {
  const ClockEdges edges({133'333'333}, 0, 0);
  EXPECT_EQ(edge(edges, 1), 7500U);
  EXPECT_EQ(edge(edges, 1'333'333), 9'999'997'524U);  // floor of 1333333 / 133333333 s
}

TEST(ClockEdges, SkippingIsTheSameAsTakingEveryEdge) {
  for (const double ppm : {0.0, 100.0, -100.0, 3.217}) {
    ClockEdges walked(units::MHz(125), ppm, 777);
    ClockEdges skipped = walked;
    for (const std::uint64_t target :
         {0ULL, 777ULL, 778ULL, 8776ULL, 8777ULL, 1'000'003ULL, 900'000'000ULL}) {
      std::uint64_t count = 0;
      for (; walked.next_ps() <= target; ++count) walked.advance();
      EXPECT_EQ(skipped.skip_past(target), count);
      ASSERT_EQ(skipped.next_ps(), walked.next_ps()) << ppm << " ppm, past " << target;
    }
    for (int i = 0; i < 1000; ++i) {
      walked.advance();
      skipped.advance();
      ASSERT_EQ(skipped.next_ps(), walked.next_ps());
    }
  }
}

TEST(ClockEdges, AClockFallsHalfAPeriodAfterItsLastRise) {
  ClockEdges edges(units::MHz(125), 0, 100);
  edges.advance();
  EXPECT_EQ(edges.fall_ps(), 4100U);
}

}  // namespace
}  // namespace longhaul::cosim
