// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "models/nic/adapter_type.h"

namespace longhaul::nic {
namespace {

std::unique_ptr<Adapter> adapter(const std::string& type, nlohmann::json params = nullptr) {
  return adapter_types().find(type, "eth0").make({"eth0", std::move(params), "eth0", 0, 1});
}

/// What a register's line says of its bits lies within its fields, if it has any.
void check(const Reg32& reg) {
  SCOPED_TRACE(reg.name());
  if (reg.fields() == nullptr) return;
  std::set<std::string> names;
  std::uint32_t seen = 0;
  for (const RegisterField& field : *reg.fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name << " twice";
    ASSERT_GT(field.width, 0U) << field.name;
    ASSERT_LE(field.lsb + field.width, 32U) << field.name;
    EXPECT_EQ(seen & field, 0U) << field.name << " overlaps";
    seen |= field;
    if (field.without_effect) {
      EXPECT_STREQ(field.meaning, "") << field.name;
    }
  }
  EXPECT_EQ(seen, reg.fields()->mask());
  EXPECT_GT(names.size(), 0U);
  EXPECT_EQ(reg.reset_value() & ~seen, 0U) << "reset value of bits without a field";
  // All bits is what a line says that says nothing of them.
  if (reg.writable() != 0xffff'ffff) {
    EXPECT_EQ(reg.writable() & ~seen, 0U) << "writable bits without a field";
  }
}

class RegisterData : public ::testing::TestWithParam<const char*> {};

TEST_P(RegisterData, FieldsCoverWhatTheRegistersLineSaysOfItsBits) {
  const auto made = adapter(GetParam());
  std::size_t described = 0;
  for (const Reg32* reg : made->function()->bank().registers()) {
    check(*reg);
    if (reg->fields() != nullptr) ++described;
  }
  EXPECT_GE(described, 20U);
}

TEST_P(RegisterData, ReadingARegisterShowsNoBitWithoutAField) {
  const auto made = adapter(GetParam());
  RegisterBank& bank = made->function()->bank();
  for (const Reg32* reg : bank.registers()) {
    if (reg->fields() == nullptr) continue;
    EXPECT_EQ(bank.read(reg->offset()) & ~reg->fields()->mask(), 0U) << reg->name();
  }
}

INSTANTIATE_TEST_SUITE_P(EachAdapter, RegisterData,
                         ::testing::Values("dp83820", "e1000", "genesis", "ixgb", "n110",
                                           "nec-parallel", "nec-pipeline"),
                         [](const auto& type) {
                           std::string name = type.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RegisterData, EveryTypeOfTheFolderIsLookedAt) {
  const std::set<std::string> known{"dp83820", "e1000",        "genesis",     "ixgb",
                                    "n110",    "nec-parallel", "nec-pipeline"};
  for (const std::string& name : adapter_types().names())
    EXPECT_EQ(known.count(name), 1U) << name << ": add it to EachAdapter";
}

}  // namespace
}  // namespace longhaul::nic
