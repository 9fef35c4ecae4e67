// SPDX-License-Identifier: Apache-2.0
// Registers behind APB, Wishbone and the plain bus: what all of them must do alike.
#include <gmock/gmock.h>

#include "platform/cosim/bus/apb_manager.h"
#include "platform/cosim/bus/plain_bus_manager.h"
#include "platform/cosim/bus/wishbone_manager.h"
#include "tests/unit/platform/cosim/bus/bus_fixture.h"
#include "tests/unit/platform/cosim/bus/rtl/bus_blocks.h"

namespace longhaul::cosim {
namespace {

using bus_test::RegisterLog;
using bus_test::run_until;
using bus_test::WishboneKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A block of 64 bytes behind a bus, with its clock and its reset.
struct RegisterBlock {
  explicit RegisterBlock(RtlModel& model, BitPin clock_pin) : clock(start(model, clock_pin)) {}
  RtlBlock block{"block"};
  bus_test::Violations violations;
  RegisterLog log;
  ClockDomain& clock;

  ClockDomain& start(RtlModel& model, BitPin clock_pin) {
    block.set_model(model);
    return block.add_clock(clock_pin, {{100'000'000}});
  }
};

/// Writes of every length and alignment, then all bytes read back, then reads across words.
void expect_bytes(RegisterPort& port, RegisterLog& log) {
  std::vector<std::uint8_t> expected(64);
  std::uint64_t tag = 0;
  std::uint64_t state = 11;
  for (std::uint32_t round = 0; round < 200; ++round) {
    const std::uint64_t value = split_mix(state += kSplitMixIncrement);
    const auto count = static_cast<std::uint32_t>(1 + value % 8);
    const std::uint64_t address = (value >> 8U) % (64 - count);
    log.write(port, address, value, count, tag++);
    for (std::uint32_t i = 0; i < count; ++i)
      expected[address + i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
  for (std::uint64_t address = 0; address < 64; ++address) log.read(port, address, 1, tag++);
  for (std::uint64_t address = 0; address < 57; ++address) log.read(port, address, 8, tag++);
  run_until(400'000'000);
  ASSERT_EQ(log.order.size(), tag);
  EXPECT_TRUE(std::is_sorted(log.order.begin(), log.order.end()));
  for (std::uint64_t address = 0; address < 64; ++address) {
    EXPECT_EQ(log.done[200 + address].value, expected[address]) << address;
    EXPECT_EQ(log.done[200 + address].status, BusStatus::kOk);
  }
  for (std::uint64_t address = 0; address < 57; ++address) {
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < 8; ++i) value |= std::uint64_t{expected[address + i]} << 8 * i;
    EXPECT_EQ(log.done[264 + address].value, value) << address;
  }
}

struct ApbRegsTest : ::testing::TestWithParam<bool> {
  bus_test::ApbRegs regs = bus_test::make_apb_regs(GetParam());
  RegisterBlock b{*regs.model, regs.clock};
  bus_test::ResetDriver reset{b.clock, regs.pins.reset.pin, 4};
};

TEST_P(ApbRegsTest, BytesOfEveryAlignmentArriveWhereTheyBelong) {
  ApbManager manager{b.block, b.clock, regs.pins, b.log, {"s_"}, &b.violations};
  expect_bytes(manager, b.log);
  EXPECT_THAT(b.violations.told, IsEmpty());
}

TEST_P(ApbRegsTest, ErrorsAndTimeoutsAreTold) {
  ApbManager manager{b.block, b.clock, regs.pins, b.log, {"s_", 100}, &b.violations};
  b.log.read(manager, 0x40, 4, 1);
  b.log.write(manager, 0x0, 5, 4, 2);
  b.log.write(manager, 0xc8, 0, 4, 3);
  run_until(20'000'000);
  EXPECT_EQ(b.log.done[1].status, BusStatus::kSlaveError);
  EXPECT_EQ(b.log.done[2].status, BusStatus::kOk);
  EXPECT_EQ(b.log.done[3].status, BusStatus::kTimeout);
  EXPECT_THAT(b.violations.told, ElementsAre("register.answered s_"));
}

TEST_P(ApbRegsTest, WithoutStrobesTheWholeWordIsWritten) {
  bus_test::ApbRegs whole = bus_test::make_apb_regs(GetParam());
  whole.pins.pstrb.set(0xf);
  ApbPins pins = whole.pins;
  pins.pstrb = Pin();
  RtlBlock block("whole");
  block.set_model(*whole.model);
  ClockDomain& clock = block.add_clock(whole.clock, {{100'000'000}});
  bus_test::ResetDriver driver{clock, whole.pins.reset.pin, 4};
  RegisterLog log;
  ApbManager manager{block, clock, pins, log, {"s_"}, &b.violations};
  log.write(manager, 0, 0x1122'3344, 4, 1);
  log.write(manager, 1, 0x55, 1, 2);
  log.read(manager, 0, 4, 3);
  run_until(2'000'000);
  EXPECT_EQ(log.done[3].value, 0x5500U);
  EXPECT_THAT(b.violations.told, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(WaitsAndNone, ApbRegsTest, ::testing::Bool());

TEST(ApbManager, ATransferWithoutWaitsTakesTwoClocks) {
  bus_test::ApbRegs regs = bus_test::make_apb_regs(false);
  RegisterBlock b{*regs.model, regs.clock};
  bus_test::ResetDriver reset{b.clock, regs.pins.reset.pin, 4};
  ApbManager manager{b.block, b.clock, regs.pins, b.log, {"s_"}, &b.violations};
  bus_test::At at{"at"};
  at(995'000, [&] {
    b.log.read(manager, 0, 4, 1);
    b.log.read(manager, 0, 4, 2);
  });
  run_until(2'000'000);
  // PSEL from 1.00 us, PENABLE from 1.01, done at 1.02, and the next transfer's setup from there.
  EXPECT_EQ(b.log.done[1].at_ps, 1'020'000U);
  EXPECT_EQ(b.log.done[2].at_ps, 1'040'000U);
}

struct WishboneRegsTest : ::testing::TestWithParam<WishboneKind> {
  bus_test::WishboneRegs regs = bus_test::make_wishbone_regs(GetParam());
  RegisterBlock b{*regs.model, regs.clock};
  /// The reset is high; ResetDriver's pin is low in reset.
  struct High final : Transactor {
    ClockDomain& clock;
    Pin pin;
    std::uint32_t left = 4;
    High(ClockDomain& of, Pin reset) : clock(of), pin(reset) {
      pin.set(1);
      clock.attach(*this, 0);
    }
    void clocked(std::uint64_t) override {
      if (--left != 0) return;
      pin.set(0);
      clock.detach(*this);
    }
  } reset{b.clock, regs.pins.reset.pin};
};

TEST_P(WishboneRegsTest, BytesOfEveryAlignmentArriveWhereTheyBelong) {
  WishboneManager manager{b.block, b.clock, regs.pins, b.log, {"s_"}, &b.violations};
  expect_bytes(manager, b.log);
  EXPECT_THAT(b.violations.told, IsEmpty());
}

TEST_P(WishboneRegsTest, ErrorsRetriesAndTimeoutsAreTold) {
  WishboneManager manager{b.block, b.clock, regs.pins, b.log, {"s_", 100}, &b.violations};
  b.log.write(manager, 0x40, 0, 4, 1);
  b.log.read(manager, 0x80, 4, 2);  // the fourth time it is answered
  b.log.read(manager, 0xc0, 4, 3);
  run_until(20'000'000);
  EXPECT_EQ(b.log.done[1].status, BusStatus::kSlaveError);
  EXPECT_EQ(b.log.done[2].status, BusStatus::kOk);
  EXPECT_EQ(b.log.done[3].status, BusStatus::kTimeout);
  EXPECT_THAT(b.violations.told, ElementsAre("register.answered s_"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, WishboneRegsTest,
                         ::testing::Values(WishboneKind::kCombinational, WishboneKind::kRegistered,
                                           WishboneKind::kPipelined));

/// Sixteen bytes behind the plain bus, acknowledged two clocks after the select.
struct PlainRegisters final : RtlModel {
  std::uint8_t clock = 0, select = 0, write = 0, acknowledge = 0, error = 0, enable = 0;
  std::uint16_t address = 0;
  std::uint32_t write_data = 0, read_data = 0;
  bool stuck = false;  // acknowledges forever
  std::array<std::uint8_t, 64> bytes{};

  void eval(std::uint64_t) override {
    if (clock != 0 && before_ == 0) rise();
    before_ = clock;
  }
  PlainBusPins pins() {
    PlainBusPins pins;
    pins.select = Pin(&select, 0, 1);
    pins.write = Pin(&write, 0, 1);
    pins.address = Pin(&address, 0, 12);
    pins.write_data = Pin(&write_data, 0, 32);
    pins.read_data = Pin(&read_data, 0, 32);
    pins.acknowledge = Pin(&acknowledge, 0, 1);
    pins.error = Pin(&error, 0, 1);
    pins.byte_enable = Pin(&enable, 0, 4);
    return pins;
  }

 private:
  void rise() {
    const bool first = select != 0 && !phase_ && acknowledge == 0;
    acknowledge = stuck || phase_ ? 1 : 0;
    error = phase_ && address >= 64 ? 1 : 0;
    if (phase_ && error == 0) {
      read_data = 0;
      for (std::uint32_t i = 0; i < 4; ++i) {
        if (write != 0 && (enable >> i & 1U) != 0)
          bytes[address + i] = static_cast<std::uint8_t>(write_data >> 8 * i);
        read_data |= std::uint32_t{bytes[address + i]} << 8 * i;
      }
    }
    phase_ = first;
  }
  std::uint8_t before_ = 0;
  bool phase_ = false;
};

TEST(PlainBusManager, BytesErrorsAndItsRule) {
  PlainRegisters model;
  RegisterBlock b{model, {&model.clock}};
  PlainBusManager manager{b.block, b.clock, model.pins(), b.log, {"bus_"}, &b.violations};
  bus_test::At at{"at"};
  at(410'000'000, [&] { b.log.read(manager, 64, 4, 9000); });
  at(420'000'000, [&] {
    EXPECT_THAT(b.violations.told, IsEmpty());
    model.stuck = true;
  });
  expect_bytes(manager, b.log);
  run_until(420'100'000);
  EXPECT_EQ(b.log.done[9000].status, BusStatus::kSlaveError);
  EXPECT_THAT(b.violations.told, ::testing::Contains("plain.acknowledge bus_acknowledge"));
}

TEST(BusWidth, OneThatNoBusHasIsAnErrorWithBothWidths) {
  std::uint64_t port = 0;
  EXPECT_EQ(bus_word_bytes(Pin(&port, 0, 16), Pin(), 8, "s_"), 2U);
  EXPECT_THROW(bus_word_bytes(Pin(&port, 0, 24), Pin(), 8, "s_"), std::invalid_argument);
  EXPECT_THROW(bus_word_bytes(Pin(&port, 0, 64), Pin(), 4, "s_"), std::invalid_argument);
  EXPECT_THROW(bus_word_bytes(Pin(&port, 0, 32), Pin(&port, 0, 16), 8, "s_"),
               std::invalid_argument);
}

}  // namespace
}  // namespace longhaul::cosim
