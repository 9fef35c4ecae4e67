// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/mini_jiffies.h"

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace longhaul::wan {
namespace {

TEST(MiniJiffies, TicksDoNotDrift) {
  const MiniJiffies clock({8192}, 5000);
  EXPECT_EQ(clock.tick_ps(0), 5000U);
  EXPECT_EQ(clock.tick_ps(1), 5000U + 122'070'312U);
  EXPECT_EQ(clock.tick_ps(2), 5000U + 244'140'625U);
  EXPECT_EQ(clock.tick_ps(8192ULL * 100'000), 5000U + 100'000 * kSecond);
}

TEST(MiniJiffies, DelaysAreRoundedToTheNearestTick) {
  const MiniJiffies clock({8192}, 0);
  const auto ticks = [&](double ms) { return clock.ticks(sc_core::sc_time(ms, sc_core::SC_MS)); };
  EXPECT_EQ(ticks(0), 0U);
  EXPECT_EQ(ticks(0.061), 0U);
  EXPECT_EQ(ticks(0.0611), 1U);
  EXPECT_EQ(ticks(1), 8U);      // 8.19
  EXPECT_EQ(ticks(2), 16U);     // 16.38
  EXPECT_EQ(ticks(5), 41U);     // 40.96
  EXPECT_EQ(ticks(10), 82U);    // 81.92
  EXPECT_EQ(ticks(20), 164U);   // 163.84
  EXPECT_EQ(ticks(50), 410U);   // 409.6
  EXPECT_EQ(ticks(100), 819U);  // 819.2
  EXPECT_EQ(ticks(10'000), 81'920U);
}

}  // namespace
}  // namespace longhaul::wan
