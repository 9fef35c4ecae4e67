// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using testing::MacPartFixture;

TEST(Pm3393, TheDriversResetSucceedsAtItsFirstTry) {
  MacPartFixture b;
  b.board_init();
  EXPECT_TRUE(b.mac_reset());
}

TEST(Pm3393, ResetEndsAfterItsTimersAndXauiIsStableLater) {
  MacPartFixture b;
  b.board_init();
  b.run(kMs);
  const std::uint64_t released = now_ps() + 23 * 8 * kNs;  // the write acts at its end
  b.tpi_write(MacPartFixture::kElmerGpo, 0x801);
  EXPECT_EQ(b.pm_read(0x0004), 0x1fU) << "nothing in lock";
  EXPECT_EQ(b.pm_read(0x0000), 0xffff'ffffU) << "the digital part does not answer";
  test::run_until(released + 14 * kMs - kUs);
  EXPECT_EQ(b.pm_read(0x0004) & 0x40U, 0U);
  test::run_until(released + 14 * kMs + 4 * kUs);
  EXPECT_EQ(b.pm_read(0x0004), 0x48U) << "expired, input status not in lock with its data";
  EXPECT_NE(b.pm_read(0x0000), 0xffff'ffffU);
  test::run_until(released + 14 * kMs + 190 * kUs);
  EXPECT_EQ(b.pm_read(0x0004) & 0x200U, 0U);
  test::run_until(released + 14 * kMs + 210 * kUs);
  EXPECT_EQ(b.pm_read(0x0004), 0x248U);
  b.pm_write(0x2305, 0x1001);
  EXPECT_EQ(b.pm_read(0x0004), 0x240U) << "input status locks when PL4IO is enabled";
}

TEST(Pm3393, AResetThatIsTooShortDoesNotInitialise) {
  MacPartFixture b;
  b.up();
  b.tpi_write(MacPartFixture::kElmerGpo, 0x8804);
  b.run(900 * kUs);
  b.tpi_write(MacPartFixture::kElmerGpo, 0x8805);
  b.run(100 * kMs);
  EXPECT_EQ(b.pm_read(0x0004), 0x1fU);
}

TEST(Pm3393, ResetGivesRegistersTheirFirstValuesAndLosesFrames) {
  MacPartFixture b;
  b.up();
  b.takes = false;
  for (int i = 0; i < 20; ++i) b.arrive(b.frame(1518));
  EXPECT_TRUE(b.mac_reset());
  EXPECT_EQ(b.pm_read(0x2045), 1518U);
  EXPECT_EQ(b.pm_read(0x206e), 0U);
  EXPECT_EQ(b.pm_read(0x2040), 0U);
  b.takes = true;
  b.part.kick_rx();
  b.run(kMs);
  EXPECT_EQ(b.taken.size(), 10U) << "whole frames were in ESPI's FIFO";
  EXPECT_EQ(b.drops.count(observe::FrameFate::kDropped, "ingress FIFO emptied"), 10U);
  b.mac_create();
  b.set_address(MacPartFixture::kMe);
  b.enable();
  b.arrive(b.frame(1518));
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 11U);
}

TEST(Pm3393, EveryRegisterThatTheDriverWritesIsThere) {
  MacPartFixture b;
  b.up();
  b.mac_interrupt_clear();
  b.set_rx_mode(true, true, {});
  b.set_mtu(9000);
  for (std::uint32_t counter = 0; counter < 54; ++counter) b.counter(counter);
  EXPECT_EQ(b.part.pm3393().bank().stray_accesses(), 0U);
  EXPECT_EQ(b.bank.stray_accesses(), 0U);
  EXPECT_EQ(b.part.elmer0().bank().stray_accesses(), 0U);
}

TEST(Pm3393, FieldsCoverWhatRegistersShow) {
  MacPartFixture b;
  b.up();
  std::set<std::uint32_t> offsets;
  for (const Reg32* reg : b.part.pm3393().bank().registers()) {
    EXPECT_TRUE(offsets.insert(reg->offset()).second) << reg->name();
    EXPECT_EQ(reg->writable() & ~0xffffU, 0U) << reg->name() << " has 16 bits";
    if (reg->fields() == nullptr) continue;
    EXPECT_EQ(reg->reset_value() & ~reg->fields()->mask(), 0U) << reg->name();
    EXPECT_EQ(b.part.pm3393().bank().read(reg->offset()) & ~reg->fields()->mask(), 0U)
        << reg->name();
  }
}

TEST(Pm3393, AnInterruptNeedsItsBlocksEnableAndTheGlobalOne) {
  MacPartFixture b;
  b.up();
  b.mac_interrupt_clear();
  b.tpi_write(MacPartFixture::kElmerIntEnable, 2);
  b.arrive(b.frame(2000));
  EXPECT_EQ(b.pm_read(0x000d), 0x0400U) << "RXXG";
  EXPECT_FALSE(b.part.external_cause()) << "cxgb leaves TOP_INTE off";
  b.pm_write(0x000e, 0x8000);
  EXPECT_TRUE(b.part.external_cause());
  EXPECT_EQ(b.tpi_read(MacPartFixture::kElmerIntCause) & 2U, 2U);
  EXPECT_EQ(b.pm_read(0x2043), 0x4100U) << "too long, dropped";
  EXPECT_EQ(b.pm_read(0x2043), 0U) << "cleared by reading";
  EXPECT_EQ(b.pm_read(0x000d), 0U);
  b.mac_interrupt_clear();
  EXPECT_FALSE(b.part.external_cause());
  b.pm_write(0x2042, 0);
  b.arrive(b.frame(2000));
  EXPECT_FALSE(b.part.external_cause());
}

TEST(Pm3393, ChangesOfThePhyAndTheLinkAreEvents) {
  MacPartFixture b;
  b.up();
  b.mac_interrupt_clear();
  EXPECT_EQ(b.pm_read(0x208a), 0U) << "four lanes aligned";
  EXPECT_EQ(b.pm_read(0x20c9), 0U);
  b.far.mac.enable_laser(false);
  b.run(kUs);
  EXPECT_EQ(b.pm_read(0x20c9), 0x20U) << "local fault";
  EXPECT_EQ(b.pm_read(0x20c8), 0x20U);
  b.tpi_write(MacPartFixture::kElmerGpo, 0x8801);
  EXPECT_EQ(b.pm_read(0x208a), 0x1fU) << "the PHY is in reset";
  EXPECT_EQ(b.pm_read(0x2089), 0x1fU);
}

}  // namespace
}  // namespace longhaul::nic::terminator
