// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/ram_buffer.h"

#include <gtest/gtest.h>

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint32_t kBlock = regs::kRbR1;

class RamBufferTest : public ::testing::Test {
 protected:
  std::uint32_t read(std::uint32_t reg) { return bank.read(kBlock + reg); }
  void write(std::uint32_t reg, std::uint32_t value, std::uint32_t mask = ~0U) {
    bank.write(kBlock + reg, value, mask);
  }
  void command(std::uint32_t bits) { write(regs::rb::kCtrl, bits, 0xff); }
  /// As a driver sets a queue up: `quadwords` from quadword 0x10000 on.
  void set_up(std::uint32_t quadwords) {
    command(regs::kRbCtrlFields.rst_clr);
    for (std::uint32_t reg : {regs::rb::kStart, regs::rb::kWp, regs::rb::kRp}) write(reg, 0x10000);
    write(regs::rb::kEnd, 0x10000 + quadwords - 1);
    command(regs::kRbCtrlFields.ena_op_md);
  }

  RegisterBank bank{0x4000};
  int changes = 0;
  int losses = 0;
  RamBuffer ram{"ram", bank, kBlock, units::KiB(1024), [this] { ++changes; }, [this] { ++losses; }};
};

TEST_F(RamBufferTest, OffUntilOutOfResetAndInOperation) {
  write(regs::rb::kEnd, 0xff);
  EXPECT_FALSE(ram.fits(1));
  command(regs::kRbCtrlFields.ena_op_md);
  EXPECT_FALSE(ram.enabled());
  command(regs::kRbCtrlFields.rst_clr);
  EXPECT_TRUE(ram.enabled());
  EXPECT_TRUE(ram.fits(256));
  EXPECT_FALSE(ram.fits(257));
  command(0);  // commands come in pairs: none does nothing
  EXPECT_TRUE(ram.enabled());
  EXPECT_EQ(read(regs::rb::kCtrl), regs::kRbCtrlFields.rst_clr | regs::kRbCtrlFields.ena_op_md |
                                       regs::kRbCtrlFields.dis_stfwd);
  command(regs::kRbCtrlFields.dis_op_md);
  EXPECT_FALSE(ram.enabled());
}

TEST_F(RamBufferTest, PointersGoRoundBetweenItsBounds) {
  set_up(100);
  ram.put(70);
  EXPECT_EQ(read(regs::rb::kWp), 0x10046U);
  EXPECT_EQ(read(regs::rb::kRp), 0x10000U);
  EXPECT_EQ(read(regs::rb::kLev), 70U);
  EXPECT_FALSE(ram.fits(31));
  ram.take(60);
  ram.put(40);
  EXPECT_EQ(read(regs::rb::kWp), 0x1000aU);
  EXPECT_EQ(read(regs::rb::kRp), 0x1003cU);
  EXPECT_EQ(read(regs::rb::kLev), 50U);
}

TEST_F(RamBufferTest, CountsPackets) {
  set_up(100);
  ram.packet_in();
  ram.packet_in();
  EXPECT_EQ(read(regs::rb::kPc), 2U);
  ram.packet_out();
  EXPECT_EQ(read(regs::rb::kPc), 1U);
}

TEST_F(RamBufferTest, ResetLosesWhatLiesInIt) {
  set_up(100);
  ram.put(10);
  ram.packet_in();
  write(regs::rb::kCtrl, regs::kRbCtrlFields.rst_set | regs::kRbCtrlFields.dis_op_md);
  EXPECT_EQ(losses, 1);
  EXPECT_EQ(read(regs::rb::kLev), 0U);
  EXPECT_EQ(read(regs::rb::kPc), 0U);
  EXPECT_FALSE(ram.enabled());
  command(regs::kRbCtrlFields.rst_set);  // it is in reset already
  EXPECT_EQ(losses, 1);
}

TEST_F(RamBufferTest, BoundsThatMakeNoSenseLeaveNoRoom) {
  set_up(100);
  write(regs::rb::kEnd, 0xffff);
  EXPECT_EQ(ram.capacity(), 0U);
  EXPECT_FALSE(ram.fits(1));
  write(regs::rb::kStart, 0);
  write(regs::rb::kEnd, 0xffff'ffff);  // 19 bits, and never more than there is
  EXPECT_EQ(read(regs::rb::kEnd), 0x7'ffffU);
  EXPECT_EQ(ram.capacity(), 0x2'0000U);
}

TEST_F(RamBufferTest, PauseThresholdsAreLevelsWithHysteresis) {
  set_up(100);
  write(regs::rb::kUtpp, 60);
  write(regs::rb::kLtpp, 30);
  ram.put(59);
  EXPECT_FALSE(ram.above_pause());
  ram.put(1);
  EXPECT_TRUE(ram.above_pause());
  ram.take(29);
  EXPECT_TRUE(ram.above_pause());
  ram.take(1);
  EXPECT_FALSE(ram.above_pause());
}

TEST_F(RamBufferTest, NoPauseWithoutAThreshold) {
  set_up(100);
  ram.put(100);
  EXPECT_FALSE(ram.above_pause());
}

}  // namespace
}  // namespace longhaul::nic::genesis
