// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/board/mdio_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/platform/cosim/board/scripted_block.h"
#include "tests/unit/support/ethernet.h"

namespace longhaul::cosim {
namespace {

using test::run_until;
using testing::BrokenRules;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::ScriptedBlock;

constexpr unsigned kMdc = 1;
constexpr unsigned kOut = 2;
constexpr unsigned kEnable = 4;
constexpr std::uint64_t kMdioPeriodPs = 200'000;
constexpr std::uint32_t kPhyPort = 3;

/// Answers at one port, in clause 22 and at device 1.
struct ManagedRegisters final : nic::MdioDevice {
  std::map<std::uint32_t, std::uint16_t> at;  // device << 16 | address
  bool short_preamble = false;
  int reads = 0;
  bool mdio_answers(std::uint32_t port, std::uint32_t device) const override {
    return port == kPhyPort && (device == nic::kMdioClause22 || device == 1);
  }
  bool mdio_takes_short_preamble() const override { return short_preamble; }
  std::uint16_t mdio_read(std::uint32_t, std::uint32_t device, std::uint16_t address) override {
    ++reads;
    return at[device << 16 | address];
  }
  void mdio_write(std::uint32_t, std::uint32_t device, std::uint16_t address,
                  std::uint16_t value) override {
    at[device << 16 | address] = value;
  }
};

struct MdioTargetTest : ::testing::Test {
  ScriptedBlock model;
  ManagedRegisters registers;
  RtlBlock block{"block"};
  MdioTarget target{"mdio", registers};
  BrokenRules broken;
  bool has_enable = true;

