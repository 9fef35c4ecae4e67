// SPDX-License-Identifier: Apache-2.0
#include "models/toe/lane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/support/ethernet.h"

namespace longhaul::toe {
namespace {

using ::testing::ElementsAre;
constexpr std::uint64_t kClock = 8000;  // ps, at 125 MHz

/// A lane whose events are counts; each takes 10 clocks.
class LaneFixture : public ::testing::Test, public LaneWork {
 public:
  explicit LaneFixture(const char* arbitration = "timers-first", std::uint32_t elements = 1)
      : lane("lane", with(arbitration),
             {{Event::kReceive, Event::kData, Event::kControl, Event::kModulation, Event::kTimer},
              elements},
             *this, serials, nullptr) {}

  static ToeParams with(const char* arbitration) {
    ToeParams params;
    params.arbitration.value = arbitration;
    return params;
  }
  bool waits(Event event) override { return count(event) > 0; }
  Stall stall(Event event) override { return stalls[static_cast<std::size_t>(event)]; }
  EventClocks run(Event event, std::uint64_t) override {
    --count(event);
    log.push_back(letter(event) + std::to_string(now_ps() / kClock));
    return cost;
  }
  void finish(std::uint64_t) override { finished.push_back(now_ps() / kClock); }
  std::uint32_t& count(Event event) { return counts[static_cast<std::size_t>(event)]; }
  static std::string letter(Event event) {
    return std::string(1, "RDCOT"[static_cast<std::size_t>(event)]);
  }
  void give(std::uint32_t receive, std::uint32_t message, std::uint32_t modulation,
            std::uint32_t timer = 0) {
    counts = {receive, message, 0, modulation, timer};
    lane.kick();
  }
  void run_clocks(std::uint64_t clocks) { sc_core::sc_start(from_ps(clocks * kClock)); }
  std::uint64_t clocks_in(std::size_t state) { return lane.occupancy.spent_ps(state) / kClock; }

  std::array<std::uint32_t, kEvents> counts{};
  std::array<Stall, kEvents> stalls{};
  std::vector<std::string> log;
  std::vector<std::uint64_t> finished;
  EventClocks cost{10, 0, 0};
  EventSerials serials;
  Lane lane;
};

using LaneTest = LaneFixture;

TEST_F(LaneTest, ReceiveAndMessagesTakeTurnsAndEachEventHoldsTheLane) {
  give(2, 3, 0);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("R0", "D10", "R20", "D30", "D40"));
  EXPECT_THAT(finished, ElementsAre(10U, 20U, 30U, 40U, 50U));
  EXPECT_EQ(clocks_in(1), 20U);
  EXPECT_EQ(clocks_in(2), 30U);
  EXPECT_EQ(clocks_in(0), 50U);
}

TEST_F(LaneTest, WithoutASeparatorModulationStarvesReceive) {
  give(2, 0, 4);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("O0", "O10", "O20", "O30", "R40", "R50"));
}

TEST_F(LaneTest, TheSeparatorIsTheLeastTimeBetweenModulationEvents) {
  lane.set_separators(25, 0);
  give(4, 0, 3);
  run_clocks(100);
  // The event that runs is never cut short, so the one due at 25 starts at 30.
  EXPECT_THAT(log, ElementsAre("O0", "R10", "R20", "O30", "R40", "R50", "O60"));
}

TEST_F(LaneTest, AnIdleLaneWaitsForTheSeparator) {
  lane.set_separators(25, 40);
  give(0, 0, 2, 2);
  run_clocks(200);
  EXPECT_THAT(log, ElementsAre("T0", "O10", "O35", "T45"));
  EXPECT_EQ(clocks_in(5), 15U);  // 20 to 35
  EXPECT_EQ(lane.modulation_events.value(), 2U);
  EXPECT_EQ(lane.timer_events.value(), 2U);
}

TEST_F(LaneTest, AStalledKindLetsOthersPass) {
  stalls[static_cast<std::size_t>(Event::kModulation)] = Stall::kTxFifo;
  give(2, 0, 1);
  run_clocks(50);
  EXPECT_THAT(log, ElementsAre("R0", "R10"));
  EXPECT_EQ(clocks_in(6), 30U);  // waits for the transmit FIFO
  EXPECT_EQ(lane.tx_fifo_stalls.value(), 1U);
  stalls = {};
  lane.kick();
  run_clocks(50);
  EXPECT_EQ(log.back(), "O50");
}

struct LaneReceiveFirst : LaneFixture {
  LaneReceiveFirst() : LaneFixture("receive-first") {}
};
TEST_F(LaneReceiveFirst, ModulationWaitsForReceive) {
  give(2, 1, 1, 1);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("R0", "R10", "D20", "T30", "O40"));
}

struct LaneRoundRobin : LaneFixture {
  LaneRoundRobin() : LaneFixture("round-robin") {}
};
TEST_F(LaneRoundRobin, EachKindHasItsTurn) {
  give(2, 2, 2, 2);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("R0", "D10", "O20", "T30", "R40", "D50", "O60", "T70"));
}

TEST_F(LaneTest, TheQueuesOfMessagesTakeTurns) {
  counts = {2, 2, 2, 0, 0};
  lane.kick();
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("R0", "C10", "R20", "D30", "C40", "D50"));
}

struct LaneRow : LaneFixture {
  LaneRow() : LaneFixture("timers-first", 4) {}
};
TEST_F(LaneRow, ElementsShareTheWorkAndEachHasAnotherEvent) {
  cost = {40, 0, 0};
  give(3, 0, 0);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("R0", "R10", "R20"));
  EXPECT_THAT(finished, ElementsAre(40U, 50U, 60U));
}

