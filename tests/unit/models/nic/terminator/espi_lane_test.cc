// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/espi_lane.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/unit/times.h"

namespace longhaul::nic::terminator {
namespace {

struct EspiLaneTest : ::testing::Test {
  std::uint32_t credit = 1'000'000;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> moved;
  int done = 0;
  EspiLane lane{
      {8'000'000'000},  // a byte in a nanosecond
      {[this] { return credit; },
       [this](std::uint32_t bytes) { moved.emplace_back(now_ps(), bytes); }, [this] { ++done; }}};
  static void run(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }
};

TEST_F(EspiLaneTest, AFrameTakesItsWordsAndAControlWordABurst) {
  EXPECT_EQ(lane.duration_ps(128), 130 * kNs);
  EXPECT_EQ(lane.duration_ps(129), (130 + 4) * kNs) << "filled up to a word, and another burst";
  lane.set_burst(256);
  EXPECT_EQ(lane.duration_ps(129), 132 * kNs);
  lane.set_training(160, 640);
  EXPECT_EQ(lane.duration_ps(98), 125 * kNs) << "a quarter longer";
  lane.set_training(160, 0);
  EXPECT_EQ(lane.duration_ps(98), 100 * kNs) << "no training";
}

TEST_F(EspiLaneTest, AFrameThatHasBeenComingInEndsAsIfItHadBegunThen) {
  run(kUs);
  lane.begin(128, kUs - 50 * kNs, 0);
  EXPECT_TRUE(lane.busy());
  run(kUs);
  ASSERT_EQ(moved.size(), 1U);
  EXPECT_EQ(moved[0].first, kUs + 80 * kNs);
  EXPECT_EQ(done, 1);
  EXPECT_FALSE(lane.busy());
}

TEST_F(EspiLaneTest, TheLastByteDoesNotComeBeforeItsTime) {
  lane.begin(128, 0, 500 * kNs);
  run(kUs);
  EXPECT_EQ(moved.at(0).first, 500 * kNs);
}

TEST_F(EspiLaneTest, AFrameDoesNotBeginBeforeThePreviousOneHasEnded) {
  lane.begin(128, 0, 0);
  run(200 * kNs);
  lane.begin(128, 0, 0);
  run(kUs);
  EXPECT_EQ(moved.at(1).first, 260 * kNs) << "130 ns after the first one's end";
}

TEST_F(EspiLaneTest, WithoutCreditItWaitsForAKick) {
  credit = 100;
  lane.begin(150, 0, 0);
  run(50 * kNs);
  credit = 0;
  run(kUs);
  ASSERT_EQ(moved.size(), 1U);
  EXPECT_EQ(moved[0], std::make_pair(102 * kNs, 100U));
  EXPECT_EQ(done, 0);
  credit = 100;
  lane.kick();
  lane.kick();
  run(kUs);
  ASSERT_EQ(moved.size(), 2U);
  EXPECT_EQ(moved[1], std::make_pair((50 + 1000 + 52) * kNs, 50U));
  EXPECT_EQ(done, 1);
}

TEST_F(EspiLaneTest, ACancelledFrameDoesNotArrive) {
  lane.begin(128, 0, 0);
  lane.cancel();
  run(kUs);
  EXPECT_FALSE(lane.busy());
  EXPECT_EQ(moved.size(), 0U);
  EXPECT_EQ(done, 0);
}

}  // namespace
}  // namespace longhaul::nic::terminator