  void connect(std::uint64_t hertz = 5'000'000) {
    block.set_model(model);
    const ClockParams clock{{hertz}, 0, 0, {true, 4, {&model.wanted, 1}}};
    MdioPins pins;
    pins.clock = model.output(0);
    pins.out = model.output(1);
    if (has_enable) pins.enable = model.output(2);
    pins.in = Pin(&model.input, 0, 1);
    target.connect(block, block.add_clock({&model.clock, 1}, clock), pins, "phy", &broken);
    block.power_up(1'000'000'000'000 / hertz, [] { return true; });
  }
  /// A period of MDC: low with the bit, then high. The block takes a bit of the device with the
  /// rise of MDC that ends it, which is the clock behind the step of the low half.
  void bit(bool out, bool drives = true) {
    const unsigned levels = (out ? kOut : 0) | (drives ? kEnable : 0);
    model.step(levels);
    model.step(levels | kMdc);
  }
  void bits(std::uint32_t value, int count) {
    for (int i = count - 1; i >= 0; --i) bit((value >> i & 1U) != 0);
  }
  void preamble(int ones = 32) {
    for (int i = 0; i < ones; ++i) bit(true);
  }
  void header(std::uint32_t start, std::uint32_t op, std::uint32_t port, std::uint32_t reg) {
    bits(start << 12 | op << 10 | port << 5 | reg, 14);
  }
  void write(std::uint32_t start, std::uint32_t op, std::uint32_t port, std::uint32_t reg,
             std::uint32_t value) {
    preamble();
    header(start, op, port, reg);
    bits(2U << 16 | value, 18);
    rest();
  }
  /// Returns where the turn-around begins, in model.seen.
  std::size_t read(std::uint32_t start, std::uint32_t op, std::uint32_t port, std::uint32_t reg) {
    preamble();
    header(start, op, port, reg);
    const std::size_t first = model.seen.size() + model.script.size();
    for (int i = 0; i < 18; ++i) bit(true, false);
    rest();
    return first;
  }
  void rest() { model.step(kOut, 4); }
  void run() { run_until(2 * model.script.size() * kMdioPeriodPs + 10 * kMdioPeriodPs); }
  /// The level at the rise of MDC that ends a bit from `first` on, as the block's edge there sees
  /// it.
  bool seen(std::size_t first, std::size_t at) const { return model.seen.at(first + 2 * at + 1); }
  std::uint16_t data(std::size_t first) const {
    std::uint32_t value = 0;
    for (std::size_t i = 2; i < 18; ++i) value = value << 1 | (seen(first, i) ? 1U : 0U);
    return static_cast<std::uint16_t>(value);
  }
};

TEST_F(MdioTargetTest, ARegisterOfClause22IsReadAndWritten) {
  connect();
  registers.at[32U << 16 | 2] = 0xa35c;
  const std::size_t first = read(1, 2, kPhyPort, 2);
  write(1, 1, kPhyPort, 4, 0x1234);
  run();
  EXPECT_TRUE(seen(first, 0)) << "nobody drives the first bit of the turn-around";
  EXPECT_FALSE(seen(first, 1)) << "the device drives the second one to 0";
  EXPECT_EQ(data(first), 0xa35c);
  EXPECT_EQ(registers.at[32U << 16 | 4], 0x1234);
  EXPECT_EQ(model.input, 1) << "the pull, when all is over";
  EXPECT_EQ(target.frames.value(), 2U);
  EXPECT_THAT(broken.count, IsEmpty());
}

TEST_F(MdioTargetTest, Clause45HasAddressesAndReadsThatIncrement) {
  connect();
  registers.at[1U << 16 | 0x8000] = 0x1111;
  registers.at[1U << 16 | 0x8001] = 0x2222;
  write(0, 0, kPhyPort, 1, 0x8000);
  const std::size_t one = read(0, 2, kPhyPort, 1);
  const std::size_t two = read(0, 3, kPhyPort, 1);
  write(0, 1, kPhyPort, 1, 0x3333);
  run();
  EXPECT_EQ(data(one), 0x1111);
  EXPECT_EQ(data(two), 0x2222);
  EXPECT_EQ(registers.at[1U << 16 | 0x8001], 0x3333) << "the plain read keeps the address";
  EXPECT_THAT(broken.count, IsEmpty());
}

TEST_F(MdioTargetTest, WhereNoDeviceIsTheBusIsPulledUp) {
  connect();
  const std::size_t first = read(1, 2, kPhyPort + 1, 2);
  const std::size_t other = read(0, 3, kPhyPort, 2);
  write(1, 1, kPhyPort + 1, 4, 0x1234);
  run();
  EXPECT_EQ(data(first), 0xffff);
  EXPECT_EQ(data(other), 0xffff);
  EXPECT_EQ(registers.reads, 0);
  EXPECT_TRUE(registers.at.empty());
  EXPECT_EQ(target.unanswered.value(), 3U);
  EXPECT_THAT(broken.count, IsEmpty());
}

TEST_F(MdioTargetTest, AFrameNeedsItsPreambleUnlessTheDeviceSaysSo) {
  connect();
  registers.at[32U << 16 | 2] = 0xa35c;
  preamble(31);
  header(1, 2, kPhyPort, 2);
  for (int i = 0; i < 18; ++i) bit(true, false);
  rest();
  run();
  EXPECT_EQ(registers.reads, 0);
  EXPECT_THAT(broken.count, ElementsAre(Pair("mdio.preamble", 1)));
  EXPECT_THAT(broken.details, ElementsAre("phy.mdio 31 ones"));
}

TEST_F(MdioTargetTest, AShortPreambleIsTaken) {
  connect();
  registers.short_preamble = true;
  bit(true);
  header(1, 1, kPhyPort, 4);
  bits(2U << 16 | 0x77, 18);
  header(1, 1, kPhyPort, 5);
  bits(2U << 16 | 0x88, 18);
  rest();
  run();
  EXPECT_EQ(registers.at[32U << 16 | 4], 0x77);
  EXPECT_EQ(registers.at[32U << 16 | 5], 0x88);
  EXPECT_THAT(broken.count, IsEmpty());
}

TEST_F(MdioTargetTest, WrongFramesAreBrokenRules) {
  connect();
  preamble();
  header(1, 3, kPhyPort, 2);  // no operation
  for (int i = 0; i < 18; ++i) bit(true);
  rest();
  preamble();
  header(1, 1, kPhyPort, 4);
  bits(3U << 16 | 0x1234, 18);  // a turn-around of ones
  rest();
  preamble();
  header(1, 2, kPhyPort, 2);
  for (int i = 0; i < 18; ++i) bit(true);  // drives against the device
  rest();
  preamble();
  header(1, 1, kPhyPort, 4);
  for (int i = 0; i < 18; ++i) bit(i != 1, i != 9);  // lets go
  rest();
  run();
  EXPECT_THAT(broken.count, ElementsAre(Pair("mdio.driven", 1), Pair("mdio.operation", 1),
                                        Pair("mdio.turn_around", 2)));
}

TEST_F(MdioTargetTest, MdcIsNotTooFastAndDataDoNotChangeWithIt) {
  connect(10'000'000);
  bit(true);
  bit(true);
  model.step(kEnable);
  model.step(kEnable | kOut | kMdc);
  model.step(kEnable | kOut);
  run_until(10'000'000);
  EXPECT_THAT(broken.count, ElementsAre(Pair("mdio.clock", 7), Pair("mdio.stable", 1)));
  EXPECT_THAT(broken.details, ::testing::Contains("phy.mdc period 200 ns"));
}

TEST_F(MdioTargetTest, ABlockWithoutEnableLeavesReadsToTheDevice) {
  has_enable = false;
  connect();
  registers.at[32U << 16 | 2] = 0x5a5a;
  const std::size_t first = read(1, 2, kPhyPort, 2);
  run();
  EXPECT_EQ(data(first), 0x5a5a);
  EXPECT_THAT(broken.count, IsEmpty());
}

TEST_F(MdioTargetTest, NothingHappensWhileMdcStandsStill) {
  connect();
  write(1, 1, kPhyPort, 4, 0x1234);
  run();
  const std::uint64_t evaluations = block.evaluations();
  run_until(100'000 * kMdioPeriodPs);
  EXPECT_EQ(block.evaluations(), evaluations);
}

}  // namespace
}  // namespace longhaul::cosim
