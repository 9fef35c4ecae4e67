// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_manager.h"

#include <gmock/gmock.h>

#include "platform/cosim/bus/interrupt_pins.h"
#include "tests/unit/platform/cosim/bus/bus_fixture.h"
#include "tests/unit/platform/cosim/bus/rtl/bus_blocks.h"

namespace longhaul::cosim {
namespace {

using bus_test::At;
using bus_test::RegisterLog;
using bus_test::run_until;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ClockParams kClock{{100'000'000}};

struct AxilRegsTest : ::testing::TestWithParam<bool> {
  bus_test::AxilRegs regs =
      GetParam() ? bus_test::make_axil_regs_64_combinational() : bus_test::make_axil_regs_32();
  RtlBlock block{"block"};
  bus_test::Violations violations;
  RegisterLog log;
  At at{"at"};
  ClockDomain& clock = make_clock();
  bus_test::ResetDriver reset{clock, regs.reset_n, 5};
  AxiManager manager{block, clock, regs.pins, log, {"s_axil_", 200}, &violations};

  ClockDomain& make_clock() {
    block.set_model(*regs.model);
    return block.add_clock(regs.clock, kClock);
  }
};

TEST_P(AxilRegsTest, BytesOfEveryAlignmentArriveWhereTheyBelong) {
  std::vector<std::uint8_t> expected(64);
  std::uint64_t tag = 0;
  std::uint64_t state = 7;
  for (std::uint32_t round = 0; round < 200; ++round) {
    const std::uint64_t value = split_mix(state += kSplitMixIncrement);
    const auto count = static_cast<std::uint32_t>(1 + value % 8);
    const std::uint64_t address = (value >> 8U) % (64 - count);
    log.write(manager, address, value, count, tag++);
    for (std::uint32_t i = 0; i < count; ++i)
      expected[address + i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
  for (std::uint64_t address = 0; address < 64; ++address)
    log.read(manager, address, 1, 1000 + address);
  log.read(manager, 3, 8, 2000);
  run_until(200'000'000);
  ASSERT_TRUE(manager.idle());
  for (std::uint64_t address = 0; address < 64; ++address)
    EXPECT_EQ(log.done[1000 + address].value, expected[address]) << address;
  std::uint64_t wide = 0;
  for (std::uint32_t i = 0; i < 8; ++i) wide |= std::uint64_t{expected[3 + i]} << 8 * i;
  EXPECT_EQ(log.done[2000].value, wide);
  EXPECT_TRUE(std::is_sorted(log.order.begin(), log.order.end()));
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(AxilRegsTest, ErrorsOfTheBlockAreTold) {
  log.read(manager, 0x40, 4, 1);
  log.read(manager, 0x80, 4, 2);
  log.write(manager, 0x44, 0, 4, 3);
  log.write(manager, 0x84, 0, 4, 4);
  log.read(manager, 0x0, 4, 5);
  run_until(10'000'000);
  EXPECT_EQ(log.done[1].status, BusStatus::kSlaveError);
  EXPECT_EQ(log.done[1].value, 0xffff'ffffU);
  EXPECT_EQ(log.done[2].status, BusStatus::kDecodeError);
  EXPECT_EQ(log.done[3].status, BusStatus::kSlaveError);
  EXPECT_EQ(log.done[4].status, BusStatus::kDecodeError);
  EXPECT_EQ(log.done[5].status, BusStatus::kOk);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(AxilRegsTest, AnAccessThatIsNeverAnsweredTimesOutWithItsAddress) {
  log.read(manager, 0xc4, 4, 1);
  log.write(manager, 0x0, 1, 4, 2);
  run_until(20'000'000);
  EXPECT_EQ(log.done[1].status, BusStatus::kTimeout);
  EXPECT_EQ(log.done[2].status, BusStatus::kTimeout);
  ASSERT_THAT(violations.told,
              ElementsAre("register.answered s_axil_", "register.answered s_axil_"));
  EXPECT_EQ(violations.details[0], "a read of 4 bytes at 0xc4 was not answered within 200 clocks");
  EXPECT_EQ(violations.details[1], "a write of 4 bytes at 0x0 was not answered within 200 clocks");
}

TEST_P(AxilRegsTest, AClientMayAskAgainAtOnce) {
  int left = 50;
  log.then = [&](std::uint64_t tag) {
    if (--left > 0) log.read(manager, 0, 4, tag + 1);
  };
  at(1'000'000, [&] { log.read(manager, 0, 4, 1); });
  run_until(100'000'000);
  EXPECT_EQ(left, 0);
}

struct Levels final : InterruptClient {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> changes;
  void interrupts_changed(std::uint64_t levels, std::uint64_t) override {
    changes.emplace_back(now_ps(), levels);
  }
};

TEST_P(AxilRegsTest, AnInterruptIsToldAtTheEdgeThatRaisesIt) {
  Levels levels;
  const InterruptPins pins{block, clock, regs.irq, levels};
  at(1'000'000, [&] { log.write(manager, 0, 1, 4, 1); });
  at(2'000'000, [&] { log.write(manager, 0, 0, 4, 2); });
  run_until(3'000'000);
  ASSERT_EQ(levels.changes.size(), 2U);
  // The register is written at the edge at which BVALID rises, and the response taken at the next.
  EXPECT_EQ(levels.changes[0], (std::pair{log.done[1].at_ps - 10'000, std::uint64_t{1}}));
  EXPECT_EQ(levels.changes[1], (std::pair{log.done[2].at_ps - 10'000, std::uint64_t{0}}));
}

// A clock at 100 MHz: the address is taken at the edge after the one that put it on the pins.
TEST(AxiManager, CombinationalReadyIsSampledBeforeTheEdge) {
  bus_test::AxilRegs regs = bus_test::make_axil_regs_64_combinational();
  RtlBlock block("block");
  block.set_model(*regs.model);
  ClockDomain& clock = block.add_clock(regs.clock, kClock);
  bus_test::ResetDriver reset{clock, regs.reset_n, 5};
  bus_test::Violations violations;
  RegisterLog log;
  AxiManager manager{block, clock, regs.pins, log, {"s_axil_"}, &violations};
  At at{"at"};
  at(995'000, [&] { log.read(manager, 0, 8, 1); });
  run_until(2'000'000);
  // On the pins at 1.00 us, taken at 1.01, RVALID rises at 1.02, data is taken at 1.03.
  EXPECT_EQ(log.done[1].at_ps, 1'030'000U);
}

INSTANTIATE_TEST_SUITE_P(RegisteredAndCombinational, AxilRegsTest, ::testing::Bool());

}  // namespace
}  // namespace longhaul::cosim
