// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/models/nic/terminator/terminator_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using namespace regs;  // NOLINT: names of the registers
using ::testing::SizeIs;

constexpr std::uint64_t kHoldOffPs = 50'000'000;

/// t1_interrupt(): PL_CAUSE first.
void acknowledge(TerminatorFixture& b) { b.write(kPlCause, kPlIntrFields.pl_intr_sge_data); }

TEST(SgeInterrupts, TheFirstPacketInterruptsAtOnceAndTheNextAfterTheHoldOff) {
  TerminatorFixture b;
  b.open();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  ASSERT_TRUE(b.inta());
  acknowledge(b);
  EXPECT_FALSE(b.inta());
  b.responses();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(100);
  EXPECT_FALSE(b.inta()) << "software has not written SG_SLEEPING";
  EXPECT_THAT(b.responses(), SizeIs(1));
  b.sleep();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_ps(kHoldOffPs - 1);
  EXPECT_FALSE(b.inta());
  b.run_ps(1);
  EXPECT_TRUE(b.inta()) << "6250 ticks of 8 ns after SG_SLEEPING";
  EXPECT_EQ(b.nic->responses().held_off.value(), 1U);
}

TEST(SgeInterrupts, AfterTheHoldOffAPacketInterruptsAtOnce) {
  TerminatorFixture b;
  b.open();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  acknowledge(b);
  b.responses();
  b.sleep();
  b.run_us(60);
  EXPECT_FALSE(b.inta());
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  EXPECT_TRUE(b.inta());
}

TEST(SgeInterrupts, AnEntryThatSoftwareHasNotSeenInterrupts) {
  TerminatorFixture b;
  b.open();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  acknowledge(b);
  b.responses();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  b.sleep();  // behind the first of two
  b.run_ps(kHoldOffPs);
  EXPECT_TRUE(b.inta());
}

TEST(SgeInterrupts, TheTimerIsOfTheRegister) {
  TerminatorFixture b;
  b.open();
  b.write(kSgIntrtimer, 125);
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  acknowledge(b);
  b.sleep();
  b.run_ps(999'999);
  EXPECT_FALSE(b.inta());
  b.run_ps(1);
  EXPECT_TRUE(b.inta());
}

TEST(SgeInterrupts, CausesAndMasks) {
  TerminatorFixture b;
  b.open();
  b.write(kPlEnable, 0);
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  EXPECT_FALSE(b.inta());
  EXPECT_EQ(b.read(kPlCause), kPlIntrFields.pl_intr_sge_data.mask());
  b.write(kPlEnable, kPlIntrFields.pl_intr_sge_data);
  EXPECT_TRUE(b.inta());
  b.write(kPlEnable, 0);
  EXPECT_FALSE(b.inta());
}

TEST(SgeInterrupts, ErrorsPassTwoMasks) {
  TerminatorFixture b;
  b.open();
  b.describe(0, b.kTxData, 16385, 2 | 4 | 8);
  b.ring();
  b.run_us(10);
  acknowledge(b);
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.read(kPlCause), kPlIntrFields.pl_intr_sge_err.mask());
  b.write(kPlCause, kPlIntrFields.pl_intr_sge_err);
  EXPECT_TRUE(b.inta()) << "the SGE still asks";
  b.write(kSgIntEnable, 0);
  EXPECT_FALSE(b.inta());
  EXPECT_EQ(b.read(kPlCause), 0U);
}

TEST(SgeInterrupts, SwitchingTheQueueOnAllowsAnInterrupt) {
  TerminatorFixture b;
  b.open();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  acknowledge(b);  // an interrupt that nobody polls for: the interface goes down
  b.write(kSgControl, 0);
  b.run_us(3);
  EXPECT_FALSE(b.inta());
  b.write(kSgControl, b.control);
  EXPECT_TRUE(b.inta());
}

class Messages : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kAddress = 0x60000;
  TerminatorFixture b;
  std::uint64_t count() const { return b.nic->interrupts.value(); }
};

TEST_F(Messages, AMessageIsBehindTheResponse) {
  b.enable_msi(kAddress, 0x4142);
  b.open();
  const std::size_t before = b.bus.seen.size();
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(3);
  EXPECT_FALSE(b.inta());
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(b.word(kAddress), 0x4142U);
  ASSERT_EQ(b.bus.seen.size(), before + 3);
  EXPECT_EQ(b.bus.seen[before + 1].address, b.kResponses);
  EXPECT_EQ(b.bus.seen[before + 2].address, kAddress);
}

TEST_F(Messages, ACauseThatComesDuringAnotherSendsItsOwn) {
  b.enable_msi(kAddress, 1);
  b.open();
  b.describe(0, b.kTxData, 16385, 2 | 4 | 8);
  b.write(kSgControl, b.control | kSgControlFields.disable_cmdq0_gts);
  b.ring();
  b.run_us(10);
  EXPECT_EQ(count(), 1U) << "the error";
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(5);
  EXPECT_EQ(count(), 2U) << "data, while the error is still there";
  acknowledge(b);
  EXPECT_EQ(count(), 3U) << "the error is still there: once more";
  b.write(kSgIntCause, 0x1f);
  b.write(kPlCause, kPlIntrFields.pl_intr_sge_err);
  EXPECT_EQ(count(), 3U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
