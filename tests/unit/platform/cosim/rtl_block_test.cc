// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/rtl_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "tests/unit/support/ethernet.h"

namespace longhaul::cosim {
namespace {

using test::At;
using test::run_until;
using ::testing::ElementsAre;

/// Three clock pins and a count of the rises of each, as a block with three counters would have.
struct Counters final : RtlModel {
  std::array<std::uint8_t, 3> clock{};
  std::array<std::uint8_t, 3> before{};
  std::array<std::uint32_t, 3> rises{};
  std::vector<std::uint64_t> evals;
  std::vector<std::uint64_t> kernel;  // SystemC's time at each
  std::vector<std::array<std::uint8_t, 3>> levels;
  bool falls = false;

  void eval(std::uint64_t ps) override {
    evals.push_back(ps);
    if (sc_core::sc_is_running()) kernel.push_back(now_ps());
    levels.push_back(clock);
    for (std::size_t i = 0; i < 3; ++i) rises[i] += clock[i] != 0 && before[i] == 0 ? 1 : 0;
    before = clock;
  }
  bool shows_falls() const override { return falls; }
};

/// Notes its edges, and asks to be called at some of them.
struct Probe final : Transactor {
  RtlBlock* block = nullptr;
  std::vector<std::uint64_t> edges;
  std::vector<std::uint64_t> delivered;
  std::uint64_t every = 0;

