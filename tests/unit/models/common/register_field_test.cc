// SPDX-License-Identifier: Apache-2.0
#include "models/common/register_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/common/register_bank.h"

namespace longhaul {
namespace {

struct SharedFields : RegisterFields {
  RegisterField en = bit("EN", 1, "the unit is on");
  RegisterField size = bits("SIZE", 16, 2);
};

struct OwnFields : SharedFields {
  RegisterField lpe = unmodelled("LPE", 5);
  RegisterField threshold = bits("THRESHOLD", 20, 12);
  std::uint32_t largest = size.put(3);
};
constexpr OwnFields kOwnFields;

/// Fields that are declared while the program runs, so that a wrong one is thrown.
struct AnyFields : RegisterFields {
  AnyFields(std::uint32_t lsb, std::uint32_t width) {
    bits("FIRST", 8, 4);
    bits("SECOND", lsb, width);
  }
};

static_assert(kOwnFields.size.mask() == 0x3'0000);
static_assert((kOwnFields.en | kOwnFields.threshold) == 0xfff0'0002, "stands for its mask");

TEST(RegisterField, StandsForItsMask) {
  std::uint32_t value = 0xffff'ffff;
  value &= ~kOwnFields.threshold;
  EXPECT_EQ(value, 0x000f'ffffU);
  EXPECT_NE(value & kOwnFields.en, 0U);
  EXPECT_EQ((RegisterField{"ALL", 0, 32}.mask()), 0xffff'ffffU);
}

TEST(RegisterField, GetsItsNumberAndPutsOneInItsPlace) {
  EXPECT_EQ(kOwnFields.threshold.get(0xabc1'2345), 0xabcU);
  EXPECT_EQ(kOwnFields.threshold.put(0xabc), 0xabc0'0000U);
  EXPECT_EQ(kOwnFields.size.put(7), 0x3'0000U) << "what has no room is lost";
  EXPECT_EQ(kOwnFields.largest, 0x3'0000U);
}

TEST(RegisterFields, AreWalkedInTheOrderOfTheirLinesABasesFirst) {
  std::vector<std::string> names;
  for (const RegisterField& field : kOwnFields) names.emplace_back(field.name);
  EXPECT_THAT(names, ::testing::ElementsAre("EN", "SIZE", "LPE", "THRESHOLD"));
  EXPECT_EQ(kOwnFields.mask(), 0xfff3'0022U);
  EXPECT_STREQ(kOwnFields.begin()->meaning, "the unit is on");
  EXPECT_FALSE(kOwnFields.en.without_effect);
  EXPECT_TRUE(kOwnFields.lpe.without_effect);
}

TEST(RegisterFields, OnesThatOverlapOrExceedTheRegisterAreRefused) {
  EXPECT_NO_THROW(AnyFields(12, 20));
  EXPECT_NO_THROW(AnyFields(0, 8));
  EXPECT_THROW(AnyFields(11, 1), std::logic_error);
  EXPECT_THROW(AnyFields(0, 9), std::logic_error);
  EXPECT_THROW(AnyFields(12, 21), std::logic_error);
  EXPECT_THROW(AnyFields(32, 1), std::logic_error);
  EXPECT_THROW(AnyFields(12, 0), std::logic_error);
}

TEST(RegisterFields, ARegisterKnowsItsOwn) {
  RegisterBank bank(0x10);
  constexpr RegisterSpec kSpec{"CTL", 0x4, kOwnFields, Access::kReadWrite, kOwnFields.largest};
  const Reg32 ctl(bank, kSpec);
  const Reg32 plain(bank, RegisterSpec{"PLAIN", 0x8, Access::kReadOnly, 7, 0xff});
  EXPECT_EQ(ctl.fields(), &kOwnFields);
  EXPECT_EQ(ctl.get(kOwnFields.size), 3U);
  EXPECT_EQ(plain.fields(), nullptr);
  EXPECT_EQ(plain.access(), Access::kReadOnly);
  EXPECT_EQ(plain.reset_value(), 7U);
  EXPECT_EQ(plain.writable(), 0xffU);
}

}  // namespace
}  // namespace longhaul
