// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/phy_board.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using testing::MacPartFixture;

constexpr std::uint32_t kGpo = MacPartFixture::kElmerGpo;
constexpr std::uint32_t kIntCause = MacPartFixture::kElmerIntCause;

TEST(BoardPhy, AnswersOnlyAfterItsReset) {
  MacPartFixture b;
  b.board_init();
  EXPECT_EQ(b.mdio_read(1, 4), 0xffffU) << "in reset";
  const std::uint64_t released = now_ps();
  b.tpi_write(kGpo, 0x804);
  test::run_until(released + 899 * kMs);
  EXPECT_EQ(b.mdio_read(1, 4), 0xffffU);
  test::run_until(released + 901 * kMs);
  EXPECT_EQ(b.mdio_read(1, 4), 1U) << "10 Gb/s";
  b.tpi_write(kGpo, 0x800);
  EXPECT_EQ(b.mdio_read(1, 4), 0xffffU);
}

TEST(BoardPhy, LightNeedsResetModuleClockAndTransmitter) {
  MacPartFixture b;
  b.board_init();
  b.phy_reset();
  b.run(kMs);
  EXPECT_FALSE(b.far.mac.carrier()) << "the XFP module has no clock";
  EXPECT_FALSE(b.part.link_up());
  b.phy_create();
  b.run(kUs);
  EXPECT_TRUE(b.far.mac.carrier());
  EXPECT_TRUE(b.part.link_up());
  EXPECT_EQ(b.link_changes, (std::vector<bool>{true}));
  const std::uint64_t off = now_ps();
  b.tpi_write(kGpo, 0x804);
  b.run(kUs);
  EXPECT_FALSE(b.far.mac.carrier());
  test::run_until(off + 10 * kUs);
  const std::uint64_t on = now_ps() + 23 * 8 * kNs;
  b.tpi_write(kGpo, 0x8804);
  test::run_until(on + 100 * kUs - 10 * kNs);
  EXPECT_FALSE(b.far.mac.carrier());
  test::run_until(on + 100 * kUs + 10 * kNs);
  EXPECT_TRUE(b.far.mac.carrier());
}

TEST(BoardPhy, N110LinkLossInterruptsThroughElmer0AsTheDriverHandlesIt) {
  MacPartFixture b;
  b.up();
  b.phy_interrupt_clear();
  b.phy_interrupt_enable();
  EXPECT_FALSE(b.part.external_cause());
  b.far.mac.enable_laser(false);
  b.run(kUs);
  EXPECT_TRUE(b.part.external_cause());
  EXPECT_EQ(b.tpi_read(kIntCause), 0x40U);
  b.phy_interrupt_clear();
  EXPECT_FALSE(b.part.external_cause());
  EXPECT_EQ(b.mdio_read(1, 1) & 4U, 0U) << "link down";
  b.far.mac.enable_laser(true);
  b.run(kUs);
  EXPECT_TRUE(b.part.external_cause());
  b.phy_interrupt_clear();
  EXPECT_FALSE(b.part.external_cause());
  EXPECT_EQ(b.mdio_read(1, 1) & 4U, 4U);
  EXPECT_EQ(b.link_changes, (std::vector<bool>{true, false, true}));
}

TEST(BoardPhy, WithoutLasiControlThereIsNoInterrupt) {
  MacPartFixture b;
  b.up();
  b.phy_interrupt_clear();
  b.tpi_write(MacPartFixture::kElmerIntEnable, 0x40);
  b.far.mac.enable_laser(false);
  b.run(kUs);
  EXPECT_FALSE(b.part.external_cause());
  b.mdio_write(1, 0x9002, 1);
  EXPECT_TRUE(b.part.external_cause()) << "the alarm was latched";
  EXPECT_EQ(b.mdio_read(1, 0x9005), 5U) << "link and receive alarm";
  EXPECT_EQ(b.mdio_read(1, 0x9005), 0U);
  EXPECT_EQ(b.mdio_read(1, 0x9003), 0x10U);
}

