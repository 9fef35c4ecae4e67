// SPDX-License-Identifier: Apache-2.0
#include "models/common/observe/probe.h"

#include <gtest/gtest.h>

#include <systemc>

namespace longhaul::observe {
namespace {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_start;

enum State : std::size_t { kIdle, kUser, kSoftirq };

std::uint64_t sum(const StateClock& clock) {
  return clock.spent_ps(kIdle) + clock.spent_ps(kUser) + clock.spent_ps(kSoftirq);
}

struct Clock : ::testing::Test {
  StateClock clock{"clock", "a core", {"idle", "user", "softirq"}};
};

TEST_F(Clock, ChargesElapsedTimeToTheStateThatWasEntered) {
  sc_start(10, SC_NS);
  clock.enter(kUser);
  sc_start(7, SC_NS);
  clock.enter(kIdle);
  sc_start(1, SC_PS);
  EXPECT_EQ(clock.spent_ps(kIdle), 10'001U);
  EXPECT_EQ(clock.spent_ps(kUser), 7'000U);
  EXPECT_EQ(clock.spent_ps(kSoftirq), 0U);
}

TEST_F(Clock, CreditComesOutOfThePresentState) {
  clock.enter(kUser);
  sc_start(10, SC_NS);
  clock.credit(kSoftirq, 4'000);
  EXPECT_EQ(clock.spent_ps(kUser), 6'000U);
  EXPECT_EQ(clock.spent_ps(kSoftirq), 4'000U);
  clock.enter(kIdle);
  EXPECT_EQ(clock.spent_ps(kUser), 6'000U);
  EXPECT_EQ(clock.spent_ps(kSoftirq), 4'000U);
  EXPECT_EQ(sum(clock), 10'000U);
}

TEST_F(Clock, CreditToThePresentStateChangesNothing) {
  clock.enter(kUser);
  sc_start(10, SC_NS);
  clock.credit(kUser, 4'000);
  EXPECT_EQ(clock.spent_ps(kUser), 10'000U);
  EXPECT_EQ(sum(clock), 10'000U);
}

TEST_F(Clock, CreditBeyondElapsedTimeIsPaidByTheTimeThatFollows) {
  clock.enter(kUser);
  sc_start(10, SC_NS);
  clock.credit(kSoftirq, 25'000);
  EXPECT_EQ(clock.spent_ps(kUser), 0U);
  EXPECT_EQ(clock.spent_ps(kSoftirq), 10'000U);
  clock.enter(kIdle);
  sc_start(10, SC_NS);
  EXPECT_EQ(clock.spent_ps(kIdle), 0U);
  EXPECT_EQ(clock.spent_ps(kSoftirq), 20'000U);
  sc_start(10, SC_NS);
  EXPECT_EQ(clock.spent_ps(kIdle), 5'000U);
  EXPECT_EQ(clock.spent_ps(kSoftirq), 25'000U);
  clock.enter(kUser);
  EXPECT_EQ(clock.spent_ps(kIdle), 5'000U);
  EXPECT_EQ(sum(clock), 30'000U);
}

TEST_F(Clock, StatesSumToElapsedTimeWhileSeveralCreditsAreOwed) {
  clock.enter(kUser);
  sc_start(10, SC_NS);
  clock.credit(kSoftirq, 8'000);
  clock.credit(kIdle, 8'000);
  EXPECT_EQ(sum(clock), 10'000U);
  clock.enter(kSoftirq);
  EXPECT_EQ(sum(clock), 10'000U);
  sc_start(3, SC_NS);
  EXPECT_EQ(sum(clock), 13'000U);
  sc_start(13, SC_NS);
  EXPECT_EQ(clock.spent_ps(kIdle), 8'000U);
  EXPECT_EQ(clock.spent_ps(kUser), 0U);
  EXPECT_EQ(clock.spent_ps(kSoftirq), 18'000U);
}

TEST(LevelProbe, IntegratesEachValueOverTheTimeItHeld) {
  Level level("level", "B", "a FIFO");
  level.set(3);
  sc_start(10, SC_PS);
  level.add(4);
  sc_start(5, SC_PS);
  level.add(-6);
  sc_start(100, SC_PS);
  EXPECT_EQ(level.value(), 1U);
  EXPECT_EQ(level.highest(), 7U);
  EXPECT_TRUE(level.integral() == 3U * 10 + 7U * 5 + 1U * 100);
  level.restart_highest();
  EXPECT_EQ(level.highest(), 1U);
}

TEST(LevelProbe, IntegralStaysExactBeyondADoublesPrecision) {
  Level level("level", "B", "a buffer");
  level.set((std::uint64_t{1} << 40) + 1);
  sc_start(1, sc_core::SC_SEC);
  level.set(0);
  EXPECT_TRUE(level.integral() ==
              Level::Integral{(std::uint64_t{1} << 40) + 1} * 1'000'000'000'000U);
}

TEST(CounterProbe, AddsUpAndCarriesItsHierarchicalName) {
  struct Box : sc_core::sc_module {
    Counter frames{"frames", "frame", "frames seen"};
    explicit Box(const sc_core::sc_module_name& name) : sc_module(name) {}
  } box("box");
  box.frames.add();
  box.frames.add(41);
  EXPECT_EQ(box.frames.value(), 42U);
  EXPECT_STREQ(box.frames.name(), "box.frames");
  EXPECT_STREQ(box.frames.unit(), "frame");
}

}  // namespace
}  // namespace longhaul::observe
