// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/mac_table.h"

#include <gtest/gtest.h>

namespace longhaul {
namespace {

using Learned = MacTable::Learned;

MacAddress address(std::uint8_t n) { return {0x02, 0, 0, 0, 0, n}; }

TEST(MacTable, LearnsMovesAndForgets) {
  MacTable table(8, 1000);
  EXPECT_EQ(table.find(1, address(1), 0), MacTable::kUnknown);
  EXPECT_EQ(table.learn(1, address(1), 3, 0), Learned::kNew);
  EXPECT_EQ(table.learn(1, address(1), 3, 1), Learned::kKnown);
  EXPECT_EQ(table.find(1, address(1), 2), 3U);
  EXPECT_EQ(table.learn(1, address(1), 5, 3), Learned::kMoved);
  EXPECT_EQ(table.find(1, address(1), 4), 5U);
  table.forget_port(5);
  EXPECT_EQ(table.find(1, address(1), 5), MacTable::kUnknown);
}

TEST(MacTable, EntriesAgeOutAndAreRefreshed) {
  MacTable table(8, 1000);
  table.learn(1, address(1), 3, 0);
  EXPECT_EQ(table.find(1, address(1), 1000), 3U);
  EXPECT_EQ(table.find(1, address(1), 1001), MacTable::kUnknown);
  table.learn(1, address(1), 3, 500);
  EXPECT_EQ(table.find(1, address(1), 1500), 3U);
}

TEST(MacTable, VlansAreSeparate) {
  MacTable table(8, 1000);
  table.learn(1, address(1), 3, 0);
  table.learn(2, address(1), 4, 0);
  EXPECT_EQ(table.find(1, address(1), 0), 3U);
  EXPECT_EQ(table.find(2, address(1), 0), 4U);
}

TEST(MacTable, AFullTableLearnsAgainOnceAnEntryHasAged) {
  MacTable table(2, 1000);
  table.learn(1, address(1), 0, 0);
  table.learn(1, address(2), 0, 400);
  EXPECT_EQ(table.learn(1, address(3), 0, 900), Learned::kFull);
  EXPECT_EQ(table.learn(1, address(3), 0, 1000), Learned::kFull);
  EXPECT_EQ(table.learn(1, address(3), 0, 1001), Learned::kNew);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(table.find(1, address(2), 1001), 0U);
  EXPECT_EQ(table.find(1, address(1), 1001), MacTable::kUnknown);
}

}  // namespace
}  // namespace longhaul
