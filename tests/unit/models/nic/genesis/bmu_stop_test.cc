// SPDX-License-Identifier: Apache-2.0
// What ends the work of a queue: STOP, resets, errors on the bus and in descriptors.
#include <gmock/gmock.h>

#include "tests/unit/models/nic/genesis/bmu_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using ::testing::ElementsAre;

TEST_F(BmuTest, StopOfALoadedDescriptorGoesIdleAtOnceAndStartReadsItAgain) {
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  command(regs::kCsrFields.stop);
  EXPECT_TRUE(idle());
  EXPECT_FALSE(bmu.loaded());
  command(regs::kCsrFields.start);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "r 1000 32"));
}

TEST_F(BmuTest, StopDuringAReadIdlesWhenItEnds) {
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(100);
  command(regs::kCsrFields.stop);
  EXPECT_FALSE(idle());
  run_ns(240);
  EXPECT_TRUE(idle());
  EXPECT_FALSE(bmu.loaded());
}

TEST_F(BmuTest, StopLetsTheDescriptorInHandEnd) {
  describe(0, kGiven | 100);
  describe(1, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  command(regs::kCsrFields.stop);
  bmu.finish(0);
  run_ns(10'000);
  EXPECT_TRUE(idle());
  EXPECT_EQ(word(at(0)), 0U);
  EXPECT_EQ(read(regs::q::kDaL), at(1));
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "w 1000 4"));
  command(regs::kCsrFields.start);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, StartTakesAStopBack) {
  describe(0, kGiven | 100);
  describe(1, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  command(regs::kCsrFields.stop);
  command(regs::kCsrFields.start);
  bmu.finish(0);
  run_ns(10'000);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, ResetGivesUpAllThatHasNotReachedTheBus) {
  describe(0, kGiven | 4000);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  bmu.fetch(0, data.data(), 2048);  // four reads of 512
  run_ns(50);                       // the second one asks for the bus
  command(regs::kCsrFields.rst);
  EXPECT_TRUE(idle());
  EXPECT_THAT(aborted, ElementsAre("queue reset"));
  EXPECT_EQ(bmu.transfers(), 0U);
  on_data = [] { FAIL() << "a transfer of before the reset ended"; };
  run_ns(10'000);
  EXPECT_EQ(bus.seen.size(), 3U);  // the descriptor and two of the four
  EXPECT_EQ(data[0], 0x77);
  EXPECT_TRUE(dma.idle());
  command(regs::kCsrFields.run);
  run_ns(10'000);
  EXPECT_EQ(bus.seen.size(), 3U);
  command(regs::kCsrFields.start);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, ResetDuringTheWriteBackLeavesTheDescriptor) {
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  bmu.finish(0, Bmu::Status{1, 2, 3});
  run_ns(10);
  command(regs::kCsrFields.rst);
  run_ns(10'000);
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "w 1010 12"));
  EXPECT_EQ(word(at(0)), kGiven | 100);
  EXPECT_EQ(bmu.causes(), 0U);
}

TEST_F(BmuTest, AnotherEncodingStopsTheQueueWithTheCheckCause) {
  describe(0, (kGiven & ~(0xffU << 16)) | 0x54U << 16 | 100);
  command(regs::kCsrFields.start);
  run_ns(10'000);
  EXPECT_EQ(bmu.causes(), regs::kIsrcFields.r1_c);
  EXPECT_TRUE(idle());
  EXPECT_FALSE(bmu.loaded());
  EXPECT_EQ(bus.seen.size(), 1U);
  command(regs::kCsrFields.irq_cl_c);
  EXPECT_EQ(bmu.causes(), 0U);
  for (const std::uint32_t check : {0x55U, 0x56U, 0x57U}) {
    describe(0, (kGiven & ~(0xffU << 16)) | check << 16 | 100);
    command(regs::kCsrFields.start);
    run_ns(1000);
    EXPECT_TRUE(bmu.loaded()) << check;
    command(regs::kCsrFields.stop);
  }
}

TEST_F(BmuTest, ErrorOnTheBusStopsTheQueue) {
  bus.hole_begin = 0x1000;
  command(regs::kCsrFields.start);
  run_ns(10'000);
  EXPECT_EQ(bmu.causes(), regs::kIsrcFields.r1_c);
  EXPECT_THAT(bus_errors, ElementsAre(pcix::DmaStatus::kMasterAbort));
  EXPECT_THAT(aborted, ElementsAre("error on the bus"));
  EXPECT_TRUE(idle());
  bus.hole_begin = ~0ULL;
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, ErrorOfTheDataKeepsTheDescriptorUnreturned) {
  describe(0, kGiven | 100);
  bus.hole_begin = kBuffer;
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  bmu.store(0, data.data(), 100, 100);
  bmu.finish(0, Bmu::Status{1, 2, 3});
  run_ns(10'000);
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "w 8002 100"));
  EXPECT_EQ(word(at(0)), kGiven | 100);
  EXPECT_EQ(bmu.causes(), regs::kIsrcFields.r1_c);
  EXPECT_EQ(read(regs::q::kDaL), kRing);
}

TEST_F(BmuTest, TheListMayLieAboveFourGigabytes) {
  bus.hole_begin = 1U << 20;
  bus.hole_response = tlm::TLM_OK_RESPONSE;  // reads as what lay in the chip
  write(regs::q::kDaH, 0x3);
  write(regs::q::kDaL, 0x2007);  // quadwords
  command(regs::kCsrFields.start);
  run_ns(10'000);
  EXPECT_THAT(seen(), ElementsAre("r 300002000 32"));
  EXPECT_EQ(read(regs::q::kDaL), 0x2000U);
}

TEST_F(BmuTest, KnowsTheRingThatItHasSeen) {
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(bmu.ring_memory(), Range(0, 0));
  for (int i = 0; i < 4; ++i) describe(i, kGiven | 100);
  command(regs::kCsrFields.start);
  for (int i = 0; i < 6; ++i) {
    run_ns(1000);
    ASSERT_TRUE(bmu.loaded());
    bmu.take();
    bmu.finish(kGiven);
  }
  EXPECT_EQ(bmu.ring_memory(), Range(0x1000, 0x1080));
  EXPECT_EQ(bmu.descriptors.value(), 5U);
  write(regs::q::kDaL, 0x5000);
  EXPECT_EQ(bmu.ring_memory(), Range(0, 0));
}

TEST_F(BmuTest, ChipResetForgetsEverything) {
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  bmu.finish(kGiven);
  run_ns(41);
  EXPECT_NE(bmu.causes(), 0U);
  dma.abandon_all();
  bank.reset();
  bmu.reset();
  EXPECT_EQ(bmu.causes(), 0U);
  EXPECT_TRUE(idle());
  command(regs::kCsrFields.start);  // in reset
  run_ns(10'000);
  EXPECT_TRUE(idle());
  EXPECT_EQ(read(regs::q::kD), 0U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
