// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_mstat.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using testing::MacPartFixture;

constexpr std::uint64_t kFull = (1ULL << 40) - 1;

struct Pm3393MstatTest : ::testing::Test {
  MacPartFixture b;
  Pm3393MstatTest() {
    b.up();
    b.mac_interrupt_clear();
  }
  /// Sets a counter by MSTAT_WRITE.
  void preset(std::uint32_t counter, std::uint64_t value) {
    b.pm_write(0x2109, counter);
    b.pm_write(0x210a, value & 0xffffU);
    b.pm_write(0x210b, value >> 16U & 0xffffU);
    b.pm_write(0x210c, value >> 32U);
    b.pm_write(0x2100, 4);
  }
};

TEST_F(Pm3393MstatTest, TheDriversCountersCountByCastAndSize) {
  b.set_rx_mode(false, true, {});
  b.set_mtu(9000);
  b.arrive(b.frame(64));
  b.arrive(b.frame(1518, {0x01, 0, 0x5e, 0, 0, 1}));
  b.arrive(b.frame(9018));
  b.arrive(b.frame(100, test::kBroadcast));
  EXPECT_EQ(b.counter(1), 64U + 1518 + 9018 + 100) << "RxOctetsReceivedOK";
  EXPECT_EQ(b.snapped(4), 2U) << "unicast";
  EXPECT_EQ(b.snapped(5), 1U) << "multicast";
  EXPECT_EQ(b.snapped(6), 1U) << "broadcast";
  EXPECT_EQ(b.snapped(25), 1U) << "jumbo frames";
  EXPECT_EQ(b.snapped(26), 9018U) << "their octets";
  EXPECT_EQ(b.snapped(0), 4U);
  EXPECT_EQ(b.snapped(19), 1U) << "64";
  EXPECT_EQ(b.snapped(20), 1U) << "65 to 127";
  EXPECT_EQ(b.snapped(24), 1U) << "1024 to 1518";
}

TEST_F(Pm3393MstatTest, WhatIsSentCountsInItsOwnCounters) {
  b.set_mtu(9000);
  b.send(test::make_frame(64, MacPartFixture::kFar, MacPartFixture::kMe));
  b.send(test::make_frame(9018, MacPartFixture::kFar, MacPartFixture::kMe));
  b.send(test::make_frame(200, test::kBroadcast, MacPartFixture::kMe));
  b.send(test::make_frame(300, {0x01, 0, 0x5e, 0, 0, 1}, MacPartFixture::kMe));
  b.run(20 * kUs);
  EXPECT_EQ(b.counter(33), 64U + 9018 + 200 + 300);
  EXPECT_EQ(b.snapped(38), 2U) << "unicast";
  EXPECT_EQ(b.snapped(40), 1U) << "multicast";
  EXPECT_EQ(b.snapped(42), 1U) << "broadcast";
  EXPECT_EQ(b.snapped(51), 1U) << "jumbo frames";
  EXPECT_EQ(b.snapped(52), 9018U);
}

TEST_F(Pm3393MstatTest, DamagedFramesCountByTheirFault) {
  const auto damaged = [](FrameRef frame) {
    frame.writable().flip_bit(300);
    return frame;
  };
  FrameRef runt = b.frame(64);
  runt.writable().resize(40);
  b.arrive(damaged(b.frame(200)));
  b.arrive(b.frame(1519));
  b.arrive(damaged(b.frame(1600)));
  b.arrive(runt);
  FrameRef fragment = b.frame(64);
  fragment.writable().resize(40);
  b.arrive(damaged(fragment));
  FrameRef wrong = b.frame(200);
  write_be16(wrong.writable().data() + 12, 100);
  b.arrive(wrong);
  EXPECT_EQ(b.counter(10), 1U) << "FCS";
  EXPECT_EQ(b.snapped(15), 1U) << "too long";
  EXPECT_EQ(b.snapped(16), 1U) << "jabber";
  EXPECT_EQ(b.snapped(18), 1U) << "undersized";
  EXPECT_EQ(b.snapped(17), 1U) << "fragment";
  EXPECT_EQ(b.snapped(13), 1U) << "in range length error";
  EXPECT_EQ(b.snapped(0), 0U);
  EXPECT_EQ(b.snapped(2), 6U) << "all frames";
  EXPECT_EQ(b.taken.size(), 0U);
}

TEST_F(Pm3393MstatTest, RegistersShowTheLastSnapshot) {
  b.arrive(b.frame(100));
  EXPECT_EQ(b.counter(4), 1U);
  b.arrive(b.frame(100));
  EXPECT_EQ(b.snapped(4), 1U);
  EXPECT_EQ(b.counter(4), 2U);
  b.pm_write(0x2100, 2);
  EXPECT_EQ(b.snapped(4), 0U) << "cleared";
  EXPECT_EQ(b.counter(4), 0U);
}

TEST_F(Pm3393MstatTest, ACounterRollsOverAtFortyBitsAndTellsOnce) {
  preset(1, kFull - 99);
  b.arrive(b.frame(100));
  EXPECT_EQ(b.rollovers(), 0U) << "not before the snapshot";
  EXPECT_EQ(b.counter(1), 0U);
  EXPECT_EQ(b.rollovers(), 1ULL << 1);
  EXPECT_EQ(b.rollovers(), 0U) << "cleared by reading";
  preset(1, kFull);
  preset(52, kFull - 9017);
  b.set_mtu(9000);
  b.arrive(b.frame(100));
  b.send(test::make_frame(9018, MacPartFixture::kFar, MacPartFixture::kMe));
  b.run(20 * kUs);
  EXPECT_EQ(b.counter(1), 99U);
  EXPECT_EQ(b.snapped(52), 0U);
  EXPECT_EQ(b.rollovers(), 1ULL << 1 | 1ULL << 52);
}

TEST_F(Pm3393MstatTest, ARolloverAsksForAnInterruptThroughElmer0) {
  b.tpi_write(MacPartFixture::kElmerIntEnable, 2);
  b.tpi_write(MacPartFixture::kElmerIntCause, ~0U);
  b.pm_write(0x2105, 1U << 1);
  b.pm_write(0x000e, 0x8000);
  preset(1, kFull);
  EXPECT_FALSE(b.part.external_cause());
  b.arrive(b.frame(100));
  EXPECT_TRUE(b.part.external_cause());
  EXPECT_EQ(b.pm_read(0x000d), 0x0800U) << "MSTAT in the master status";
  b.pm_write(0x2100, 1);
  b.rollovers();
  EXPECT_EQ(b.pm_read(0x000d), 0U);
  b.tpi_write(MacPartFixture::kElmerIntCause, 2);
  EXPECT_FALSE(b.part.external_cause());
}

TEST_F(Pm3393MstatTest, PauseFramesOfTheMacCount) {
  b.far.mac.send_pause(100);
  b.run(kUs);
  b.mac.send_pause(100);
  b.run(kUs);
  EXPECT_EQ(b.counter(8), 1U);
  EXPECT_EQ(b.snapped(43), 1U);
  EXPECT_EQ(b.counter(8), 1U) << "counted once";
}

}  // namespace
}  // namespace longhaul::nic::terminator
