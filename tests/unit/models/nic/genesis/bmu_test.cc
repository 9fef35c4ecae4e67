// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/models/nic/genesis/bmu_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(BmuTest, StartDoesNothingInReset) {
  command(regs::kCsrFields.rst);
  command(regs::kCsrFields.start);
  run_ns(1000);
  EXPECT_THAT(seen(), IsEmpty());
  command(regs::kCsrFields.run & ~(1U << 13));  // descriptor reads are still held
  command(regs::kCsrFields.start);
  run_ns(1000);
  EXPECT_THAT(seen(), IsEmpty());
  EXPECT_TRUE(idle());
}

TEST_F(BmuTest, ReadsOneDescriptorAndKeepsIt) {
  describe(0, kGiven | 100, 0x12);
  command(regs::kCsrFields.start);
  EXPECT_FALSE(idle());
  run_ns(339);
  EXPECT_FALSE(bmu.loaded());
  run_ns(1);  // 40 ns for the request, 300 for its completion
  ASSERT_TRUE(bmu.loaded());
  EXPECT_EQ(bmu.descriptor().bytes(), 100U);
  EXPECT_EQ(bmu.descriptor().address, 0x12'0000'8002ULL);
  EXPECT_EQ(read(regs::q::kD), kGiven | 100);
  EXPECT_EQ(read(regs::q::kD + 12), 0x12U);
  EXPECT_EQ(read(regs::q::kAcL), kBuffer);
  EXPECT_EQ(read(regs::q::kAcH), 0x12U);
  EXPECT_EQ(read(regs::q::kBc), 100U);
  EXPECT_EQ(read(regs::q::kDaL), kRing);
  run_ns(10'000);
  EXPECT_THAT(seen(), ElementsAre("r 1000 32"));
}

TEST_F(BmuTest, OneThatTheChipDoesNotOwnIdlesTheQueue) {
  command(regs::kCsrFields.start);
  run_ns(10'000);
  EXPECT_TRUE(idle());
  EXPECT_THAT(seen(), ElementsAre("r 1000 32"));
  EXPECT_EQ(bmu.idle_reads.value(), 1U);
  EXPECT_EQ(read(regs::q::kDaL), kRing);
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
}

TEST_F(BmuTest, DoorbellDuringAReadThatFindsNothingReadsAgain) {
  command(regs::kCsrFields.start);
  run_ns(340);
  EXPECT_TRUE(idle());
  command(regs::kCsrFields.start);
  run_ns(339);
  command(regs::kCsrFields.start);  // too late for what is being read, whatever memory says by now
  run_ns(1);
  describe(0, kGiven | 100);
  run_ns(340);
  EXPECT_TRUE(bmu.loaded());
  EXPECT_EQ(bus.seen.size(), 3U);
}

TEST_F(BmuTest, DoorbellDuringAReadThatFindsOneAsksForNoMore) {
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(100);
  command(regs::kCsrFields.start);
  run_ns(10'000);
  EXPECT_TRUE(bmu.loaded());
  EXPECT_EQ(bus.seen.size(), 1U);
}

TEST_F(BmuTest, GivesBackStatusThenControlThenReadsTheNext) {
  describe(0, kGiven | 1000);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  bmu.store(0, data.data(), 700, 700);
  EXPECT_EQ(read(regs::q::kAcL), kBuffer + 700);
  EXPECT_EQ(read(regs::q::kBc), 300U);
  const std::uint32_t control =
      regs::bmu::kEof | regs::bmu::kIrqEof | regs::bmu::kStatVal | kPlain | 700;
  bmu.finish(control, Bmu::Status{0x1234'5678, 0, 0x9abc'def0});
  run_ns(119);  // 40 ns each
  EXPECT_EQ(bmu.causes(), 0U);
  EXPECT_EQ(word(at(0)), kGiven | 1000);
  EXPECT_EQ(word(at(0) + 16), 0x1234'5678U);
  EXPECT_EQ(word(at(0) + 20), 0U);
  EXPECT_EQ(word(at(0) + 24), 0x9abc'def0U);
  EXPECT_EQ(word(at(0) + 28), 0x5a5a'5a5aU);
  run_ns(1);
  EXPECT_EQ(bmu.causes(), regs::kIsrcFields.r1_f);
  EXPECT_EQ(cause_changes, 1);
  EXPECT_EQ(returned, 1);
  EXPECT_EQ(word(at(0)), control);
  EXPECT_EQ(word(at(0) + 4), at(1));
  EXPECT_EQ(bus.memory[kBuffer + 699], 0x77);
  EXPECT_EQ(bus.memory[kBuffer + 700], 0);
  EXPECT_EQ(read(regs::q::kDaL), at(1));
  run_ns(10'000);
  EXPECT_TRUE(idle());
  EXPECT_THAT(seen(), ElementsAre("r 1000 32", "w 8002 700", "w 1010 12", "w 1000 4", "r 1020 32"));
}

TEST_F(BmuTest, CausesAreLatchedUntilTheirBitIsWritten) {
  describe(0, kGiven | regs::bmu::kIrqEob | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  bmu.finish((kGiven & ~regs::bmu::kOwn) | regs::bmu::kIrqEob);
  run_ns(1000);
  EXPECT_EQ(bmu.causes(), regs::kIsrcFields.r1_f | regs::kIsrcFields.r1_b);
  command(regs::kCsrFields.irq_cl_c);
  EXPECT_EQ(bmu.causes(), regs::kIsrcFields.r1_f | regs::kIsrcFields.r1_b);
  command(regs::kCsrFields.irq_cl_f);
  EXPECT_EQ(bmu.causes(), regs::kIsrcFields.r1_b);
  bank.write(regs::kR1CsrMirror, regs::kCsrFields.irq_cl_b);
  EXPECT_EQ(bmu.causes(), 0U);
  EXPECT_EQ(cause_changes, 3);
}

TEST_F(BmuTest, ACauseDoesNotOutliveTheQueuesReset) {
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  bmu.finish(kGiven & ~regs::bmu::kOwn);
  run_ns(1000);
  EXPECT_EQ(bmu.causes(), regs::kIsrcFields.r1_f);
  command(regs::kCsrFields.rst);
  EXPECT_EQ(bmu.causes(), 0U);
  EXPECT_EQ(cause_changes, 2);
}

TEST_F(BmuTest, NoCauseWhereTheDescriptorAsksForNone) {
  describe(0, kGiven | 100);
  command(regs::kCsrFields.start);
  run_ns(340);
  bmu.take();
  bmu.finish(regs::bmu::kIrqEof);  // no end of a frame
  run_ns(1000);
  EXPECT_EQ(bmu.causes(), 0U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
