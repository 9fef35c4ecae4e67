// SPDX-License-Identifier: Apache-2.0
#include "models/memory/flow_book.h"

#include <gtest/gtest.h>

#include "models/common/split_mix.h"

namespace longhaul::memory {
namespace {

constexpr std::size_t kA = 0;
constexpr std::size_t kB = 1;
constexpr std::size_t kC = 2;

/// Quotes and books work at full speed; returns when it is done.
std::uint64_t book(FlowBook& resource, std::size_t flow, std::uint64_t at_ps, std::uint64_t work_ps,
                   bool write = false) {
  const std::uint64_t start_ps = resource.free_ps(flow, at_ps);
  const std::uint64_t end_ps = resource.quote(flow, start_ps, work_ps);
  resource.book(flow, at_ps, start_ps, end_ps, work_ps, write);
  return end_ps;
}

TEST(FlowBook, WorkAloneTakesItsOwnTime) {
  FlowBook resource(2);
  EXPECT_EQ(book(resource, kA, 1'000, 64'000), 65'000U);
  EXPECT_EQ(resource.owed_ps(kA), 0U);
}

TEST(FlowBook, AFlowsOwnWorkQueues) {
  FlowBook resource(2);
  book(resource, kA, 0, 10'000);
  EXPECT_EQ(book(resource, kA, 4'000, 10'000), 20'000U);
  EXPECT_EQ(book(resource, kA, 30'000, 10'000), 40'000U);
}

TEST(FlowBook, TwoFullFlowsGetHalfEachAndTheEarlierIsOwedWhatTheLaterTook) {
  FlowBook resource(2);
  book(resource, kA, 0, 100'000);
  EXPECT_EQ(book(resource, kB, 0, 10'000), 20'000U);
  EXPECT_EQ(resource.owed_ps(kA), 10'000U);
  EXPECT_EQ(book(resource, kA, 100'000, 10'000), 120'000U);
  EXPECT_EQ(resource.owed_ps(kA), 0U);
}

TEST(FlowBook, AFlowThatLeavesTimeIsOwedNothing) {
  FlowBook resource(2);
  resource.book(kA, 0, 0, 100'000, 25'000, false);  // a quarter of the time
  EXPECT_EQ(book(resource, kB, 0, 30'000), 40'000U);
  EXPECT_EQ(resource.owed_ps(kA), 0U);
}

TEST(FlowBook, WhenTheOtherIsDoneTheRestGoesAtFullSpeed) {
  FlowBook resource(2);
  book(resource, kA, 0, 10'000);
  // Half speed beside A until 10 ns moves 5 ns; 25 more follow alone.
  EXPECT_EQ(book(resource, kB, 0, 30'000), 35'000U);
}

TEST(FlowBook, ABookingThatBeginsLaterSlowsWhatIsLeftByThen) {
  FlowBook resource(2);
  book(resource, kA, 20'000, 10'000);
  EXPECT_EQ(book(resource, kB, 0, 24'000), 28'000U);
}

TEST(FlowBook, ThreeFullFlowsLeaveTheLastAThird) {
  FlowBook resource(3);
  book(resource, kA, 0, 300'000);
  book(resource, kB, 0, 300'000);
  EXPECT_EQ(book(resource, kC, 0, 10'000), 30'001U);  // a third is rounded down to 2^-20
}

TEST(FlowBook, DebtIsSharedByHowMuchEachHadBooked) {
  FlowBook resource(3);
  resource.book(kA, 0, 0, 100'000, 75'000, false);
  resource.book(kB, 0, 0, 100'000, 25'000, false);
  resource.book(kC, 0, 0, resource.quote(kC, 0, 10'000), 10'000, false);
  EXPECT_NEAR(static_cast<double>(resource.owed_ps(kA)), 7'500, 1);
  EXPECT_NEAR(static_cast<double>(resource.owed_ps(kB)), 2'500, 1);
}

TEST(FlowBook, WorkThatIsSpreadKeepsItsAmountWhenMoreIsAdded) {
  FlowBook resource(2);
  resource.book(kA, 0, 0, 40'000, 20'000, false);  // half the time until 40 ns
  resource.book(kA, 20'000, 40'000, 80'000, 20'000, false);
  // From 20 to 80 ns A has 10 + 20 ns of work: half of the time, so B gets the other half.
  EXPECT_EQ(resource.quote(kB, 20'000, 30'000), 80'000U);
}

TEST(FlowBook, ASingleItemWaitsForAnItemOfEachOtherAsOftenAsItHasOne) {
  FlowBook resource(3);
  resource.book(kA, 0, 0, 100'000, 50'000, false);
  resource.book(kB, 0, 0, 100'000, 25'000, false);
  EXPECT_EQ(resource.wait_ps(kC, 50'000, 10'000), 7'500U);
  EXPECT_EQ(resource.wait_ps(kA, 50'000, 10'000), 2'500U);
  EXPECT_EQ(resource.wait_ps(kC, 100'000, 10'000), 0U);
}

TEST(FlowBook, OppositeWorkIsWhatOthersMoveTheOtherWayMeanwhile) {
  FlowBook resource(3);
  resource.book(kA, 0, 0, 100'000, 50'000, true);
  resource.book(kB, 0, 0, 100'000, 50'000, false);
  EXPECT_EQ(resource.opposite_ps(kC, 20'000, 60'000, false), 20'000U);
  EXPECT_EQ(resource.opposite_ps(kC, 80'000, 160'000, true), 10'000U);
  EXPECT_EQ(resource.opposite_ps(kA, 0, 100'000, false), 0U);
}

TEST(FlowBook, WhoeverIsAloneIsToldWhatAWalkThroughAllBookingsTells) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    FlowBook quick(4);
    FlowBook walked(4);
    // A booking without work takes nothing from anybody, but nobody is alone beside it.
    walked.book(3, 0, 0, ~0ULL >> 1, 0, false);
    std::uint64_t state = seed;
    const auto random = [&state](std::uint64_t below) {
      state += kSplitMixIncrement;
      return split_mix(state) % below;
    };
    std::uint64_t now_ps = 0;
    for (int i = 0; i < 2'000; ++i) {
      now_ps += random(3) == 0 ? random(400'000) : random(20'000);
      const std::size_t flow = random(3);
      const bool write = random(2) == 0;
      const std::uint64_t work_ps = 1 + random(60'000);
      const std::uint64_t start_ps = quick.free_ps(flow, now_ps + random(50'000));
      ASSERT_EQ(walked.free_ps(flow, start_ps), start_ps);
      const std::uint64_t quoted_ps = quick.quote(flow, start_ps, work_ps);
      ASSERT_EQ(walked.quote(flow, start_ps, work_ps), quoted_ps) << seed << ", " << i;
      ASSERT_EQ(walked.wait_ps(flow, start_ps, 10'000), quick.wait_ps(flow, start_ps, 10'000))
          << seed << ", " << i;
      ASSERT_EQ(walked.opposite_ps(flow, start_ps, quoted_ps, write),
                quick.opposite_ps(flow, start_ps, quoted_ps, write));
      const std::uint64_t end_ps = quoted_ps + (random(4) == 0 ? random(80'000) : 0);
      quick.book(flow, now_ps, start_ps, end_ps, work_ps, write);
      walked.book(flow, now_ps, start_ps, end_ps, work_ps, write);
      for (std::size_t each = 0; each < 3; ++each)
        ASSERT_EQ(walked.owed_ps(each), quick.owed_ps(each));
    }
  }
}

}  // namespace
}  // namespace longhaul::memory
