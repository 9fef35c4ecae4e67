// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/elmer0.h"

#include <gtest/gtest.h>

#include <vector>

namespace longhaul::nic::terminator {
namespace {

struct Elmer0Test : ::testing::Test {
  std::vector<std::uint32_t> outputs;
  int interrupts = 0;
  Elmer0 elmer{[this](std::uint32_t value) { outputs.push_back(value); }, [this] { ++interrupts; }};
  static constexpr std::uint32_t kEnable = 0x08, kCause = 0x0c, kStat = 0x14, kGpo = 0x18;
  static constexpr std::uint32_t kMac = 0x02, kModule = 0x20, kPhy = 0x40;
  std::uint32_t read(std::uint32_t offset) { return elmer.bank().read(offset); }
  void write(std::uint32_t offset, std::uint32_t value) { elmer.bank().write(offset, value); }
  void phy(bool high) { elmer.set_input(mac_regs::kElmer0PinFields.phy, high); }
  void module(bool high) { elmer.set_input(mac_regs::kElmer0PinFields.module, high); }
};

TEST_F(Elmer0Test, OutputsFollowGpo) {
  write(kGpo, 0x805);
  EXPECT_EQ(outputs, (std::vector<std::uint32_t>{0x805}));
  EXPECT_EQ(read(kGpo), 0x805U);
  elmer.reset();
  EXPECT_EQ(outputs.back(), 0U);
}

TEST_F(Elmer0Test, AnEnabledInputAsksUntilItsBitIsCleared) {
  write(kEnable, kPhy);
  phy(true);
  EXPECT_TRUE(elmer.interrupt());
  EXPECT_EQ(read(kCause), kPhy);
  EXPECT_EQ(read(kStat), kPhy);
  phy(false);
  EXPECT_TRUE(elmer.interrupt()) << "latched";
  write(kCause, kMac);
  EXPECT_TRUE(elmer.interrupt()) << "another bit";
  write(kCause, kPhy);
  EXPECT_FALSE(elmer.interrupt());
  EXPECT_EQ(interrupts, 2);
}

TEST_F(Elmer0Test, AnInputThatStaysIsLatchedAgain) {
  write(kEnable, kPhy);
  phy(true);
  write(kCause, ~0U);
  EXPECT_TRUE(elmer.interrupt());
  EXPECT_EQ(read(kCause), kPhy);
}

TEST_F(Elmer0Test, WithoutEnableACauseWaits) {
  phy(true);
  EXPECT_FALSE(elmer.interrupt());
  write(kEnable, kPhy);
  EXPECT_TRUE(elmer.interrupt());
  write(kEnable, 0);
  EXPECT_FALSE(elmer.interrupt());
}

TEST_F(Elmer0Test, TheModulePinAsksAtBothEdgesAndNotWhileItIsHigh) {
  write(kEnable, kModule);
  module(true);
  EXPECT_EQ(read(kCause), kModule);
  write(kCause, kModule);
  EXPECT_EQ(read(kCause), 0U) << "a missing module does not ask for ever";
  module(false);
  EXPECT_EQ(read(kCause), kModule);
}

TEST_F(Elmer0Test, InputsCannotBeWritten) {
  write(kStat, ~0U);
  EXPECT_EQ(read(kStat), 0U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
