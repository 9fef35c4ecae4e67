// SPDX-License-Identifier: Apache-2.0
#include "models/memory/flow_book.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace longhaul::memory