TEST(BoardPhy, N110LedIsTheDriversOnceItAsksForIt) {
  MacPartFixture b;
  b.up();
  b.mdio_write(1, 7, 0);
  EXPECT_EQ(b.part.link_led.value(), 0U);
  b.mdio_write(1, 7, b.mdio_read(1, 7) | 1U);
  EXPECT_EQ(b.part.link_led.value(), 1U);
}

TEST(BoardPhy, LinkIsLatchedLowUntilItIsRead) {
  MacPartFixture b;
  b.up();
  b.phy_interrupt_clear();
  EXPECT_EQ(b.mdio_read(1, 1) & 4U, 4U);
  b.far.mac.enable_laser(false);
  b.run(kUs);
  b.far.mac.enable_laser(true);
  b.run(kUs);
  EXPECT_EQ(b.mdio_read(1, 1) & 4U, 0U);
  EXPECT_EQ(b.mdio_read(1, 1) & 4U, 4U);
}

TEST(BoardPhy, T110WithCx4HasItsPhyAtAddressOneAndLedsAtElmer0) {
  MacPartFixture b(Board::kT110Cx4);
  b.up();
  EXPECT_TRUE(b.part.link_up());
  b.mdio_read(1, 1);
  EXPECT_EQ(b.mdio_read(1, 1), 4U) << "MDI inversion is as the board needs it";
  EXPECT_EQ(b.mdio_read(1, 11), 1U) << "10GBASE-CX4";
  // my3126_get_link_status and my3126_interrupt_handler on T1B: bits 19 and 20, 0 is lit.
  b.tpi_write(kGpo, b.tpi_read(kGpo) | 1U << 19 | 1U << 20);
  EXPECT_EQ(b.part.link_led.value(), 0U);
  EXPECT_EQ(b.part.activity_led.value(), 0U);
  b.tpi_write(kGpo, b.tpi_read(kGpo) & ~(1U << 19));
  EXPECT_EQ(b.part.link_led.value(), 1U);
  b.arrive(b.frame(100));
  b.run(kUs);
  EXPECT_EQ(b.taken.size(), 1U);
  b.far.mac.enable_laser(false);
  b.run(kUs);
  EXPECT_EQ(b.mdio_read(1, 1) & 4U, 0U) << "the driver polls";
  EXPECT_FALSE(b.part.external_cause());
}

TEST(BoardPhy, T110WithFibreNeedsPowerAndFiveSeconds) {
  MacPartFixture b(Board::kT110Fibre);
  b.board_init();
  EXPECT_EQ(b.tpi_read(MacPartFixture::kElmerGpiStat) & 0x20U, 0U) << "a module is present";
  EXPECT_EQ(b.tpi_read(kGpo), 0x1800U | 1U << 18);
  const std::uint64_t released = now_ps();
  b.tpi_write(kGpo, 0x1804U | 1U << 18);
  test::run_until(released + 4800 * kMs);
  EXPECT_EQ(b.mdio_read(1, 7), 0xffffU);
  test::run_until(released + 4901 * kMs);
  EXPECT_EQ(b.mdio_read(1, 7), 7U) << "10GBASE-SR";
  b.tpi_write(kGpo, 0x9804U | 1U << 18);
  b.run(kMs);
  EXPECT_TRUE(b.part.link_up());
  b.tpi_write(kGpo, 0x9804U);
  b.run(kUs);
  EXPECT_FALSE(b.part.link_up()) << "without power";
}

TEST(BoardPhy, OnlyAnXpakBoardHasAModulePin) {
  MacPartFixture b(Board::kT110Cx4);
  b.board_init();
  EXPECT_EQ(b.tpi_read(MacPartFixture::kElmerGpiStat) & 0x20U, 0x20U);
  EXPECT_EQ(b.tpi_read(kGpo), 0x1800U) << "so the driver does not sequence its power";
}

}  // namespace
}  // namespace longhaul::nic::terminator
