// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/espi.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using observe::FrameFate;
using testing::MacPartFixture;

constexpr std::uint32_t kAlmostFull = 0x894, kPortConfig = 0x89c, kStatusEnable = 0x8a0,
                        kMaxBurst = 0x8a8, kRxDrops = 0x8bc, kIntrStatus = 0x8c8,
                        kIntrEnable = 0x8cc, kRxReset = 0x8ec, kMisc = 0x8f0, kCommand = 0x8f8,
                        kGostat = 0x8fc;

TEST(Espi, TheClockIsThereWhenThePm3393Operates) {
  MacPartFixture b;
  b.board_init();
  EXPECT_EQ(b.bank.read(kRxReset) & 4U, 0U);
  b.mac_reset();
  EXPECT_EQ(b.bank.read(kRxReset) & 4U, 4U);
  EXPECT_EQ(b.bank.read(0x8c4), 1U << 26) << "trained";
}

TEST(Espi, WithoutStatusThePm3393SendsNothing) {
  MacPartFixture b;
  b.up();
  b.bank.write(kStatusEnable, 0);
  b.arrive(b.frame(100));
  b.run(10 * kUs);
  EXPECT_EQ(b.taken.size(), 0U);
  b.bank.write(kStatusEnable, 1);
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 1U);
  b.bank.write(kMisc, 1U << 22);
  b.arrive(b.frame(100));
  b.run(10 * kUs);
  EXPECT_EQ(b.taken.size(), 1U) << "status forced off";
}

TEST(Espi, TheWatermarkBoundsWhatWaits) {
  MacPartFixture b;
  b.up();
  b.takes = false;
  b.bank.write(kAlmostFull, 3000);
  for (int i = 0; i < 10; ++i) b.arrive(b.frame(1518));
  b.run(10 * kUs);
  b.takes = true;
  b.part.kick_rx();
  // One frame of 1520 B; the second one had credit for its last byte. Both are there at once.
  EXPECT_EQ(b.taken.size(), 2U);
  b.run(20 * kUs);
  EXPECT_EQ(b.taken.size(), 10U);
}

TEST(Espi, AFrameLargerThanTheWatermarkStillPasses) {
  MacPartFixture b;
  b.up();
  b.set_mtu(9000);
  b.bank.write(kAlmostFull, 0x100);
  for (int i = 0; i < 3; ++i) b.arrive(b.frame(9018));
  b.run(50 * kUs);
  EXPECT_EQ(b.taken.size(), 3U);
}

TEST(Espi, AWatermarkBeyondTheFifoLosesFrames) {
  MacPartFixture b;
  b.up();
  b.takes = false;
  b.bank.write(kAlmostFull, 0xffff);
  for (std::uint32_t i = 0; i < 25; ++i) b.arrive(b.frame(1518));
  b.run(kUs);
  // 21 frames of 1520 B fill 32 KiB.
  EXPECT_EQ(b.bank.read(kRxDrops), 4U);
  EXPECT_EQ(b.part.espi().rx_drops.value(), 4U);
  EXPECT_EQ(b.drops.count(FrameFate::kDropped, "ESPI receive FIFO full"), 4U);
  EXPECT_EQ(b.bank.read(kIntrStatus), 0xaU) << "RXDROP and RXOVERFLOW";
  EXPECT_FALSE(b.part.espi_cause()) << "not enabled";
  b.bank.write(kIntrEnable, 0x3f);
  EXPECT_TRUE(b.part.espi_cause());
  b.bank.write(kIntrStatus, 0xe);
  EXPECT_TRUE(b.part.espi_cause()) << "T1B looks at bit 0";
  b.bank.write(kIntrStatus, 1);
  EXPECT_FALSE(b.part.espi_cause());
  b.takes = true;
  b.part.kick_rx();
  EXPECT_EQ(b.taken.size(), 21U);
}

