// SPDX-License-Identifier: Apache-2.0
#include "models/common/agenda.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace longhaul {
namespace {

using sc_core::SC_PS;
using sc_core::sc_time;
using Log = std::vector<std::pair<std::uint64_t, std::string>>;

struct AgendaTest : ::testing::Test {
  Log log;
  Alarm a{[this] { note("a"); }};
  Alarm b{[this] { note("b"); }};
  Alarm c{[this] { note("c"); }};
  void note(const char* who) { log.emplace_back(now_ps(), who); }
};

TEST_F(AgendaTest, AlarmsRingInOrderOfTimeAndThenOfSetting) {
  b.set(20);
  a.set(20);
  c.set(10);
  sc_core::sc_start(sc_time(100, SC_PS));
  EXPECT_EQ(log, (Log{{10, "c"}, {20, "b"}, {20, "a"}}));
  EXPECT_FALSE(a.pending());
}

TEST_F(AgendaTest, AnAlarmThatIsSetAgainForgetsItsTime) {
  a.set(20);
  b.set(30);
  a.set(40);
  b.set(10);
  sc_core::sc_start(sc_time(100, SC_PS));
  EXPECT_EQ(log, (Log{{10, "b"}, {40, "a"}}));
}

TEST_F(AgendaTest, AnAlarmThatIsSetAgainToItsTimeGoesBehindTheOthers) {
  a.set(20);
  b.set(20);
  a.set(20);
  sc_core::sc_start(sc_time(100, SC_PS));
  EXPECT_EQ(log, (Log{{20, "b"}, {20, "a"}}));
}

TEST_F(AgendaTest, SetNoLaterKeepsTheSoonerTime) {
  a.set_no_later(20);
  a.set_no_later(30);
  b.set_no_later(20);
  b.set_no_later(10);
  sc_core::sc_start(sc_time(100, SC_PS));
  EXPECT_EQ(log, (Log{{10, "b"}, {20, "a"}}));
}

TEST_F(AgendaTest, CancelledAlarmsDoNotRingAndLeaveNothingToDo) {
  a.set(20);
  b.set(10);
  a.cancel();
  sc_core::sc_start(sc_time(15, SC_PS));
  EXPECT_FALSE(sc_core::sc_pending_activity());
  a.set(30);
  a.cancel();
  EXPECT_FALSE(sc_core::sc_pending_activity());
  sc_core::sc_start(sc_time(100, SC_PS));
  EXPECT_EQ(log, (Log{{10, "b"}}));
}

TEST_F(AgendaTest, AnAlarmThatIsDestroyedDoesNotRing) {
  auto gone = std::make_unique<Alarm>([this] { note("gone"); });
  gone->set(10);
  gone.reset();
  a.set(20);
  sc_core::sc_start(sc_time(100, SC_PS));
  EXPECT_EQ(log, (Log{{20, "a"}}));
}

TEST_F(AgendaTest, ARingMaySetItselfAndCancelOthers) {
  int left = 3;
  Alarm again{[&] {
    note("again");
    b.cancel();
    if (--left > 0) again.set(now_ps() + (left == 1 ? 0 : 5));
  }};
  again.set(10);
  b.set(10);
  sc_core::sc_start(sc_time(100, SC_PS));
  EXPECT_EQ(log, (Log{{10, "again"}, {15, "again"}, {15, "again"}}));
}

/// A process of SystemC that notes when it runs.
struct Process : sc_core::sc_module {
  sc_core::sc_event event;
  Log& log;
  Process(const sc_core::sc_module_name& name, Log& to) : sc_module(name), log(to) {
    SC_HAS_PROCESS(Process);
    SC_METHOD(run_method);
    sensitive << event;
    dont_initialize();
  }
  void run_method() {
    EXPECT_EQ(now_ps(), sc_core::sc_time_stamp().value()) << "SystemC runs in its own time";
    log.emplace_back(now_ps(), "process");
  }
};

struct AheadTest : AgendaTest {
  Process process{"process", log};
  void run(std::uint64_t until_ps) {
    Agenda::instance().run_ahead(from_ps(until_ps));
    sc_core::sc_start(from_ps(until_ps) - sc_core::sc_time_stamp());
  }
};

TEST_F(AheadTest, AlarmsGoOnWithoutSystemCUpToItsNextProcess) {
  std::vector<std::uint64_t> kernel_ps;
  Alarm ticks{[&] {
    note("tick");
    kernel_ps.push_back(sc_core::sc_time_stamp().value());
    if (now_ps() < 50) ticks.set(now_ps() + 10);
  }};
  ticks.set(10);
  process.event.notify(from_ps(35));
  run(100);
  EXPECT_EQ(log, (Log{{10, "tick"}, {20, "tick"}, {30, "tick"}, {35, "process"}, {40, "tick"}, {50, "tick"}}));
  EXPECT_EQ(kernel_ps, (std::vector<std::uint64_t>{10, 10, 10, 40, 40}));
  EXPECT_EQ(Agenda::instance().reached_alone(), 3U);
  EXPECT_EQ(now_ps(), 100U);
}

TEST_F(AheadTest, AlarmsAfterTheEndOfTheRunWait) {
  a.set(10);
  b.set(100);
  c.set(101);
  run(100);
  EXPECT_EQ(log, (Log{{10, "a"}, {100, "b"}}));
  run(200);
  EXPECT_EQ(log.back(), (Log::value_type{101, "c"}));
}

TEST_F(AheadTest, WhatARingNotifiesRunsInItsTime) {
  Alarm rings{[&] {
    note("rings");
    if (now_ps() == 20) notify_in(process.event, 5);
    if (now_ps() == 40) notify_soon(process.event);
    if (now_ps() == 60) notify_now(process.event);
    if (now_ps() < 60) rings.set(now_ps() + 20);
  }};
  a.set(5);  // SystemC's last time before the others
  rings.set(20);
  b.set(26);
  run(100);
  EXPECT_EQ(log, (Log{{5, "a"},
                      {20, "rings"},
                      {25, "process"},
                      {26, "b"},
                      {40, "rings"},
                      {40, "process"},
                      {60, "rings"},
                      {60, "process"}}));
}

TEST_F(AheadTest, AStopEndsTheRunAtOnce) {
  Alarm stops{[&] {
    note("stops");
    sc_core::sc_stop();
  }};
  a.set(10);
  stops.set(20);
  b.set(30);
  run(100);
  EXPECT_EQ(log, (Log{{10, "a"}, {20, "stops"}}));
}

/// Alarms that set, move and cancel each other at random and wake a process, which does the same.
class Crowd {
 public:
  Crowd(std::uint64_t seed, Log& log) : log_(log), random_(seed) {
    for (std::size_t i = 0; i < 20; ++i) {
      alarms_.push_back(std::make_unique<Alarm>([this, i] {
        log_.emplace_back(now_ps() - began_ps_, std::to_string(i));
        act();
      }));
    }
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&event_);
    sc_core::sc_spawn(
        [this] {
          log_.emplace_back(now_ps() - began_ps_, "process");
          act();
        },
        sc_core::sc_gen_unique_name("crowd"), &options);
  }
  void begin() {
    began_ps_ = now_ps();
    for (const auto& alarm : alarms_) alarm->set(now_ps() + 2 * (1 + random_() % 500));
  }
  void end() {
    for (const auto& alarm : alarms_) alarm->cancel();
    event_.cancel();
  }

