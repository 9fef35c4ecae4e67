// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/mi1.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "tests/unit/times.h"

namespace longhaul::nic::terminator {
namespace {

struct MdioBus final : MdioDevice {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>, std::uint16_t> at;
  bool mdio_answers(std::uint32_t, std::uint32_t) const override { return true; }
  std::uint16_t mdio_read(std::uint32_t port, std::uint32_t device,
                          std::uint16_t address) override {
    return at[{port, device, address}];
  }
  void mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                  std::uint16_t value) override {
    at[{port, device, address}] = value;
  }
};

struct Mi1Test : ::testing::Test {
  MdioBus bus;
  Mi1 mi1{bus, units::MHz(44), false};
  static constexpr std::uint32_t kCfg = 0, kAddr = 4, kData = 8, kOp = 12;
  std::uint32_t read(std::uint32_t offset) { return mi1.bank().read(offset); }
  void write(std::uint32_t offset, std::uint32_t value) { mi1.bank().write(offset, value); }
  bool busy() { return (read(kOp) >> 31U) != 0; }
  static void run(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }
  void operate(std::uint32_t op) {
    write(kOp, op);
    run(mi1.frame_ps());
  }
  void address(std::uint32_t port, std::uint32_t device, std::uint32_t reg) {
    write(kAddr, port << 5U | device);
    write(kData, reg);
    operate(0);
  }
};

TEST_F(Mi1Test, TheDividerSetsTheTimeOfAFrame) {
  write(kCfg, 4 | 21 << 5U);  // 44 MHz / 44: MDC of 1 MHz
  EXPECT_EQ(mi1.frame_ps(), 64 * kUs);
  write(kOp, 0);
  run(64 * kUs - 1);
  EXPECT_TRUE(busy());
  run(1);
  EXPECT_FALSE(busy());
  write(kCfg, 21 << 5U);
  EXPECT_EQ(mi1.frame_ps(), 32 * kUs) << "without preamble";
  write(kCfg, 4 | 10 << 5U);
  EXPECT_EQ(mi1.frame_ps(), 32 * kUs) << "MDC of 2 MHz";
}

TEST_F(Mi1Test, IndirectAccessReadsAndWritesADevicesRegister) {
  address(1, 3, 0x8300);
  write(kData, 0xbeef);
  operate(1);
  EXPECT_EQ((bus.at[{1, 3, 0x8300}]), 0xbeef);
  bus.at[{1, 4, 0x18}] = 0x100f;
  address(1, 4, 0x18);
  write(kOp, 3);
  EXPECT_NE(read(kData), 0x100fU) << "not before the frame has ended";
  run(mi1.frame_ps());
  EXPECT_EQ(read(kData), 0x100fU);
  EXPECT_EQ(bus.at.count({1, 4, 0x8300}), 0U);
}

TEST_F(Mi1Test, ReadingWithIncrementGoesOn) {
  bus.at[{0, 1, 8}] = 0x11;
  bus.at[{0, 1, 9}] = 0x22;
  address(0, 1, 8);
  operate(2);
  EXPECT_EQ(read(kData), 0x11U);
  operate(2);
  EXPECT_EQ(read(kData), 0x22U);
}

TEST_F(Mi1Test, DirectAccessIsClause22) {
  write(kCfg, 1U << 3U);
  write(kAddr, 5U << 5U | 17);
  write(kData, 0xabc);
  operate(1);
  EXPECT_EQ((bus.at[{5, kMdioClause22, 17}]), 0xabc);
  bus.at[{5, kMdioClause22, 18}] = 0x777;
  write(kAddr, 5U << 5U | 18);
  operate(2);
  EXPECT_EQ(read(kData), 0x777U);
}

TEST_F(Mi1Test, AnOperationDuringAFrameIsIgnored) {
  address(0, 1, 8);
  write(kData, 1);
  write(kOp, 1);
  write(kData, 2);
  write(kOp, 1);
  run(mi1.frame_ps());
  EXPECT_FALSE(busy()) << "one frame only";
  EXPECT_EQ((bus.at[{0, 1, 8}]), 1);
}

TEST_F(Mi1Test, AWrongInversionInvertsWhatIsRead) {
  bus.at[{0, 1, 8}] = 0x00ff;
  write(kCfg, 2);
  address(0, 1, 8);
  operate(3);
  EXPECT_EQ(read(kData), 0xff00U);
  write(kCfg, 0);
  EXPECT_EQ(read(kData), 0x00ffU);
}

}  // namespace
}  // namespace longhaul::nic::terminator
