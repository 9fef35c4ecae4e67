// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/mdio.h"

#include <gtest/gtest.h>

#include <map>

namespace longhaul::nic {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct Registers final : MdioDevice {
  std::map<std::uint32_t, std::uint16_t> at;  // port << 24 | device << 16 | address
  bool mdio_answers(std::uint32_t, std::uint32_t) const override { return true; }
  std::uint16_t mdio_read(std::uint32_t port, std::uint32_t device,
                          std::uint16_t address) override {
    return at[port << 24 | device << 16 | address];
  }
  void mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                  std::uint16_t value) override {
    at[port << 24 | device << 16 | address] = value;
  }
};

struct Mdio : ::testing::Test {
  Registers registers;
  MdioStation station{registers, {}};
  bool frame(MdioOp op, std::uint32_t device, std::uint16_t number, std::uint16_t data = 0) {
    return station.start(MdioClause::k45, op, 0, device, number, data);
  }
  void finish() { sc_core::sc_start(sc_time(25600, SC_NS)); }
};

TEST_F(Mdio, AFrameTakesSixtyFourClocksAndNoSecondStartsMeanwhile) {
  ASSERT_TRUE(frame(MdioOp::kAddress, 1, 2));
  sc_core::sc_start(sc_time(25599, SC_NS));
  EXPECT_TRUE(station.busy());
  EXPECT_FALSE(frame(MdioOp::kAddress, 1, 3));
  sc_core::sc_start(sc_time(1, SC_NS));
  EXPECT_FALSE(station.busy());
}

TEST_F(Mdio, ASetTimeAppliesToTheNextFrame) {
  ASSERT_TRUE(frame(MdioOp::kAddress, 1, 2));
  station.set_frame_time(sc_time(64, sc_core::SC_US));
  finish();
  EXPECT_FALSE(station.busy());
  ASSERT_TRUE(frame(MdioOp::kAddress, 1, 2));
  sc_core::sc_start(sc_time(63999, SC_NS));
  EXPECT_TRUE(station.busy());
  sc_core::sc_start(sc_time(1, SC_NS));
  EXPECT_FALSE(station.busy());
}

TEST_F(Mdio, EachDeviceKeepsItsOwnAddress) {
  registers.at[1U << 16 | 0x803a] = 'I';
  registers.at[4U << 16 | 0x0018] = 0x100f;
  frame(MdioOp::kAddress, 1, 0x803a);
  finish();
  frame(MdioOp::kAddress, 4, 0x0018);
  finish();
  frame(MdioOp::kRead, 1, 0);
  EXPECT_NE(station.read_data(), 'I') << "not before the frame has ended";
  finish();
  EXPECT_EQ(station.read_data(), 'I');
  frame(MdioOp::kRead, 4, 0);
  finish();
  EXPECT_EQ(station.read_data(), 0x100f);
}

TEST_F(Mdio, AResetForgetsWhatWasReadAndEndsAFrame) {
  registers.at[1U << 16 | 2] = 0x1234;
  frame(MdioOp::kAddress, 1, 2);
  finish();
  frame(MdioOp::kRead, 1, 0);
  finish();
  ASSERT_EQ(station.read_data(), 0x1234);
  ASSERT_TRUE(frame(MdioOp::kRead, 1, 0));
  station.reset();
  EXPECT_FALSE(station.busy());
  EXPECT_EQ(station.read_data(), 0);
}

TEST_F(Mdio, ReadWithIncrementWalks) {
  for (std::uint16_t i = 0; i < 3; ++i)
    registers.at[1U << 16 | (0x10U + i)] = static_cast<std::uint16_t>(i + 1);
  frame(MdioOp::kAddress, 1, 0x10);
  finish();
  for (std::uint16_t i = 0; i < 3; ++i) {
    frame(MdioOp::kReadIncrement, 1, 0);
    finish();
    EXPECT_EQ(station.read_data(), i + 1);
  }
}

TEST_F(Mdio, WritesLandAndClause22HasItsOwnSpace) {
  frame(MdioOp::kAddress, 1, 0xc001);
  finish();
  frame(MdioOp::kWrite, 1, 0, 0x80);
  finish();
  EXPECT_EQ(registers.at[1U << 16 | 0xc001], 0x80);
  station.start(MdioClause::k22, MdioOp::kWrite, 3, 0, 5, 0x55);
  finish();
  EXPECT_EQ(registers.at[3U << 24 | 32U << 16 | 5], 0x55);
}

TEST_F(Mdio, EachPortKeepsItsAddresses) {
  registers.at[2U << 24 | 1U << 16 | 7] = 0x77;
  registers.at[5U << 24 | 1U << 16 | 9] = 0x99;
  MdioFrames frames(registers);
  frames.carry_out(MdioClause::k45, MdioOp::kAddress, 2, 1, 7, 0);
  frames.carry_out(MdioClause::k45, MdioOp::kAddress, 5, 1, 9, 0);
  EXPECT_EQ(frames.carry_out(MdioClause::k45, MdioOp::kRead, 2, 1, 0, 0), 0x77);
  EXPECT_EQ(frames.carry_out(MdioClause::k45, MdioOp::kRead, 5, 1, 0, 0), 0x99);
}

}  // namespace
}  // namespace longhaul::nic
