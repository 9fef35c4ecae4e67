// SPDX-License-Identifier: Apache-2.0
#include "models/memory/dram_banks.h"

#include <gtest/gtest.h>

namespace longhaul::memory {
namespace {

// DDR400B: tRCD 15, tRP 15, tRAS 40, tRC 55, tWR 15 ns; 8 banks with rows of 16 KiB; refresh
// each 7.8 us for 70 ns.
constexpr std::uint64_t kAt = 1'000'000;

TEST(DramBanks, AClosedRowCostsItsActivationAnOpenOneNothing) {
  DramBanks banks{DramParams{}};
  const DramBanks::Opened first = banks.open(0, kAt);
  EXPECT_EQ(first.delay_ps, 15'000U);
  EXPECT_FALSE(first.conflict);
  EXPECT_EQ(banks.open(0, kAt + 20'000).delay_ps, 0U);
}

TEST(DramBanks, AnotherRowOfTheBankCostsPrechargeAndActivation) {
  DramBanks banks{DramParams{}};
  banks.open(0, kAt);
  const DramBanks::Opened other = banks.open(8, kAt + 200'000);
  EXPECT_EQ(other.delay_ps, 30'000U);
  EXPECT_TRUE(other.conflict);
}

TEST(DramBanks, RowsOfDifferentBanksDoNotConflict) {
  DramBanks banks{DramParams{}};
  for (std::uint64_t row = 0; row < 8; ++row) EXPECT_FALSE(banks.open(row, kAt).conflict);
  for (std::uint64_t row = 0; row < 8; ++row)
    EXPECT_EQ(banks.open(row, kAt + 100'000).delay_ps, 0U);
}

TEST(DramBanks, ARowStaysOpenForTrasAndABankForTrc) {
  DramBanks banks{DramParams{}};
  banks.open(0, kAt);
  // Precharge not before 40 ns, so activation at 55 ns and the column 15 ns later; asked for at 5
  // ns.
  EXPECT_EQ(banks.open(8, kAt + 5'000).delay_ps, 55'000U - 5'000U + 15'000U);
}

TEST(DramBanks, AWrittenRowIsClosedOnlyWhenItsDataAreInTheCells) {
  DramBanks banks{DramParams{}};
  banks.open(0, kAt);
  banks.written(0, kAt + 100'000);
  EXPECT_EQ(banks.open(8, kAt + 105'000).delay_ps, 10'000U + 30'000U);
}

TEST(DramBanks, ARefreshClosesEveryRow) {
  DramBanks banks{DramParams{}};
  banks.open(0, 7'700'000);
  const DramBanks::Opened after = banks.open(0, 7'900'000);
  EXPECT_EQ(after.delay_ps, 15'000U);
  EXPECT_FALSE(after.conflict);
}

TEST(DramBanks, NothingMovesDuringARefresh) {
  DramBanks banks{DramParams{}};
  EXPECT_EQ(banks.after_refresh(0), 0U);
  EXPECT_EQ(banks.after_refresh(7'799'999), 7'799'999U);
  EXPECT_EQ(banks.after_refresh(7'800'000), 7'870'000U);
  EXPECT_EQ(banks.after_refresh(7'869'999), 7'870'000U);
  EXPECT_EQ(banks.after_refresh(7'870'000), 7'870'000U);
  EXPECT_EQ(banks.refreshes(7'799'999, 7'800'000), 1U);
  EXPECT_EQ(banks.refreshes(7'800'000, 23'400'000), 2U);
}

TEST(DramBanks, AStreamsLaterRowHoldsUpNobodyNow) {
  DramBanks banks{DramParams{}};
  banks.open(0, kAt + 3'000'000, true);
  EXPECT_EQ(banks.open(8, kAt).delay_ps, 30'000U);
}

TEST(DramBanks, AccessesThatWaitForOneBankComeARowCycleApart) {
  DramBanks banks{DramParams{}};
  EXPECT_EQ(banks.open(0, kAt).delay_ps, 15'000U);
  EXPECT_EQ(banks.open(8, kAt).delay_ps, 55'000U + 15'000U);
  EXPECT_EQ(banks.open(16, kAt).delay_ps, 2 * 55'000U + 15'000U);
}

}  // namespace
}  // namespace longhaul::memory
