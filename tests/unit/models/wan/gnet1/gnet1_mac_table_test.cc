// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_mac_table.h"

#include <gtest/gtest.h>

namespace longhaul::wan {
namespace {

constexpr Gnet1MacTable::Address kA = 0x0200'0000'0001;
constexpr Gnet1MacTable::Address kB = 0x0200'0000'0002;

TEST(Gnet1MacTable, UnknownAndGroupAddressesFloodButNotBack) {
  Gnet1MacTable table;
  EXPECT_EQ(table.ports_of(10, kA, 1), 0b1101U);
  table.set_static(11, 0, true, 2, Gnet1MacTable::kGroupBit | kA);
  EXPECT_EQ(table.ports_of(20, Gnet1MacTable::kGroupBit | kA, 0), 0b1110U)
      << "even if a static entry names it";
}

TEST(Gnet1MacTable, AnAddressIsKnownTheClockAfterItsLesson) {
  Gnet1MacTable table;
  table.learn(100, kA, 3);
  EXPECT_EQ(table.ports_of(100, kA, 0), 0b1110U);
  EXPECT_EQ(table.ports_of(101, kA, 0), 0b1000U);
  EXPECT_EQ(table.ports_of(101, kA, 3), 0U) << "never back";
}

TEST(Gnet1MacTable, OnePortLearnsAClock) {
  Gnet1MacTable table;
  table.learn(100, kA, 0);
  table.learn(100, kB, 1);
  EXPECT_EQ(table.valid(100), 0b01U);
  EXPECT_EQ(table.valid(101), 0b11U);
}

TEST(Gnet1MacTable, UnrefreshedEntriesLeaveAfterTwoPeriods) {
  Gnet1MacTable table;
  table.set_age_period(0, 999);  // ages at clocks 1000, 2000, ...
  table.learn(500, kA, 0);
  table.learn(1500, kB, 1);
  EXPECT_EQ(table.valid(1999), 0b11U);
  EXPECT_EQ(table.valid(2000), 0b10U);
  EXPECT_EQ(table.valid(3000), 0b00U);
}

TEST(Gnet1MacTable, AFullTableReplacesLearnedEntriesInTurnAndKeepsStaticOnes) {
  Gnet1MacTable table;
  table.set_static(1, 0, true, 2, kA);
  for (std::uint64_t i = 0; i < 15; ++i) table.learn(10 + i, 0x0400'0000'0000 + i, 0);
  EXPECT_EQ(table.valid(50), 0xffffU);
  table.learn(60, kB, 1);  // its turn falls on the static entry: not learned
  EXPECT_EQ(table.ports_of(70, kB, 0), 0b1110U);
  table.learn(80, kB, 1);
  EXPECT_EQ(table.ports_of(90, kB, 0), 0b0010U);
  EXPECT_EQ(table.ports_of(90, 0x0400'0000'0000, 3), 0b0111U) << "replaced";
  EXPECT_EQ(table.ports_of(90, kA, 0), 0b0100U);
  table.flush(100);
  EXPECT_EQ(table.valid(100), 1U);
}

}  // namespace
}  // namespace longhaul::wan
