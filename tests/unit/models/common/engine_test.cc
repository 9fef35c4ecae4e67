// SPDX-License-Identifier: Apache-2.0
#include "models/common/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/support/ethernet.h"

namespace longhaul {
namespace {

using sc_core::SC_NS;
using ::testing::ElementsAre;

/// An engine that works off works of 10 ns each while somebody lets it.
struct EngineTest : ::testing::Test {
  std::uint32_t jobs = 0;
  bool blocked = false;
  std::uint64_t job_clocks = 10;
  std::vector<std::uint64_t> started_ns;
  std::function<void()> inside = [] {};
  Engine engine{"engine", Frequency{1'000'000'000}, [this] { return step(); }};
  test::At at_ps{"at_ps"};

  Step step() {
    if (jobs == 0) return Step::kIdle;
    if (blocked) return Step::kBlocked;
    --jobs;
    started_ns.push_back(now_ps() / 1000);
    engine.spend(job_clocks);
    inside();
    return Step::kDone;
  }
  void at(std::uint64_t ns, std::function<void()> body) { at_ps(ns * 1000, std::move(body)); }
  void give(std::uint32_t count) {
    jobs += count;
    engine.kick();
  }
  std::uint64_t ns_in(Engine::State state) const { return engine.state.spent_ps(state) / 1000; }
};

TEST_F(EngineTest, JobsFollowEachOtherWithoutGapOrOverlap) {
  at(5, [this] { give(3); });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(5, 15, 25));
  EXPECT_EQ(ns_in(Engine::kBusyState), 30U);
  EXPECT_EQ(ns_in(Engine::kIdleState), 70U);
  EXPECT_EQ(ns_in(Engine::kBlockedState), 0U);
}

TEST_F(EngineTest, AKickWhileItIsOccupiedChangesNothing) {
  at(0, [this] { give(1); });
  at(4, [this] { give(1); });
  at(7, [this] { engine.kick(); });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(0, 10));
  EXPECT_EQ(ns_in(Engine::kBusyState), 20U);
}

TEST_F(EngineTest, WhatAStepSpendsAddsUp) {
  inside = [this] { engine.spend(3); };
  at(0, [this] { give(2); });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(0, 13));
  EXPECT_EQ(ns_in(Engine::kBusyState), 26U);
}

TEST_F(EngineTest, BytesCostClocksByTheKibibyteOfItsOwnClock) {
  Engine slow("slow", Frequency{156'250'000}, [&] {
    if (jobs == 0) return Step::kIdle;
    --jobs;
    slow.spend(3);
    slow.spend_bytes(1518, 64);
    return Step::kDone;
  });
  at(0, [&] {
    jobs = 1;
    slow.kick();
  });
  sc_core::sc_start(10, sc_core::SC_US);
  // 3 clocks of 6.4 ns, and 1518 B at 16 B a clock: 94.875 clocks.
  EXPECT_EQ(slow.state.spent_ps(Engine::kBusyState), 19'200U + 607'200U);
}

TEST_F(EngineTest, StepsThatTakeNoTimeAllRunAtOnce) {
  job_clocks = 0;
  at(8, [this] { give(4); });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(8, 8, 8, 8));
  EXPECT_EQ(ns_in(Engine::kIdleState), 100U);
}

TEST_F(EngineTest, AKickFromInsideAStepIsHeardWhenTheStepIsOver) {
  job_clocks = 0;
  int depth = 0;
  inside = [&] {
    EXPECT_EQ(++depth, 1);
    if (started_ns.size() == 1) give(2);
    --depth;
  };
  at(1, [this] { give(1); });
  sc_core::sc_start(10, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(1, 1, 1));
}

TEST_F(EngineTest, AKickFromInsideAStepThatFoundNothingMakesItLookAgain) {
  int looks = 0;
  Engine nervous("nervous", Frequency{1'000'000'000}, [&] {
    if (++looks == 1) nervous.kick();
    return Step::kIdle;
  });
  nervous.kick();
  EXPECT_EQ(looks, 2);
}

TEST_F(EngineTest, TimeInWhichOthersKeepItIsBlockedTime) {
  blocked = true;
  at(10, [this] { give(1); });
  at(40, [this] {
    blocked = false;
    engine.kick();
  });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(40));
  EXPECT_EQ(ns_in(Engine::kBlockedState), 30U);
  EXPECT_EQ(ns_in(Engine::kBusyState), 10U);
  EXPECT_EQ(ns_in(Engine::kIdleState), 60U);
}

TEST_F(EngineTest, AKickToComeDoesNotOccupyIt) {
  at(0, [this] {
    jobs = 1;
    engine.kick_in(20'000);
    engine.kick_in(30'000);
  });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(20));
  EXPECT_EQ(ns_in(Engine::kBusyState), 10U);
  EXPECT_EQ(ns_in(Engine::kIdleState), 90U);
}

TEST_F(EngineTest, AnEarlyKickToComeDoesNotShortenOccupiedTime) {
  at(0, [this] {
    give(2);
    engine.kick_in(3'000);
  });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(0, 10));
}

TEST_F(EngineTest, ResetFreesItAtOnce) {
  at(0, [this] { give(2); });
  at(4, [this] {
    jobs = 0;
    engine.reset();
    EXPECT_FALSE(engine.busy());
  });
  at(6, [this] { give(1); });
  sc_core::sc_start(100, SC_NS);
  EXPECT_THAT(started_ns, ElementsAre(0, 6));
  EXPECT_EQ(ns_in(Engine::kBusyState), 14U);
}

}  // namespace
}  // namespace longhaul
