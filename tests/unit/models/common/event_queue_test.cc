// SPDX-License-Identifier: Apache-2.0
#include "models/common/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/unit/models/common/event_queue_runs.h"

namespace longhaul {
namespace {

using Rings = std::vector<std::pair<int, std::uint64_t>>;  // which timer, and now_ps() then

using testing::run_ahead_to;
using testing::run_to;

TEST(EventQueue, TimersGoOffInTheOrderOfTheirTimesAndThenOfTheirSetting) {
  Rings rings;
  const auto ringer = [&rings](int number) {
    return [&rings, number] { rings.emplace_back(number, now_ps()); };
  };
  Timer first(ringer(1));
  Timer second(ringer(2));
  Timer third(ringer(3));
  third.set(500);
  second.set(300);
  first.set(300);
  run_to(1000);
  EXPECT_EQ(rings, Rings({{2, 300}, {1, 300}, {3, 500}}));
  EXPECT_FALSE(first.is_set());
}

TEST(EventQueue, ManyTimersGoOffInTheOrderOfTheirTimesAndThenOfTheirSetting) {
  constexpr int kTimers = 200;
  std::mt19937 random(3);
  Rings rings;
  Rings expected;
  std::vector<std::unique_ptr<Timer>> timers;
  for (int i = 0; i < kTimers; ++i) {
    timers.push_back(std::make_unique<Timer>([&rings, i] { rings.emplace_back(i, now_ps()); }));
  }
  for (int i = 0; i < 4 * kTimers; ++i) {  // most of them more than once
    const int which = static_cast<int>(random() % kTimers);
    const std::uint64_t at_ps = 100 + random() % 10;
    timers[which]->set(at_ps);
    expected.erase(std::remove_if(expected.begin(), expected.end(),
                                  [&](const auto& e) { return e.first == which; }),
                   expected.end());
    expected.emplace_back(which, at_ps);
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  run_to(1000);
  EXPECT_EQ(rings, expected);
}

TEST(EventQueue, ATimerSetToNeverIsNotSet) {
  Rings rings;
  Timer timer([&rings] { rings.emplace_back(1, now_ps()); });
  timer.set(100);
  timer.set(~0ULL);
  EXPECT_FALSE(timer.is_set());
  timer.set_no_later(~0ULL);
  EXPECT_FALSE(timer.is_set());
  run_to(1000);
  EXPECT_TRUE(rings.empty());
}

TEST(EventQueue, ALaterSettingReplacesAnEarlierOneUnlessItIsNoLater) {
  Rings rings;
  Timer moved([&rings] { rings.emplace_back(1, now_ps()); });
  Timer kept([&rings] { rings.emplace_back(2, now_ps()); });
  moved.set(100);
  moved.set(400);
  kept.set_no_later(300);
  kept.set_no_later(600);
  kept.set_no_later(200);
  run_to(1000);
  EXPECT_EQ(rings, Rings({{2, 200}, {1, 400}}));
}

TEST(EventQueue, ACancelledTimerStaysSilentAndCanBeSetAgain) {
  Rings rings;
  Timer timer([&rings] { rings.emplace_back(1, now_ps()); });
  timer.cancel();
  timer.set(100);
  timer.cancel();
  EXPECT_FALSE(timer.is_set());
  run_to(200);
  timer.set(300);
  run_to(400);
  EXPECT_EQ(rings, Rings({{1, 300}}));
}

TEST(EventQueue, WhatIsSetToThePastGoesOffNow) {
  Rings rings;
  Timer timer([&rings] { rings.emplace_back(1, now_ps()); });
  run_to(500);
  timer.set(100);
  run_to(600);
  EXPECT_EQ(rings, Rings({{1, 500}}));
}

TEST(EventQueue, AnActionMayCancelItsTimer) {
  int rings = 0;
  std::unique_ptr<Timer> timer;
  timer = std::make_unique<Timer>([&] {
    ++rings;
    EXPECT_FALSE(timer->is_set());
    timer->cancel();
  });
  timer->set(10);
  run_to(100);
  EXPECT_EQ(rings, 1);
}

/// A hundred timers whose actions set, move and cancel each other at random.
Rings random_rings(bool ahead) {
  Rings rings;
  std::mt19937 random(7);
  std::vector<std::unique_ptr<Timer>> timers;
  for (int i = 0; i < 100; ++i) {
    timers.push_back(std::make_unique<Timer>([&, i] {
      rings.emplace_back(i, now_ps());
      for (int n = 0; n < 3; ++n) {
        Timer& other = *timers[random() % timers.size()];
        const std::uint64_t at_ps = now_ps() + random() % 1000;
        switch (random() % 4) {
          case 0: other.cancel(); break;
          case 1: other.set_no_later(at_ps); break;
          default: other.set(at_ps); break;
        }
      }
    }));
    timers.back()->set(random() % 1000);
  }
  if (ahead) EventQueue::get().go_ahead(20'000);
  run_to(20'000);
  return rings;
}

TEST(EventQueue, TimeNeverGoesBack) {
  const Rings rings = random_rings(false);
  EXPECT_GT(rings.size(), 1000);
  EXPECT_TRUE(std::is_sorted(rings.begin(), rings.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; }));
}

TEST(EventQueue, AheadOfTheKernelTimeNeverGoesBackEither) {
  const Rings rings = random_rings(true);
  EXPECT_GT(rings.size(), 1000);
  EXPECT_TRUE(std::is_sorted(rings.begin(), rings.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; }));
  EXPECT_LE(rings.back().second, 20'000);
}

/// A thread, a method and a timer that wake each other.
struct Crossing : sc_core::sc_module {
  SC_HAS_PROCESS(Crossing);
  explicit Crossing(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_THREAD(wait_thread);
    SC_METHOD(told_method);
    sensitive << told;
    dont_initialize();
  }
  void wait_thread() {
    for (;;) {
      wait(700, sc_core::SC_PS);
      seen.emplace_back(0, now_ps());
      EXPECT_EQ(now_ps(), to_ps(sc_core::sc_time_stamp()));
    }
  }
  void told_method() {
    seen.emplace_back(1, now_ps());
    EXPECT_EQ(now_ps(), to_ps(sc_core::sc_time_stamp()));
  }
  void ring() {
    seen.emplace_back(2, now_ps());
    most_ahead = std::max(most_ahead, now_ps() - to_ps(sc_core::sc_time_stamp()));
    switch (++rings % 3) {
      case 0: notify_now(told); break;
      case 1: notify_in(told, 0); break;
      default: notify_in(told, 150); break;
    }
    timer.set(now_ps() + 100);
  }

  Rings seen;
  int rings = 0;
  std::uint64_t most_ahead = 0;
  sc_core::sc_event told;
  Timer timer{[this] { ring(); }};
};

/// What is seen, those of one instant in the order of their numbers: that is the kernel's own
/// affair.
Rings crossing(bool ahead, std::uint64_t& most_ahead) {
  Crossing module("crossing");
  module.timer.set(100);
  if (ahead) EventQueue::get().go_ahead(50'000);
  run_to(50'000);
  most_ahead = module.most_ahead;
  std::stable_sort(module.seen.begin(), module.seen.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  EXPECT_TRUE(std::is_sorted(module.seen.begin(), module.seen.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; }));
  return module.seen;
}

/// When the three kinds were seen, by arithmetic: the timer every 100 ps, its events at once, at
/// once and 150 ps later.
void expect_instants(const Rings& seen) {
  std::vector<std::uint64_t> threads;
  std::vector<std::uint64_t> methods;
  std::vector<std::uint64_t> timers;
  for (const auto& [who, at_ps] : seen)
    (who == 0 ? threads : who == 1 ? methods : timers).push_back(at_ps);
  ASSERT_EQ(threads.size(), 50'000U / 700);
  ASSERT_EQ(timers.size(), 499U);  // what is due at the end of sc_start() is the next one's
  for (std::size_t i = 0; i < threads.size(); ++i) EXPECT_EQ(threads[i], 700 * (i + 1));
  for (std::size_t i = 0; i < timers.size(); ++i) EXPECT_EQ(timers[i], 100 * (i + 1));
  // The third ring's notification stands 150 ps ahead when the next one's, which is earlier, takes
  // its place.
  for (const std::uint64_t at_ps : methods) EXPECT_EQ(at_ps % 100, 0U);
  EXPECT_GE(methods.size(), 300U);
}

TEST(EventQueue, WithoutLeaveNothingIsAheadOfTheKernel) {
  std::uint64_t most_ahead = 0;
  expect_instants(crossing(false, most_ahead));
  EXPECT_EQ(most_ahead, 0U);
}

TEST(EventQueue, WithLeaveProcessesSeeTheSameInstants) {
  std::uint64_t most_ahead = 0;
  expect_instants(crossing(true, most_ahead));
  EXPECT_GT(most_ahead, 0U);
}

TEST(EventQueue, NothingGoesOffBeyondTheLeave) {
  Rings rings;
  Timer timer([&] {
    rings.emplace_back(1, now_ps());
    timer.set(now_ps() + 100);
  });
  timer.set(100);
  run_ahead_to(1050);
  EXPECT_EQ(rings.size(), 10U);
  EXPECT_EQ(now_ps(), 1050U);
  run_ahead_to(2000);
  EXPECT_EQ(rings.size(), 19U);
  run_ahead_to(2001);
  EXPECT_EQ(rings.size(), 20U);
}

TEST(EventQueue, AnExceptionLeavesTheTimeToTheKernel) {
  Timer before([] {});
  Timer timer([] { throw std::runtime_error("no"); });
  before.set(100);
  timer.set(200);
  EventQueue::get().go_ahead(1000);
  EXPECT_ANY_THROW(run_to(1000));
  EXPECT_EQ(now_ps(), to_ps(sc_core::sc_time_stamp()));
  EXPECT_FALSE(timer.is_set()) << "nor is it left behind in the list";
}

TEST(EventQueue, AnActionMayThrowAfterItHasSetItsTimerAgain) {
  int rings = 0;
  Timer timer([&] {
    timer.set(now_ps() + 100);
    if (++rings == 1) throw std::runtime_error("no");
  });
  timer.set(200);
  EXPECT_ANY_THROW(run_to(1000));
  EXPECT_TRUE(timer.is_set());
  EXPECT_TRUE(timer.is_set_by(300));
  EXPECT_FALSE(timer.is_set_by(299));
}

TEST(EventQueue, ATimerThatIsSetToTheSameInstantGoesBehindTheOthersOfIt) {
  Rings rings;
  int left = 2;
  Timer first([&] {
    rings.emplace_back(1, now_ps());
    if (--left > 0) first.set(now_ps());
  });
  Timer second([&] { rings.emplace_back(2, now_ps()); });
  first.set(100);
  second.set(100);
  run_to(1000);
  EXPECT_EQ(rings, Rings({{1, 100}, {2, 100}, {1, 100}}));
}

TEST(EventQueue, AnActionMayDestroyAnotherTimer) {
  Rings rings;
  auto other = std::make_unique<Timer>([&] { rings.emplace_back(2, now_ps()); });
  Timer timer([&] {
    rings.emplace_back(1, now_ps());
    other.reset();
  });
  timer.set(100);
  other->set(100);
  run_to(1000);
  EXPECT_EQ(rings, Rings({{1, 100}}));
}

TEST(EventQueue, StoppingEndsIt) {
  int rings = 0;
  Timer timer([&] {
    if (++rings == 3) sc_core::sc_stop();
    timer.set(now_ps() + 100);
  });
  timer.set(100);
  run_ahead_to(10'000);
  EXPECT_EQ(rings, 3);
}

}  // namespace
}  // namespace longhaul