 private:
  void act() {
    Alarm& other = *alarms_[random_() % alarms_.size()];
    // Of one instant, SystemC and the alarms may each be first: keep them apart.
    const std::uint64_t even = 2 * (1 + random_() % 500);
    switch (random_() % 8) {
      case 0: other.cancel(); break;
      case 1: notify_in(event_, odd(even)); break;
      default: other.set(now_ps() + even + (now_ps() - began_ps_) % 2); break;
    }
    Alarm& next = *alarms_[random_() % alarms_.size()];
    next.set_no_later(now_ps() + even + (now_ps() - began_ps_) % 2);
  }
  std::uint64_t odd(std::uint64_t ps) const { return ps + 1 - (now_ps() - began_ps_) % 2; }

  Log& log_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Alarm>> alarms_;
  sc_core::sc_event event_;
  std::uint64_t began_ps_ = 0;
};

TEST(AgendaAhead, ARandomCrowdDoesTheSameWithAndWithout) {
  constexpr std::uint64_t kLength = 1'000'000;
  Log stepped;
  Log ahead;
  Crowd first(7, stepped);
  Crowd second(7, ahead);
  first.begin();
  sc_core::sc_start(from_ps(kLength));
  first.end();
  EXPECT_EQ(Agenda::instance().reached_alone(), 0U);
  second.begin();
  Agenda::instance().run_ahead(from_ps(2 * kLength));
  sc_core::sc_start(from_ps(kLength));
  second.end();
  EXPECT_GT(stepped.size(), 10'000U);
  EXPECT_GT(Agenda::instance().reached_alone(), stepped.size() / 4);
  EXPECT_EQ(stepped, ahead);
}

}  // namespace
}  // namespace longhaul
