// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/xpak.h"

#include <gtest/gtest.h>

namespace longhaul::nic::ixgb {
namespace {

// Registers and bits of IEEE 802.3, clause 45.
constexpr std::uint32_t kPma = 1;
constexpr std::uint32_t kPcs = 3;
constexpr std::uint32_t kXs = 4;
constexpr std::uint16_t kUp = 0x0004;
constexpr std::uint16_t kFault = 0x0080;

struct XpakTest : ::testing::Test {
  bool light = true;
  Xpak optics{"INTEL", false, [this] { return light; }};
  std::uint16_t read(std::uint32_t device, std::uint16_t address) {
    return optics.mdio_read(0, device, address);
  }
};

TEST_F(XpakTest, LossOfLightIsLatchedUntilItWasRead) {
  EXPECT_EQ(read(kPma, 1), kFault) << "latched since power-up";
  EXPECT_EQ(read(kPma, 1), kUp);
  light = false;
  read(kPma, 10);  // any look at the fibre
  light = true;
  EXPECT_EQ(read(kPma, 1), kFault);
  EXPECT_EQ(read(kPma, 1), kUp);
}

TEST_F(XpakTest, WithoutLightItStaysDownHoweverOftenItIsRead) {
  light = false;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read(kPma, 1), kFault);
  EXPECT_EQ(read(kPcs, 1), kFault);
  EXPECT_EQ(read(kXs, 1), kUp) << "the electrical side needs no light";
  EXPECT_EQ(read(kPma, 10), 0);
  EXPECT_EQ(read(kPma, 8) & 0x0400, 0x0400) << "receive fault";
}

TEST_F(XpakTest, ItsTypeIsShortOrLongReach) {
  EXPECT_EQ(read(kPma, 7), 7) << "10GBASE-SR";
  EXPECT_EQ(read(kPma, 8), 0x8000 | 0x0080);
  Xpak long_reach("INTEL", true, [] { return true; });
  EXPECT_EQ(long_reach.mdio_read(0, kPma, 7), 6) << "10GBASE-LR";
  EXPECT_EQ(long_reach.mdio_read(0, kPma, 8), 0x8000 | 0x0040);
}

TEST_F(XpakTest, TheVendorsNameIsSixteenBytesFilledWithBlanks) {
  std::string name;
  for (std::uint16_t i = 0; i < 16; ++i)
    name += static_cast<char>(read(kPma, static_cast<std::uint16_t>(0x803a + i)));
  EXPECT_EQ(name, "INTEL           ");
  EXPECT_EQ(read(kPma, 0x803a + 16), 0) << "and nothing behind it";
}

TEST_F(XpakTest, ResetClearsItselfAndWhatWasWritten) {
  optics.mdio_write(0, kPma, 0, 0x2040);
  EXPECT_EQ(read(kPma, 0), 0x2040);
  read(kPma, 1);
  EXPECT_EQ(read(kPma, 1), kUp);
  optics.mdio_write(0, kPma, 0, 0xa040);
  EXPECT_EQ(read(kPma, 0), 0);
  EXPECT_EQ(read(kPma, 1), kFault) << "the link was lost in the reset";
}

TEST_F(XpakTest, TheVendorsRegisterHoldsWhatWasWritten) {
  optics.mdio_write(0, kPma, 0xc001, 0x1234);
  EXPECT_EQ(read(kPma, 0xc001), 0x1234);
}

TEST_F(XpakTest, OtherPortsAndDevicesAreNobody) {
  EXPECT_EQ(optics.mdio_read(1, kPma, 1), 0xffff);
  EXPECT_EQ(optics.mdio_read(0, 2, 1), 0xffff);
  optics.mdio_write(1, kPma, 0xc001, 1);
  optics.mdio_write(0, kPcs, 0xc001, 1);
  EXPECT_EQ(read(kPma, 0xc001), 0);
}

}  // namespace
}  // namespace longhaul::nic::ixgb
