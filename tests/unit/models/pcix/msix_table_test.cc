// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/msix_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

struct MsixTableTest : ::testing::Test {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sent;
  MsixTable table{
      3, [this](std::uint64_t address, std::uint32_t data) { sent.emplace_back(address, data); }};
  void put(std::uint32_t offset, std::uint32_t value) {
    std::uint8_t bytes[4];
    std::memcpy(bytes, &value, 4);
    table.write(offset, bytes, 4);
  }
  std::uint32_t get(std::uint32_t offset) {
    std::uint8_t bytes[4];
    table.read(offset, bytes, 4);
    std::uint32_t value = 0;
    std::memcpy(&value, bytes, 4);
    return value;
  }
  void set_up(std::uint32_t vector) {
    put(16 * vector, 0xfee0'0000U + 4 * vector);
    put(16 * vector + 4, vector);
    put(16 * vector + 8, 100 + vector);
    put(16 * vector + 12, 0);
  }
};

TEST_F(MsixTableTest, VectorsAreMaskedAfterReset) {
  for (std::uint32_t vector = 0; vector < 3; ++vector) EXPECT_EQ(get(16 * vector + 12), 1U);
  table.set_control(true, false);
  table.raise(1);
  EXPECT_THAT(sent, IsEmpty());
  EXPECT_EQ(get(MsixTable::kPendingOffset), 2U);
}

TEST_F(MsixTableTest, AMessageIsThatOfItsVector) {
  set_up(2);
  table.set_control(true, false);
  table.raise(2);
  EXPECT_THAT(sent, ElementsAre(Pair(0x2'fee0'0008ULL, 102U)));
}

TEST_F(MsixTableTest, WhatIsPendingIsSentOnceWhenTheMaskGoes) {
  for (std::uint32_t vector = 0; vector < 3; ++vector) set_up(vector);
  table.set_control(true, true);
  table.raise(2);
  table.raise(0);
  table.raise(0);
  EXPECT_EQ(get(MsixTable::kPendingOffset), 5U);
  table.set_control(true, false);
  EXPECT_THAT(sent, ElementsAre(Pair(0xfee0'0000ULL, 100U), Pair(0x2'fee0'0008ULL, 102U)));
  EXPECT_EQ(get(MsixTable::kPendingOffset), 0U);
}

TEST_F(MsixTableTest, OffMeansThatNothingIsRaisedNorKept) {
  set_up(0);
  table.raise(0);
  table.set_control(true, true);
  table.raise(0);
  table.set_control(false, false);
  table.set_control(true, false);
  EXPECT_THAT(sent, IsEmpty());
}

TEST_F(MsixTableTest, BitsThatAreReservedStayZero) {
  put(0, 0xffff'ffff);
  put(12, 0xffff'fffe);
  EXPECT_EQ(get(0), 0xffff'fffcU);
  EXPECT_EQ(get(12), 0U);
  put(MsixTable::kPendingOffset, 7);
  EXPECT_EQ(get(MsixTable::kPendingOffset), 0U);
  EXPECT_EQ(get(16 * 3), 0U) << "there is no fourth vector";
}

}  // namespace
}  // namespace longhaul::pcix
