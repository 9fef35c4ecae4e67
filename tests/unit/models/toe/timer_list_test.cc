// SPDX-License-Identifier: Apache-2.0
#include "models/toe/timer_list.h"

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace longhaul::toe {
namespace {

/// Takes all timers that are due whenever it is told of one, and notes when.
struct TimerListTest : ::testing::Test {
  TimerList timers{[this] {
    while (const auto entry = timers.take_due()) taken.push_back({now_ps() / kUs, entry->tid});
  }};
  std::vector<std::pair<std::uint64_t, Tid>> taken;
};
using Taken = std::vector<std::pair<std::uint64_t, Tid>>;

TEST_F(TimerListTest, TimersGoOffInOrderOfTimeAndThenOfRequest) {
  timers.add(1, 0, 0, 30 * kUs);
  timers.add(2, 0, 0, 10 * kUs);
  timers.add(3, 0, 0, 30 * kUs);
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_EQ(taken, (Taken{{10, 2}, {30, 1}, {30, 3}}));
  EXPECT_EQ(timers.size(), 0U);
}

TEST_F(TimerListTest, ATimerBehindSeveralOfOneInstantGoesOffToo) {
  timers.add(1, 0, 0, 10 * kUs);
  timers.add(2, 0, 0, 10 * kUs);
  timers.add(3, 0, 0, 20 * kUs);
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_EQ(taken, (Taken{{10, 1}, {10, 2}, {20, 3}}));
}

}  // namespace
}  // namespace longhaul::toe