TEST_F(LaneRow, TheControlBlockStallsOneElement) {
  cost = {40, 25, 30};
  give(2, 0, 0);
  run_clocks(200);
  EXPECT_THAT(log, ElementsAre("R0", "R35"));
  EXPECT_THAT(finished, ElementsAre(95U, 130U));
}

TEST_F(LaneRow, PayloadCanBeTheSlowestElement) {
  cost = {40, 0, 60};
  give(2, 0, 0);
  run_clocks(200);
  EXPECT_THAT(log, ElementsAre("R0", "R60"));
  EXPECT_THAT(finished, ElementsAre(100U, 160U));
}

TEST_F(LaneRow, AShortEventDoesNotOvertake) {
  cost = {40, 0, 60};
  give(1, 0, 0);
  run_clocks(60);
  cost = {4, 0, 0};
  give(1, 0, 0);
  run_clocks(200);
  EXPECT_THAT(log, ElementsAre("R0", "R60"));
  EXPECT_THAT(finished, ElementsAre(100U, 100U));
}

TEST_F(LaneTest, BusyTimeIsTheTimeOfWorkAndOfBothMemories) {
  cost = {5, 3, 2};
  give(2, 1, 0);
  run_clocks(100);
  EXPECT_EQ(clocks_in(1) + clocks_in(2), 30U);
  EXPECT_EQ(lane.work_ps.value() / kClock, 15U);
  EXPECT_EQ(lane.context_ps.value() / kClock, 9U);
  EXPECT_EQ(lane.payload_ps.value() / kClock, 6U);
}

TEST_F(LaneRow, BusyTimeIsThatOfTheSlowestElement) {
  cost = {8, 4, 5};  // 2 and 4 of an element, 5 of another one
  give(1, 0, 0);
  run_clocks(50);
  EXPECT_EQ(clocks_in(1), 6U);
  EXPECT_EQ(lane.work_ps.value() / kClock, 2U);
  EXPECT_EQ(lane.context_ps.value() / kClock, 4U);
  EXPECT_EQ(lane.payload_ps.value(), 0U);
  cost = {8, 4, 9};
  give(1, 0, 0);
  run_clocks(50);
  EXPECT_EQ(clocks_in(1), 15U);
  EXPECT_EQ(lane.work_ps.value() / kClock, 2U);
  EXPECT_EQ(lane.payload_ps.value() / kClock, 9U);
}

TEST_F(LaneTest, TheStateForWavesIsThatOfTheClock) {
  stalls[static_cast<std::size_t>(Event::kModulation)] = Stall::kTxFifo;
  give(1, 0, 1);
  run_clocks(5);
  EXPECT_EQ(lane.state.states()[lane.state.value()], "receive");
  run_clocks(10);
  EXPECT_EQ(lane.state.states()[lane.state.value()], "tx_fifo");
  EXPECT_EQ(lane.state.value(), lane.occupancy.state());
  EXPECT_EQ(lane.state.width(), 4U);
}

/// Two lanes with one memory: the one for sending was added first.
class SharedMemory : public ::testing::Test, public LaneWork {
 public:
  bool waits(Event event) override { return count(event) > 0; }
  Stall stall(Event) override { return Stall::kNone; }
  EventClocks run(Event event, std::uint64_t) override {
    --count(event);
    log.push_back(LaneFixture::letter(event) + std::to_string(now_ps() / kClock));
    return cost;
  }
  void finish(std::uint64_t serial) override { finished.push_back(serial); }
  std::uint32_t& count(Event event) { return counts[static_cast<std::size_t>(event)]; }

  std::array<std::uint32_t, kEvents> counts{};
  std::vector<std::string> log;
  std::vector<std::uint64_t> finished;
  EventClocks cost{10, 0, 30};
  EventSerials serials;
  MemoryTurns memory;
};

TEST_F(SharedMemory, SendingHasTheMemoryFirst) {
  const ToeParams params;
  Lane transmit("transmit", params, {{Event::kData}, 6}, *this, serials, &memory);
  Lane receive("receive", params, {{Event::kReceive}, 4}, *this, serials, &memory);
  counts = {2, 3, 0, 0, 0};
  receive.kick();
  transmit.kick();
  sc_core::sc_start(from_ps(400 * kClock));
  EXPECT_THAT(log, ElementsAre("R0", "D30", "D60", "D90", "R120"));
  EXPECT_THAT(finished, ElementsAre(1U, 2U, 3U, 4U, 5U));
  EXPECT_EQ(receive.memory_stalls.value(), 1U);
}

TEST_F(SharedMemory, AControlBlockThatIsFetchedKeepsOtherLanesWaiting) {
  const ToeParams params;
  cost = {10, 30, 0};
  Lane transmit("transmit", params, {{Event::kData}, 6}, *this, serials, &memory);
  Lane receive("receive", params, {{Event::kReceive}, 4}, *this, serials, &memory);
  counts = {1, 1, 0, 0, 0};
  receive.kick();
  transmit.kick();
  sc_core::sc_start(from_ps(400 * kClock));
  EXPECT_THAT(log, ElementsAre("R0", "D30"));
  EXPECT_EQ(transmit.memory_stalls.value(), 1U);
}

TEST(LaneArbitration, AnUnknownNameIsRefusedWithTheNearest) {
  struct Nothing final : LaneWork {
    bool waits(Event) override { return false; }
    Stall stall(Event) override { return Stall::kNone; }
    EventClocks run(Event, std::uint64_t) override { return {}; }
    void finish(std::uint64_t) override {}
  } work;
  EventSerials serials;
  try {
    const Lane lane("lane", LaneFixture::with("timer-first"), {{Event::kReceive}, 1}, work, serials,
                    nullptr);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("timers-first"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace longhaul::toe
