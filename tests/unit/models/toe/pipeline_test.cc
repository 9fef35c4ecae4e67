// SPDX-License-Identifier: Apache-2.0
#include "models/toe/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/support/ethernet.h"

namespace longhaul::toe {
namespace {

using ::testing::ElementsAre;
constexpr std::uint64_t kClock = 8000;  // ps, at 125 MHz

/// A pipeline whose events are counts; each takes 10 clocks.
class PipelineFixture : public ::testing::Test, public PipelineWork {
 public:
  explicit PipelineFixture(const char* arbitration = "timers-first")
      : pipeline("pipeline", with(arbitration), *this) {}

  static ToeParams with(const char* arbitration) {
    ToeParams params;
    params.arbitration.value = arbitration;
    return params;
  }
  bool waits(Event event) override { return count(event) > 0; }
  Stall stall(Event event) override { return stalls[static_cast<std::size_t>(event)]; }
  std::uint64_t run(Event event) override {
    --count(event);
    log.push_back(letter(event) + std::to_string(now_ps() / kClock));
    return 10;
  }
  void finish() override { finished.push_back(now_ps() / kClock); }
  std::uint32_t& count(Event event) { return counts[static_cast<std::size_t>(event)]; }
  static std::string letter(Event event) {
    return std::string(1, "RMOT"[static_cast<std::size_t>(event)]);
  }
  void give(std::uint32_t receive, std::uint32_t message, std::uint32_t modulation,
            std::uint32_t timer = 0) {
    counts = {receive, message, modulation, timer};
    pipeline.kick();
  }
  void run_clocks(std::uint64_t clocks) { sc_core::sc_start(from_ps(clocks * kClock)); }
  std::uint64_t clocks_in(std::size_t state) { return pipeline.occupancy.spent_ps(state) / kClock; }

  std::array<std::uint32_t, kEvents> counts{};
  std::array<Stall, kEvents> stalls{};
  std::vector<std::string> log;
  std::vector<std::uint64_t> finished;
  TpPipeline pipeline;
};

using TpPipelineTest = PipelineFixture;

TEST_F(TpPipelineTest, ReceiveAndMessagesTakeTurnsAndEachEventHoldsThePipeline) {
  give(2, 3, 0);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("R0", "M10", "R20", "M30", "M40"));
  EXPECT_THAT(finished, ElementsAre(10U, 20U, 30U, 40U, 50U));
  EXPECT_EQ(clocks_in(1), 20U);
  EXPECT_EQ(clocks_in(2), 30U);
  EXPECT_EQ(clocks_in(0), 50U);
}

TEST_F(TpPipelineTest, WithoutASeparatorModulationStarvesReceive) {
  give(2, 0, 4);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("O0", "O10", "O20", "O30", "R40", "R50"));
}

TEST_F(TpPipelineTest, TheSeparatorIsTheLeastTimeBetweenModulationEvents) {
  pipeline.set_separators(25, 0);
  give(4, 0, 3);
  run_clocks(100);
  // The event that runs is never cut short, so the one due at 25 starts at 30.
  EXPECT_THAT(log, ElementsAre("O0", "R10", "R20", "O30", "R40", "R50", "O60"));
}

TEST_F(TpPipelineTest, AnIdlePipelineWaitsForTheSeparator) {
  pipeline.set_separators(25, 40);
  give(0, 0, 2, 2);
  run_clocks(200);
  EXPECT_THAT(log, ElementsAre("T0", "O10", "O35", "T45"));
  EXPECT_EQ(clocks_in(5), 15U);  // 20 to 35
  EXPECT_EQ(pipeline.modulation_events.value(), 2U);
  EXPECT_EQ(pipeline.timer_events.value(), 2U);
}

TEST_F(TpPipelineTest, AStalledKindLetsOthersPass) {
  stalls[static_cast<std::size_t>(Event::kModulation)] = Stall::kTxFifo;
  give(2, 0, 1);
  run_clocks(50);
  EXPECT_THAT(log, ElementsAre("R0", "R10"));
  EXPECT_EQ(clocks_in(6), 30U);  // waits for the transmit FIFO
  EXPECT_EQ(pipeline.tx_fifo_stalls.value(), 1U);
  stalls = {};
  pipeline.kick();
  run_clocks(50);
  EXPECT_EQ(log.back(), "O50");
}

struct PipelineReceiveFirst : PipelineFixture {
  PipelineReceiveFirst() : PipelineFixture("receive-first") {}
};
TEST_F(PipelineReceiveFirst, ModulationWaitsForReceive) {
  give(2, 1, 1, 1);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("R0", "R10", "M20", "T30", "O40"));
}

struct PipelineRoundRobin : PipelineFixture {
  PipelineRoundRobin() : PipelineFixture("round-robin") {}
};
TEST_F(PipelineRoundRobin, EachKindHasItsTurn) {
  give(2, 2, 2, 2);
  run_clocks(100);
  EXPECT_THAT(log, ElementsAre("R0", "M10", "O20", "T30", "R40", "M50", "O60", "T70"));
}

TEST(PipelineArbitration, AnUnknownNameIsRefusedWithTheNearest) {
  struct Nothing final : PipelineWork {
    bool waits(Event) override { return false; }
    Stall stall(Event) override { return Stall::kNone; }
    std::uint64_t run(Event) override { return 1; }
    void finish() override {}
  } work;
  try {
    const TpPipeline pipeline("p", PipelineFixture::with("timer-first"), work);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("timers-first"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace longhaul::toe
