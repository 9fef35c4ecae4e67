// SPDX-License-Identifier: Apache-2.0
#include "models/common/register_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace longhaul {
namespace {

using ::testing::ElementsAre;

TEST(RegisterBank, StartsWithResetValuesAndReturnsToThem) {
  RegisterBank bank(0x20);
  Reg32 a(bank, "A", 0x00, 0x1234'5678);
  Reg32 b(bank, "B", 0x1c, 7);
  bank.write(0x00, 1);
  b.set(2);
  EXPECT_EQ(bank.read(0x00), 1U);
  bank.reset();
  EXPECT_EQ(bank.read(0x00), 0x1234'5678U);
  EXPECT_EQ(bank.read(0x1c), 7U);
}

TEST(RegisterBank, PartialWriteKeepsTheOtherLanes) {
  RegisterBank bank(0x10);
  std::vector<std::uint32_t> written;
  Reg32 reg(bank, "R", 0x8, 0xaabb'ccdd, Access::kReadWrite, {},
            [&](std::uint32_t v) { written.push_back(v); });
  bank.write(0x8, 0x1122'3344, 0x00ff'0000);
  EXPECT_EQ(reg.value(), 0xaa22'ccddU);
  EXPECT_THAT(written, ElementsAre(0xaa22'ccddU));
}

TEST(RegisterBank, ReadOnlyIgnoresTheBusButNotTheModel) {
  RegisterBank bank(0x10);
  int calls = 0;
  Reg32 reg(bank, "STATUS", 0x4, 5, Access::kReadOnly, {}, [&](std::uint32_t) { ++calls; });
  bank.write(0x4, 0xffff'ffff);
  EXPECT_EQ(bank.read(0x4), 5U);
  EXPECT_EQ(calls, 0);
  reg.set(9);
  EXPECT_EQ(bank.read(0x4), 9U);
}

TEST(RegisterBank, WriteOnlyReadsAsZeroAndKeepsItsValue) {
  RegisterBank bank(0x10);
  Reg32 reg(bank, "DOORBELL", 0x0, 0, Access::kWriteOnly);
  bank.write(0x0, 77);
  EXPECT_EQ(bank.read(0x0), 0U);
  EXPECT_EQ(reg.value(), 77U);
  EXPECT_EQ(bank.peek(0x0), 77U);
}

TEST(RegisterBank, ClearOnReadGivesItsValueOnceAndPeekDoesNotClear) {
  RegisterBank bank(0x10);
  Reg32 icr(bank, "ICR", 0x0, 0, Access::kClearOnRead);
  icr.set_bits(0x81);
  bank.write(0x0, 0xff);
  EXPECT_EQ(bank.peek(0x0), 0x81U);
  EXPECT_EQ(bank.read(0x0), 0x81U);
  EXPECT_EQ(bank.read(0x0), 0U);
}

TEST(RegisterBank, OnReadSeesTheValueBeforeItIsCleared) {
  RegisterBank bank(0x10);
  Reg32* self = nullptr;
  Reg32 icr(bank, "ICR", 0x0, 6, Access::kClearOnRead, [&] { return self->value() | 0x100U; });
  self = &icr;
  EXPECT_EQ(bank.read(0x0), 0x106U);
  EXPECT_EQ(icr.value(), 0U);
}

TEST(RegisterBank, StrayAccessesReadZeroAndAreCounted) {
  RegisterBank bank(0x10);
  Reg32 reg(bank, "R", 0x0, 1);
  EXPECT_EQ(bank.read(0x4), 0U);
  bank.write(0x8, 1);
  EXPECT_EQ(bank.read(0x1000), 0U);
  bank.write(0xffff'fffc, 1);
  EXPECT_EQ(bank.peek(0x4), 0U);
  EXPECT_EQ(bank.stray_accesses(), 4U);
  EXPECT_EQ(bank.read(0x0), 1U);
  EXPECT_EQ(bank.stray_accesses(), 4U);
}

TEST(RegisterBank, AnyByteOfARegisterLeadsToIt) {
  RegisterBank bank(0x10);
  Reg32 reg(bank, "R", 0x4, 0xdead'beef);
  for (std::uint32_t byte = 4; byte < 8; ++byte) EXPECT_EQ(bank.read(byte), 0xdead'beefU);
}

TEST(RegisterBank, TwoRegistersInOnePlaceAreRefusedByName) {
  RegisterBank bank(0x10);
  Reg32 first(bank, "FIRST", 0x4);
  try {
    Reg32 second(bank, "SECOND", 0x4);
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "registers FIRST and SECOND are both at 0x4");
  }
  EXPECT_THROW(Reg32(bank, "OUT", 0x10), std::logic_error);
  EXPECT_THROW(Reg32(bank, "ODD", 0x2), std::logic_error);
}

TEST(RegisterBank, ADestroyedRegisterLeavesTheBank) {
  RegisterBank bank(0x10);
  { Reg32 passing(bank, "PASSING", 0x0, 3); }
  EXPECT_EQ(bank.read(0x0), 0U);
  EXPECT_EQ(bank.stray_accesses(), 1U);
}

TEST(RegisterBank, ListsItsRegistersByOffset) {
  RegisterBank bank(0x10);
  Reg32 last(bank, "LAST", 0xc);
  Reg32 first(bank, "FIRST", 0x0);
  ASSERT_EQ(bank.registers().size(), 2U);
  EXPECT_STREQ(bank.registers()[0]->name(), "FIRST");
  EXPECT_STREQ(bank.registers()[1]->name(), "LAST");
}

constexpr RegisterSpec kControl{"CONTROL", 0x4, Access::kReadWrite, 0x8000'0001, 0x00ff'00ff};
constexpr RegisterSpec kMaskSet{"MASK_SET", 0x8, Access::kAction, 0, 0xf};

TEST(RegisterSpec, AWriteChangesOnlyTheWritableBits) {
  RegisterBank bank(0x10);
  std::vector<std::uint32_t> written;
  const Reg32 reg(bank, kControl, [&](auto value) { written.push_back(value); });
  bank.write(kControl, 0x7fff'fffe);
  bank.write(kControl, 0x1234'5678, 0x0000'ffff);
  EXPECT_THAT(written, ElementsAre(0x80ff'00feU, 0x80ff'0078U));
  EXPECT_EQ(reg.value(), 0x80ff'0078U);
  bank.reset();
  EXPECT_EQ(bank.read(kControl), 0x8000'0001U);
}

TEST(RegisterSpec, AnActionIsNotStored) {
  RegisterBank bank(0x10);
  std::vector<std::uint32_t> written;
  const Reg32 reg(bank, kMaskSet, [&](auto value) { written.push_back(value); });
  bank.write(kMaskSet, 0x13);
  bank.write(kMaskSet, 0x0f, 0xff00);
  EXPECT_THAT(written, ElementsAre(3U, 0U));
  EXPECT_EQ(bank.read(kMaskSet), 0U);
  EXPECT_EQ(reg.value(), 0U);
}

/// The unit behind a register.
struct Unit {
  std::uint32_t mask() const { return mask_; }
  void enable(std::uint32_t bits) { mask_ |= bits; }
  void changed() { ++changes; }
  std::uint32_t mask_ = 0;
  int changes = 0;
};

TEST(RegisterSpec, CallbacksAreMethodsOrLambdasInAnyOrder) {
  RegisterBank bank(0x10);
  Unit unit;
  const Reg32 set(bank, kMaskSet, &unit, &Unit::mask, &Unit::enable);
  const Reg32 control(bank, kControl, &unit, &Unit::changed, &Unit::mask);
  const Reg32 last(
      bank, RegisterSpec{"LAST", 0xc}, [&] { unit.changed(); }, [] { return 7U; });
  bank.write(kMaskSet, 1);
  bank.write(kMaskSet, 4);
  EXPECT_EQ(bank.read(kMaskSet), 5U);
  EXPECT_EQ(bank.read(kControl), 5U);
  bank.write(kControl, 0);
  bank.write(0xc, 0);
  EXPECT_EQ(unit.changes, 2);
  EXPECT_EQ(bank.read(0xc), 7U);
}

}  // namespace
}  // namespace longhaul