  void clocked(std::uint64_t edge_ps) override {
    edges.push_back(edge_ps);
    if (every != 0 && edges.size() % every == 0) block->call_at_edge(*this);
  }
  void deliver() override { delivered.push_back(now_ps()); }
};

constexpr ClockParams kFast{{125'000'000}};
constexpr ClockParams kHalf{{62'500'000}};

struct RtlBlockTest : ::testing::Test {
  Counters model;
  RtlBlock block{"block"};
  Probe probe;
  At at{"at"};
  RtlBlockTest() {
    block.set_model(model);
    probe.block = &block;
  }
  BitPin pin(std::size_t i) { return {&model.clock[i]}; }
};

TEST_F(RtlBlockTest, EdgesOfOneInstantAreOneEvaluation) {
  block.add_clock(pin(0), kFast);
  block.add_clock(pin(1), kHalf);
  ClockParams late = kFast;
  late.phase_ps = 3000;
  block.add_clock(pin(2), late);
  run_until(16'000 - 1);
  // 0: two rise. 3000: the third rises, the two fall. 8000: the first rises, the third falls.
  // 11000: third.
  ASSERT_GE(model.evals.size(), 7U);
  model.evals.resize(7);
  EXPECT_THAT(model.evals, ElementsAre(0, 3000, 8000, 11000, 16000, 19000, 24000));
}

TEST_F(RtlBlockTest, EveryRiseReachesTheModelOnce) {
  block.add_clock(pin(0), kFast);
  block.add_clock(pin(1), kHalf);
  ClockParams odd = kFast;
  odd.ppm = 100;
  odd.phase_ps = 5;
  block.add_clock(pin(2), odd);
  block.set_run_ahead(sc_core::SC_ZERO_TIME);
  run_until(80'000'000 + 4);  // 10000 periods; the third clock's edge 10001 is at 80'000'005
  EXPECT_EQ(model.rises[0], 10'001U);
  EXPECT_EQ(model.rises[1], 5'001U);
  EXPECT_EQ(model.rises[2], 10'001U);
}

TEST_F(RtlBlockTest, RunsAheadToWhatIsPendingAndNoFurther) {
  ClockDomain& clock = block.add_clock(pin(0), kFast);
  clock.attach(probe, 0);
  std::size_t seen = 0;
  at(1'000'000, [&] { seen = probe.edges.size(); });
  run_until(1'000'001);
  EXPECT_EQ(seen, 126U);  // 0 to 1 us, both included: what happens at 1 us acts on later edges
  EXPECT_LT(std::set<std::uint64_t>(model.kernel.begin(), model.kernel.end()).size(), 5U);
}

TEST_F(RtlBlockTest, WithoutRunningAheadEveryEdgeIsInItsOwnTime) {
  block.add_clock(pin(0), kFast);
  block.set_run_ahead(sc_core::SC_ZERO_TIME);
  run_until(100'000);
  ASSERT_EQ(model.kernel.size(), model.evals.size());
  EXPECT_EQ(model.kernel, model.evals);
}

TEST_F(RtlBlockTest, WhatATransactorTellsComesInItsOwnTime) {
  ClockDomain& clock = block.add_clock(pin(0), kFast);
  probe.every = 3;
  clock.attach(probe, 0);
  run_until(100'000);
  EXPECT_THAT(probe.delivered, ElementsAre(16'000, 40'000, 64'000, 88'000));
}

TEST_F(RtlBlockTest, AnInputAtAnInstantActsOnTheEdgesAfterIt) {
  ClockDomain& clock = block.add_clock(pin(0), kFast);
  at(40'000, [&] { clock.attach(probe, block.input_ps()); });
  at(40'000 - 1, [&] { EXPECT_EQ(block.input_ps(), 39'999U); });
  run_until(60'000);
  ASSERT_FALSE(probe.edges.empty());
  EXPECT_LE(probe.edges.front(), 48'000U);
}

TEST_F(RtlBlockTest, ACallFromOutsideForATimeThatHasPassedIsAnError) {
  block.add_clock(pin(0), kFast);
  run_until(1'000);
  EXPECT_THROW(block.input_ps(), std::logic_error);
}

TEST_F(RtlBlockTest, PowerUpEndsAtAMultipleOfItsUnitAndIsSystemCsZero) {
  ClockDomain& clock = block.add_clock(pin(0), kFast);
  clock.attach(probe, 0);
  int asked = 0;
  block.power_up(32'000, [&] { return ++asked == 4; });
  EXPECT_EQ(block.zero_ps(), 96'000U);
  EXPECT_EQ(probe.edges.size(), 13U);
  probe.every = 14;
  run_until(20'000);
  EXPECT_THAT(probe.delivered, ElementsAre(8'000));
}

TEST_F(RtlBlockTest, AClockAtRestStandsStillAfterItsLastTransactorAndGoesOnInPhase) {
  ClockParams resting = kFast;
  resting.ppm = 100;
  resting.gating = {true, 4};
  ClockDomain& clock = block.add_clock(pin(0), resting);
  block.add_clock(pin(1), kHalf);
  block.power_up(8'000, [this] { return block.zero_ps() >= 80'000; });
  EXPECT_EQ(clock.edges_taken(), 11U);
  at(1'000'000, [&] { clock.attach(probe, block.input_ps()); });
  at(2'000'000, [&] { clock.detach(probe); });
  run_until(900'000);
  EXPECT_EQ(clock.edges_taken(), 16U);
  run_until(3'000'000);
  ClockEdges same({125'000'000}, 100, 0);
  same.skip_past(1'080'000);
  EXPECT_EQ(probe.edges.front(), same.next_ps());
  same.skip_past(probe.edges.back() - 1);
  EXPECT_EQ(probe.edges.back(), same.next_ps());
  // What was taken and what was skipped are all the edges there were.
  ClockEdges all({125'000'000}, 100, 0);
  std::uint64_t count = 0;
  for (; all.next_ps() < clock.edges().next_ps(); ++count) all.advance();
  EXPECT_EQ(clock.edges_taken() + clock.edges_skipped(), count);
  EXPECT_GT(clock.edges_skipped(), 100U);
}

/// Notes what it saw before and after each edge.
struct Sampler final : Transactor {
  Counters* model = nullptr;
  std::vector<std::uint32_t> rises_before;
  std::vector<std::uint8_t> level_before;
  std::vector<std::size_t> evals_before;
  std::vector<std::uint64_t> edges;
  void sample() override {
    rises_before.push_back(model->rises[0]);
    level_before.push_back(model->before[0]);
    evals_before.push_back(model->evals.size());
  }
  void clocked(std::uint64_t edge_ps) override { edges.push_back(edge_ps); }
};

TEST_F(RtlBlockTest, SamplesAreTakenBeforeTheRiseWithTheClockLow) {
  ClockDomain& clock = block.add_clock(pin(0), kFast);
  Sampler sampler;
  sampler.model = &model;
  clock.watch(sampler, true);
  run_until(31'999);
  ASSERT_GE(sampler.rises_before.size(), 4U);
  sampler.rises_before.resize(4);
  EXPECT_THAT(sampler.rises_before, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(sampler.level_before, ::testing::Each(0));
  ASSERT_GE(sampler.edges.size(), 4U);
  EXPECT_EQ(sampler.edges[3], 24'000U);
}

TEST_F(RtlBlockTest, InputsSetSinceTheLastEvaluationAreSettledBeforeASample) {
  // The other clock falls this one, so no fall is evaluated just before its rise.
  ClockDomain& clock = block.add_clock(pin(0), kFast);
  ClockParams between = kFast;
  between.phase_ps = 5'000;
  ClockDomain& other = block.add_clock(pin(1), between);
  Sampler sampler;
  sampler.model = &model;
  other.attach(probe, 0);  // may set inputs at every edge
  clock.watch(sampler, true);
  run_until(40'000 - 1);
  ASSERT_GE(sampler.evals_before.size(), 5U);
  // At 0 once, then an evaluation of each edge and one before each rise of the sampled clock.
  for (std::size_t i = 1; i < 5; ++i)
    EXPECT_EQ(sampler.evals_before[i] - sampler.evals_before[i - 1], 3U) << i;
}

/// As a traced model: an instant is recorded once.
struct Traced final : RtlModel {
  std::array<std::uint8_t, 2> clock{};
  std::vector<std::uint64_t> records;
  std::size_t settled = 0;
  void eval(std::uint64_t ps) override { records.push_back(ps); }
  void settle(std::uint64_t) override { ++settled; }
  bool shows_falls() const override { return true; }
};

TEST_F(RtlBlockTest, SettlingIsNoRecordInWaves) {
  Traced traced;
  RtlBlock waves("waves");
  waves.set_model(traced);
  ClockDomain& clock = waves.add_clock({&traced.clock[0]}, kFast);
  ClockParams between = kFast;
  between.phase_ps = 6'000;
  waves.add_clock({&traced.clock[1]}, between);
  Sampler sampler;
  sampler.model = &model;
  clock.watch(sampler, true);
  run_until(100'000);
  EXPECT_GT(traced.settled, 10U);
  EXPECT_TRUE(std::adjacent_find(traced.records.begin(), traced.records.end(),
                                 std::greater_equal<>()) == traced.records.end());
}

TEST_F(RtlBlockTest, TwoBlocksRunAheadTogetherInOrderOfTime) {
  Counters second;
  RtlBlock other("other");
  other.set_model(second);
  Probe late;
  late.block = &other;
  late.every = 50;
  ClockParams between = kFast;
  between.phase_ps = 3'000;
  block.add_clock(pin(0), kFast).attach(probe, 0);
  other.add_clock({&second.clock[0]}, between).attach(late, 0);
  std::size_t seen = 0;
  at(399'000, [&] { seen = probe.edges.size(); });
  run_until(1'000'000);
  EXPECT_THAT(late.delivered, ElementsAre(395'000, 795'000));
  EXPECT_EQ(seen, 50U);  // 0 to 392 ns: none of the first block is ahead of what happens at 399
  std::set<std::uint64_t> entries(model.kernel.begin(), model.kernel.end());
  entries.insert(second.kernel.begin(), second.kernel.end());
  EXPECT_LT(entries.size(), 8U);
}

TEST_F(RtlBlockTest, ClocksThatCoincideAreGatedEachOnItsOwn) {
  ClockParams resting = kFast;
  resting.gating = {true, 2};
  ClockDomain& gated = block.add_clock(pin(0), resting);
  ClockDomain& going = block.add_clock(pin(1), kFast);
  going.attach(probe, 0);
  block.power_up(8'000, [] { return true; });
  Probe guest;
  guest.block = &block;
  // At an edge of the other: the first that it takes is the one after.
  at(800'000, [&] { gated.attach(guest, block.input_ps()); });
  run_until(816'000);
  EXPECT_EQ(model.rises[0], gated.edges_taken());
  EXPECT_EQ(model.rises[1], probe.edges.size());
  EXPECT_LT(gated.edges_taken() + 90, going.edges_taken());
  ASSERT_GE(guest.edges.size(), 2U);
  EXPECT_EQ(guest.edges[0], 808'000U);
  EXPECT_EQ(gated.edges_taken() + gated.edges_skipped(), going.edges_taken());
}

/// Sleeps after each call.
struct Sleeper final : Transactor {
  Watcher* watcher = nullptr;
  std::vector<std::uint64_t> edges;
  std::size_t samples = 0;
  void sample() override { ++samples; }
  void clocked(std::uint64_t edge_ps) override {
    edges.push_back(edge_ps);
    watcher->sleep();
  }
};

TEST_F(RtlBlockTest, ASleeperIsCalledWhenAPinOfItsChangesOrItIsWoken) {
  ClockDomain& clock = block.add_clock(pin(0), kFast);
  std::array<std::uint8_t, 2> signals{};
  Sleeper before;
  before.watcher = &clock.watch(before, true);
  before.watcher->wake_by(Pin(&signals[0], 3, 1), 0);
  Sleeper after;
  after.watcher = &clock.watch(after, false);
  after.watcher->wake_by(Pin(&signals[1], 0, 2), 0b10);
  at(81'000, [&] { signals = {8, 0b10}; });     // wakes the first, and lets the other sleep
  at(89'000, [&] { signals = {0x77, 0b10}; });  // the first's bit is low again
  at(161'000, [&] { signals[1] = 0b11; });
  at(169'000, [&] { signals[1] = 0b10; });
  at(241'000, [&] { after.watcher->wake(); });
  run_until(320'000);
  EXPECT_THAT(before.edges, ElementsAre(0, 88'000));
  EXPECT_EQ(before.samples, 2U);
  // Its pins were not as they are while nothing happens until 81 ns.
  ASSERT_EQ(after.edges.size(), 11U + 2U);
  EXPECT_EQ(after.edges[10], 80'000U);
  EXPECT_EQ(after.edges[11], 168'000U);
  EXPECT_EQ(after.edges[12], 248'000U);
}

TEST_F(RtlBlockTest, WatchersDoNotKeepAGatedClockGoingAndHoldersDo) {
  ClockParams resting = kFast;
  resting.gating = {true, 2};
  ClockDomain& clock = block.add_clock(pin(0), resting);
  block.add_clock(pin(1), kHalf);
  Sampler sampler;
  sampler.model = &model;
  clock.watch(sampler, true);
  block.power_up(8'000, [] { return true; });
  at(1'000'000, [&] { clock.hold(block.input_ps()); });
  at(2'000'000, [&] { clock.release(); });
  run_until(3'000'000);
  ASSERT_EQ(sampler.edges.size(), 3U + 125U + 3U);
  EXPECT_EQ(sampler.edges[2], 16'000U);
  EXPECT_EQ(sampler.edges[3], 1'008'000U);
  EXPECT_EQ(sampler.edges.back(), 2'024'000U);
  EXPECT_EQ(sampler.rises_before.size(), sampler.edges.size());
}

TEST_F(RtlBlockTest, ABlockHasThirtyTwoClockInputsAtMost) {
  for (std::uint32_t i = 0; i < kMostClockInputs; ++i) block.add_clock(pin(i % 3), kFast);
  EXPECT_THROW(block.add_clock(pin(0), kFast), std::length_error);
}

TEST_F(RtlBlockTest, FallsAreShownHalfWayWhereWavesWantThem) {
  Counters shown;
  shown.falls = true;
  RtlBlock waves("waves");
  waves.set_model(shown);
  waves.add_clock({&shown.clock[0]}, kFast);
  run_until(12'000 - 1);
  ASSERT_GE(shown.evals.size(), 3U);
  EXPECT_EQ(shown.evals[0], 0U);
  EXPECT_EQ(shown.evals[1], 4'000U);
  EXPECT_EQ(shown.evals[2], 8'000U);
  EXPECT_EQ(shown.levels[1][0], 0);
  EXPECT_EQ(shown.levels[2][0], 1);
}

}  // namespace
}  // namespace longhaul::cosim
