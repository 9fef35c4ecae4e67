// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/ticker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/units.h"

namespace longhaul::observe {
namespace {

using sc_core::SC_NS;
using sc_core::sc_start;
using ::testing::ElementsAre;
using ::testing::Pair;

/// Does something at given times (ns) and logs the order of its two processes and when each ran.
struct Model : sc_core::sc_module {
  std::vector<std::pair<std::uint64_t, char>> log;
  std::vector<std::uint64_t> times_ns;
  sc_core::sc_event event;

  Model(const sc_core::sc_module_name& name, std::vector<std::uint64_t> times)
      : sc_module(name), times_ns(std::move(times)) {
    SC_HAS_PROCESS(Model);
    SC_THREAD(act_thread);
    SC_METHOD(react_method);
    sensitive << event;
    dont_initialize();
  }
  void act_thread() {
    for (const std::uint64_t at : times_ns) {
      wait(from_ps(at * 1000 - now_ps()));
      log.emplace_back(now_ps() / 1000, 'a');
      event.notify(sc_core::SC_ZERO_TIME);
    }
  }
  void react_method() { log.emplace_back(now_ps() / 1000, 'r'); }
};

TEST(Ticker, CallsAtEveryMultipleOfThePeriodWhileSomethingIsPending) {
  Model model("model", {35});
  Ticker ticker("ticker");
  std::vector<std::uint64_t> calls;
  ticker.every({10, SC_NS}, [&] { calls.push_back(now_ps() / 1000); });
  sc_start();
  // At 40 ns nothing else is left: the call is made, and the simulation ends.
  EXPECT_THAT(calls, ElementsAre(10, 20, 30, 40));
  EXPECT_EQ(now_ps(), 40'000U);
}

TEST(Ticker, ServesSeveralPeriodsInTheOrderOfAsking) {
  Model model("model", {40});
  Ticker ticker("ticker");
  std::vector<std::pair<std::uint64_t, char>> calls;
  ticker.every({15, SC_NS}, [&] { calls.emplace_back(now_ps() / 1000, 'x'); });
  ticker.every({10, SC_NS}, [&] { calls.emplace_back(now_ps() / 1000, 'y'); });
  sc_start(31, SC_NS);
  EXPECT_THAT(calls, ElementsAre(Pair(10, 'y'), Pair(15, 'x'), Pair(20, 'y'), Pair(30, 'x'),
                                 Pair(30, 'y')));
}

TEST(Ticker, DoesNotKeepAnEmptySimulationAlive) {
  Ticker ticker("ticker");
  int calls = 0;
  ticker.every({10, SC_NS}, [&] { ++calls; });
  sc_start();
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(now_ps(), 0U);
}

TEST(Ticker, GoesOnAtTheNextMultipleAfterWake) {
  Model model("model", {5});
  Ticker ticker("ticker");
  std::vector<std::uint64_t> calls;
  ticker.every({10, SC_NS}, [&] { calls.push_back(now_ps() / 1000); });
  sc_start();
  ASSERT_THAT(calls, ElementsAre(10));
  sc_start(17, SC_NS);
  ASSERT_THAT(calls, ElementsAre(10)) << "nothing was pending until 27 ns";
  model.event.notify(25, SC_NS);
  ticker.wake();
  ticker.wake();
  sc_start();
  EXPECT_THAT(calls, ElementsAre(10, 30, 40, 50, 60));
}

std::vector<std::pair<std::uint64_t, char>> run_model(bool observed) {
  Model model("model", {7, 10, 20, 33});
  Model other("other", {10, 20, 21});
  std::unique_ptr<Ticker> ticker;
  if (observed) {
    ticker = std::make_unique<Ticker>("ticker");
    ticker->every({1, SC_NS}, [] {});
  }
  sc_start();
  model.log.insert(model.log.end(), other.log.begin(), other.log.end());
  return model.log;
}

const std::vector<std::pair<std::uint64_t, char>> kExpected = {
    {7, 'a'},  {7, 'r'},  {10, 'a'}, {10, 'r'}, {20, 'a'}, {20, 'r'}, {33, 'a'},
    {33, 'r'}, {10, 'a'}, {10, 'r'}, {20, 'a'}, {20, 'r'}, {21, 'a'}, {21, 'r'}};

TEST(Ticker, LeavesTimesAndOrderOfModelsAsTheyAreWithoutIt) {
  EXPECT_EQ(run_model(false), kExpected);
}
TEST(Ticker, LeavesTimesAndOrderOfModelsAsTheyAreWithIt) { EXPECT_EQ(run_model(true), kExpected); }

}  // namespace
}  // namespace longhaul::observe
