// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_egress.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using observe::FrameFate;
using testing::MacPartFixture;

FrameRef outgoing(std::uint32_t octets, std::uint32_t number = 0) {
  return test::make_frame(octets, MacPartFixture::kFar, MacPartFixture::kMe, number);
}

TEST(Pm3393Egress, AFrameIsSentWhenItIsWholeInTheFifo) {
  MacPartFixture b;
  b.up();
  const std::uint64_t begin = now_ps();
  b.send(outgoing(1518));
  b.run(5 * kUs);
  // 1514 B and a control word at 11.2 Gb/s: 1'082'858 ps. Training takes 160 words for each 2048.
  ASSERT_EQ(b.sent_at.size(), 1U);
  EXPECT_EQ(b.sent_at[0], begin + 1'082'858 + 84'598 + 300 * kNs);
  EXPECT_EQ(b.far.arrivals.at(0).at_ps, b.sent_at[0] + 1526 * 800);
  EXPECT_EQ(b.far.arrivals.at(0).frame->size(), 1514U);
}

TEST(Pm3393Egress, AQueueKeepsTheWireBusyAtEverySize) {
  MacPartFixture b;
  b.up();
  b.set_mtu(9000);
  for (const std::uint32_t octets : {64U, 1518U, 9018U}) {
    b.sent_at.clear();
    for (int i = 0; i < 100; ++i) b.send(outgoing(octets));
    b.run(kMs);
    ASSERT_EQ(b.sent_at.size(), 100U);
    EXPECT_EQ(b.sent_at[99] - b.sent_at[5], 94 * (std::uint64_t{octets} + 20) * 800)
        << "no gap with " << octets;
    EXPECT_EQ(b.pm_read(0x3206) & 0x8000U, 0x8000U) << "the FIFO is empty";
  }
}

TEST(Pm3393Egress, APausedWireStopsTheSourceAtTheAlmostFullThreshold) {
  MacPartFixture b;
  b.up();
  b.far.mac.send_pause(0xffff);
  b.run(kUs);
  for (std::uint32_t i = 0; i < 20; ++i) b.send(outgoing(1518, i));
  b.run(100 * kUs);
  // Eight frames of 95 blocks are the first fill of at least 2CCh blocks.
  EXPECT_EQ(b.pulled_at.size(), 8U);
  EXPECT_EQ(b.sent_at.size(), 0U);
  EXPECT_EQ(b.pm_read(0x3205), 0x42ccU) << "almost full";
  EXPECT_EQ(b.pm_read(0x0004) & 0x20U, 0x20U) << "paused";
  EXPECT_EQ(b.pm_read(0x3044), 1U) << "paused";
  b.far.mac.send_pause(0);
  b.run(100 * kUs);
  ASSERT_EQ(b.far.arrivals.size(), 20U);
  for (std::uint32_t i = 0; i < 20; ++i)
    EXPECT_EQ(test::number_of(*b.far.arrivals[i].frame), i) << "in order, none lost";
}

TEST(Pm3393Egress, WithoutFcrxPauseIsNotObeyed) {
  MacPartFixture b;
  b.up();
  b.pm_write(0x3040, 0x863a);
  b.far.mac.send_pause(0xffff);
  b.run(kUs);
  b.send(outgoing(100));
  b.run(3 * kUs);
  EXPECT_EQ(b.sent_at.size(), 1U);
}

TEST(Pm3393Egress, ADisabledTransmitterHoldsFramesAndTheSource) {
  MacPartFixture b;
  b.up();
  b.enable(false);
  for (int i = 0; i < 20; ++i) b.send(outgoing(1518));
  b.run(100 * kUs);
  EXPECT_EQ(b.sent_at.size(), 0U);
  EXPECT_EQ(b.queued(), 12U);
  b.enable();
  b.run(100 * kUs);
  EXPECT_EQ(b.far.received, 20U);
}

TEST(Pm3393Egress, AFrameLongerThanTheMaximumIsLost) {
  MacPartFixture b;
  b.up();
  b.mac_interrupt_clear();
  b.send(outgoing(1519));
  b.send(outgoing(1518));
  b.run(10 * kUs);
  EXPECT_EQ(b.sent_at.size(), 1U);
  EXPECT_EQ(b.part.tx_refused.value(), 1U);
  EXPECT_EQ(b.drops.count(FrameFate::kDropped, "longer than TXXG_MAX_FRAME_SIZE"), 1U);
  EXPECT_EQ(b.counter(36), 1U) << "TxTransmitSystemError";
  EXPECT_EQ(b.pm_read(0x3043), 0x2000U);
}

TEST(Pm3393Egress, ASourceIsAskedAgainAtItsTime) {
  MacPartFixture b;
  b.up();
  b.source_ready_ps = now_ps() + 10 * kUs;
  b.send(outgoing(100));
  b.run(20 * kUs);
  ASSERT_EQ(b.pulled_at.size(), 1U);
  EXPECT_EQ(b.pulled_at[0], b.source_ready_ps);
}

TEST(Pm3393Egress, AFifoThatIsNotProvisionedTakesNothing) {
  MacPartFixture b;
  b.up();
  b.pm_write(0x3210, 0);
  b.send(outgoing(100));
  b.run(10 * kUs);
  EXPECT_EQ(b.pulled_at.size(), 0U);
  b.pm_write(0x3210, 1);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.received, 1U);
}

TEST(Pm3393Egress, AFrameOnItsWayIntoAResetIsLost) {
  MacPartFixture b;
  b.up();
  b.send(outgoing(1518));
  b.tpi_write(MacPartFixture::kElmerGpo, 0x8804);
  b.run(10 * kUs);
  EXPECT_EQ(b.drops.count(FrameFate::kDropped, "egress FIFO not provisioned"), 1U);
  EXPECT_EQ(b.sent_at.size(), 0U);
}

TEST(Pm3393Egress, PauseFramesHaveTheStationsAddress) {
  MacPartFixture b;
  b.up();
  b.far.mac.set_pass_control(true, true);
  b.mac.send_pause(7);
  b.run(kUs);
  ASSERT_EQ(b.far.arrivals.size(), 1U);
  EXPECT_EQ(ethernet::source(*b.far.arrivals[0].frame), MacPartFixture::kMe);
}

}  // namespace
}  // namespace longhaul::nic::terminator