TEST(Espi, AnEnabledInterruptIsUnusableOnT1b) {
  MacPartFixture b;
  b.up();
  b.arrive(b.frame(100));
  EXPECT_EQ(b.bank.read(kIntrStatus), 0U) << "cxgb leaves it off";
  b.bank.write(kIntrEnable, 0x3f);
  b.arrive(b.frame(100));
  b.run(kUs);
  EXPECT_TRUE(b.part.espi_cause());
  EXPECT_EQ(b.bank.read(kIntrStatus), 2U) << "RXDROP";
  EXPECT_EQ(b.bank.read(kRxDrops), 0U) << "though nothing was lost";
  EXPECT_EQ(b.taken.size(), 2U);
  b.bank.write(kIntrStatus, ~0U);
  EXPECT_TRUE(b.part.espi_cause()) << "no write clears it";
  b.bank.write(kIntrEnable, 0);
  EXPECT_FALSE(b.part.espi_cause());
}

TEST(Espi, WithoutPortsNothingIsSent) {
  MacPartFixture b;
  b.up();
  b.bank.write(kPortConfig, 1);
  b.send(test::make_frame(100, MacPartFixture::kFar, MacPartFixture::kMe));
  b.run(10 * kUs);
  EXPECT_EQ(b.pulled_at.size(), 0U);
  b.bank.write(kPortConfig, 0x101);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.received, 1U);
}

TEST(Espi, MaxBurstIsTheCreditOfAPortion) {
  MacPartFixture b;
  b.up();
  b.bank.write(0x8ac, 0);         // no training
  b.bank.write(kMaxBurst, 0x10);  // 256 B to a starving FIFO, nothing to a hungry one
  const std::uint64_t begin = now_ps();
  b.send(test::make_frame(1004, MacPartFixture::kFar, MacPartFixture::kMe));
  b.run(5 * kUs);
  // 1000 B in bursts of 256 B: 1008 B with control words, 720 ns at 11.2 Gb/s.
  ASSERT_EQ(b.sent_at.size(), 1U);
  EXPECT_EQ(b.sent_at[0], begin + 720 * kNs + 300 * kNs + 1) << "each portion is rounded up";
}

TEST(Espi, CommandsReachTheMacrosRegisters) {
  MacPartFixture b;
  // tricn_write: command 21h, module 1, channel 2, register 14.
  b.bank.write(kCommand, 0x21U << 24 | 1U << 16 | 2U << 12 | 14U << 8 | 0xf1);
  b.bank.write(kGostat, 0);
  EXPECT_EQ(b.bank.read(kGostat) & 0x100U, 0x100U) << "busy";
  b.run(16 * 8 * kNs);
  EXPECT_EQ(b.bank.read(kGostat), 0U);
  b.bank.write(kCommand, 0x11U << 24 | 1U << 16 | 2U << 12 | 14U << 8);
  b.bank.write(kGostat, 0);
  b.run(kUs);
  EXPECT_EQ(b.bank.read(kGostat), 0xf1U);
  b.bank.write(kCommand, 0x11U << 24 | 3U << 16);
  b.bank.write(kGostat, 0);
  b.run(kUs);
  EXPECT_EQ(b.bank.read(kGostat), 0x400U) << "no such module";
  b.bank.write(kCommand, 0x99U << 24);
  b.bank.write(kGostat, 0);
  b.run(kUs);
  EXPECT_EQ(b.bank.read(kGostat), 0x200U) << "no such command";
}

TEST(Espi, FieldsCoverWhatRegistersShow) {
  MacPartFixture b;
  b.up();
  for (const Reg32* reg : b.bank.registers()) {
    if (reg->fields() == nullptr) continue;
    EXPECT_EQ(reg->reset_value() & ~reg->fields()->mask(), 0U) << reg->name();
    EXPECT_EQ(b.bank.read(reg->offset()) & ~reg->fields()->mask(), 0U) << reg->name();
  }
}

TEST(Espi, ResetOfTheTerminatorEmptiesEverythingAndHoldsTheBoard) {
  MacPartFixture b;
  b.up();
  b.takes = false;
  for (int i = 0; i < 5; ++i) b.arrive(b.frame(1518));
  b.run(kUs);
  b.bank.reset();
  b.part.reset();
  EXPECT_FALSE(b.part.link_up());
  b.takes = true;
  b.part.kick_rx();
  b.run(kMs);
  EXPECT_EQ(b.taken.size(), 0U);
  EXPECT_EQ(b.drops.count(FrameFate::kDropped, "ESPI reset"), 5U);
  EXPECT_FALSE(b.far.mac.carrier());
  b.up();
  b.arrive(b.frame(100));
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 1U) << "the driver's initialisation again";
}

}  // namespace
}  // namespace longhaul::nic::terminator
