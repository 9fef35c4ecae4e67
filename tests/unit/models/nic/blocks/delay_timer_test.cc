// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/delay_timer.h"

#include <gtest/gtest.h>

#include <vector>

namespace longhaul::nic {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct DelayTimerTest : ::testing::Test {
  std::vector<std::uint64_t> expired;
  DelayTimer timer{"timer", [this] { expired.push_back(sc_core::sc_time_stamp().value() / 1000); }};
};

TEST_F(DelayTimerTest, EachRestartPutsTheEndOff) {
  timer.restart(sc_time(100, SC_NS));
  for (int i = 0; i < 5; ++i) {
    sc_core::sc_start(sc_time(60, SC_NS));
    timer.restart(sc_time(100, SC_NS));
  }
  sc_core::sc_start(sc_time(1000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({400}));
}

TEST_F(DelayTimerTest, AnAbsoluteTimerKeepsItsDeadline) {
  timer.start_if_idle(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(60, SC_NS));
  timer.start_if_idle(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(1000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({100}));
}

TEST_F(DelayTimerTest, AShorterRestartBringsTheEndForward) {
  timer.restart(sc_time(1000, SC_NS));
  sc_core::sc_start(sc_time(10, SC_NS));
  timer.restart(sc_time(50, SC_NS));
  sc_core::sc_start(sc_time(5000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({60}));
}

TEST_F(DelayTimerTest, CancelledTimersDoNotExpireAndCanRunAgain) {
  timer.restart(sc_time(100, SC_NS));
  timer.cancel();
  sc_core::sc_start(sc_time(50, SC_NS));
  timer.restart(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(5000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({150}));
}

TEST_F(DelayTimerTest, NoDelayExpiresAtOnce) {
  sc_core::sc_start(sc_time(7, SC_NS));
  timer.restart(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(expired, std::vector<std::uint64_t>({7}));
  EXPECT_FALSE(timer.running());
}

TEST_F(DelayTimerTest, ARestartLeavesThePendingWakeUpWhereItIs) {
  timer.restart(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(60, SC_NS));
  for (int i = 0; i < 100; ++i) timer.restart(sc_time(100, SC_NS));
  EXPECT_EQ(sc_core::sc_time_to_pending_activity(), sc_time(40, SC_NS))
      << "the first one; it will look again";
  EXPECT_EQ(timer.deadline(), sc_time(160, SC_NS));
  sc_core::sc_start(sc_time(50, SC_NS));
  EXPECT_TRUE(timer.running());
  EXPECT_EQ(sc_core::sc_time_to_pending_activity(), sc_time(50, SC_NS));
}

TEST_F(DelayTimerTest, WhatItCallsMayStartItAgain) {
  std::vector<std::uint64_t> ticks;
  DelayTimer periodic("periodic", [&] {
    ticks.push_back(sc_core::sc_time_stamp().value() / 1000);
    if (ticks.size() < 3) periodic.restart(sc_time(100, SC_NS));
  });
  periodic.restart(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(1000, SC_NS));
  EXPECT_EQ(ticks, std::vector<std::uint64_t>({100, 200, 300}));
  EXPECT_FALSE(periodic.running());
}

TEST_F(DelayTimerTest, AnAbsoluteTimerThatExpiredStartsAfresh) {
  timer.start_if_idle(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(150, SC_NS));
  timer.start_if_idle(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(1000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({100, 250}));
}

}  // namespace
}  // namespace longhaul::nic
