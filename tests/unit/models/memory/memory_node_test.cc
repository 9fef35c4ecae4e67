// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_node.h"

#include <gtest/gtest.h>

#include <memory>

namespace longhaul::memory {
namespace {

constexpr std::size_t kDma = 0;
constexpr std::size_t kCore = 1;
constexpr std::uint64_t kMicrosecond = 1'000'000;

/// A node of two channels of DDR400: a line of 64 B takes 10 ns, CL 15, tRCD 15, tRP 15 ns; read
/// gap 25, write gap 10 ns.
class MemoryNodeTest : public ::testing::Test {
 protected:
  void build(const DramParams& params = {}) {
    node = std::make_unique<MemoryNode>("node", params, 3);
    sc_core::sc_start(from_ps(kMicrosecond));
  }
  NodePlan access(std::size_t flow, std::uint64_t address, std::uint64_t lines, bool write = false,
                  std::uint32_t ahead = 8, std::uint64_t spread_ps = 0) {
    const NodeAccess access{flow, address, lines * 64, lines, write, ahead};
    NodePlan plan;
    node->plan(access, now_ps(), plan);
    node->book(access, plan, plan.end_ps + spread_ps);
    return plan;
  }
  std::uint64_t after(std::uint64_t ps) const { return kMicrosecond + ps; }
  std::unique_ptr<MemoryNode> node;
};

TEST_F(MemoryNodeTest, ALineTakesItsClocksOnAllChannelsTogether) {
  EXPECT_EQ(MemoryNode("two", DramParams{}, 1).line_ps(), 10'000U);
  DramParams one;
  one.channels.value = 1;
  EXPECT_EQ(MemoryNode("one", one, 1).line_ps(), 20'000U);
  set_speed_grade(one, "ddr266", "test");
  EXPECT_EQ(MemoryNode("slow", one, 1).line_ps(), 30'000U);
  set_speed_grade(one, "pc133", "test");
  EXPECT_EQ(MemoryNode("sdr", one, 1).line_ps(), 60'000U);
}

TEST_F(MemoryNodeTest, ConsecutiveLinesOfAnOpenRowRunAtPeak) {
  build();
  access(kCore, 0, 1);
  sc_core::sc_start(from_ps(kMicrosecond));
  const NodePlan plan = access(kCore, 64, 200);
  EXPECT_EQ(plan.row_ps, 0U);
  EXPECT_EQ(plan.end_ps - now_ps(), 200U * 10'000U);
  EXPECT_EQ(node->row_opens.value(), 1U);
  EXPECT_EQ(node->busy_ps.value(), 201U * 10'000U);
}

TEST_F(MemoryNodeTest, AStreamOpensItsRowsAheadAndStaysAtPeak) {
  build();
  // 512 lines are two rows of 256; with 8 lines known ahead, 70 ns, the second row is open in time.
  EXPECT_EQ(access(kCore, 0, 512).end_ps, after(15'000 + 512 * 10'000));
  EXPECT_EQ(node->row_opens.value(), 2U);
}

TEST_F(MemoryNodeTest, AStreamThatKnowsOfOneLineWaitsForEveryRow) {
  build();
  EXPECT_EQ(access(kCore, 0, 512, false, 1).end_ps, after(15'000 + 512 * 10'000 + 15'000));
}

TEST_F(MemoryNodeTest, AStreamThroughMoreRowsThanBanksClosesRowsAhead) {
  build();
  // Nine rows of 256 lines on 8 banks: the ninth needs the first's bank. 23.04 us hold two
  // refreshes of 70 ns.
  const NodePlan plan = access(kCore, 0, 9 * 256);
  EXPECT_EQ(plan.stall_ps, 0U);
  EXPECT_EQ(plan.end_ps, after(15'000 + 9 * 256 * 10'000 + 3 * 70'000));
  EXPECT_EQ(node->row_opens.value(), 9U);
}

TEST_F(MemoryNodeTest, ARowConflictCostsPrechargeAndActivation) {
  build();
  access(kCore, 0, 1);
  sc_core::sc_start(from_ps(kMicrosecond));
  EXPECT_EQ(access(kCore, 8 * 16384, 1).end_ps - now_ps(), 30'000U + 10'000U);
  EXPECT_EQ(node->row_conflicts.value(), 1U);
}

TEST_F(MemoryNodeTest, RandomLinesOfOneBankComeNoFasterThanItsRowCycle) {
  build();
  std::uint64_t end_ps = 0;
  for (std::uint64_t i = 0; i < 10; ++i) end_ps = access(kDma, i * 8 * 16384, 1).end_ps;
  // All wait from the start; each activation 55 ns after the one before.
  EXPECT_EQ(end_ps, after(9 * 55'000 + 15'000 + 10'000));
}

TEST_F(MemoryNodeTest, TheOtherDirectionWaitsForTheBusToTurn) {
  build();
  access(kDma, 0, 1);  // data until 25 ns
  EXPECT_EQ(access(kDma, 64, 1, true).end_ps, after(25'000 + 10'000 + 10'000));
  EXPECT_EQ(access(kDma, 128, 1).end_ps, after(45'000 + 25'000 + 10'000));
  EXPECT_EQ(access(kDma, 192, 1).end_ps, after(90'000));
}

TEST_F(MemoryNodeTest, TrafficBothWaysTurnsOnceInSoManyLines) {
  build();
  access(kCore, 0, 100, false, 8, 1'000'000);
  // 100 lines of reads go on beside these writes, so the bus turns 20 times, 35 ns there and back.
  const NodePlan writes = access(2, 16384, 100, true);
  EXPECT_EQ(writes.work_ps, 100U * 10'000U + 20U * 35'000U);
  EXPECT_EQ(node->turn_ps.value(), 20U * 35'000U);
}

TEST_F(MemoryNodeTest, WhatARefreshMeetsWaitsForIt) {
  build();
  sc_core::sc_start(from_ps(7'790'000 - kMicrosecond));
  EXPECT_EQ(access(kDma, 0, 4).end_ps,
            7'870'000U + 40'000U);  // the row is open at 7.805 us, in the refresh
  sc_core::sc_start(from_ps(15'500'000 - 7'790'000));
  EXPECT_EQ(access(kDma, 0, 20).end_ps, 15'500'000U + 15'000U + 200'000U + 70'000U);
}

TEST_F(MemoryNodeTest, DmaIntoTheBankThatACoreStreamsFromCostsBothARow) {
  build();
  access(kCore, 0, 256, false, 8, 1'000'000);  // in row 0 until far beyond 100 ns
  sc_core::sc_start(from_ps(100'000));
  const NodePlan first = access(kDma, 8 * 16384, 8);
  EXPECT_EQ(first.row_ps, 30'000U);
  EXPECT_EQ(node->row_conflicts.value(), 2U);  // the device's, and the core's when it goes on
  sc_core::sc_start(from_ps(500'000));
  EXPECT_EQ(access(kDma, 8 * 16384 + 512, 8).row_ps, 30'000U);
  EXPECT_EQ(node->row_conflicts.value(), 4U);
  // In another bank nobody minds.
  EXPECT_EQ(access(kDma, 16384, 8).row_ps, 15'000U);
  EXPECT_EQ(node->row_conflicts.value(), 4U);
}

TEST_F(MemoryNodeTest, TheCorePaysInItsNextAccessForTheRowItHadToOpenAgain) {
  build();
  const NodePlan stream = access(kCore, 0, 256, false, 8, 3'000'000);
  sc_core::sc_start(from_ps(100'000));
  access(kDma, 8 * 16384, 1);
  sc_core::sc_start(from_ps(stream.end_ps + 3'000'000 - now_ps()));
  EXPECT_EQ(access(kCore, 0, 10).end_ps - now_ps(), 10U * 10'000U + 30'000U);
}

}  // namespace
}  // namespace longhaul::memory
