// SPDX-License-Identifier: Apache-2.0
#include "models/common/fiber.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/common/address_sanitizer.h"
#include "tests/unit/models/common/event_queue_runs.h"

namespace longhaul {
namespace {

using testing::kernel_ps;
using testing::run_ahead_to;
using testing::run_to;
using testing::Seen;
constexpr std::size_t kStackBytes = 64 << 10;

void pass(std::uint64_t ps) { EventQueue::get().pass(ps); }
void pass_until(Condition& condition) { EventQueue::get().pass_until(condition); }

/// Two fibers and a thread of SystemC's with their own steps, and a timer that wakes a method.
Seen everybody(bool leave) {
  Seen seen;
  std::uint64_t most_ahead = 0;
  sc_core::sc_event told("told");
  Timer timer([&] {
    seen.emplace_back('a', now_ps());
    if (now_ps() % 4000 == 0) notify_now(told);
    timer.set(now_ps() + 1000);
  });
  const auto stepper = [&](char who, std::uint64_t step_ps) {
    return [&seen, &most_ahead, who, step_ps] {
      for (;;) {
        pass(step_ps);
        seen.emplace_back(who, now_ps());
        if (who != 't') most_ahead = std::max(most_ahead, now_ps() - kernel_ps());
      }
    };
  };
  Fiber slow(stepper('s', 7300), kStackBytes);
  Fiber quick(stepper('q', 1700), kStackBytes);
  sc_core::sc_spawn(stepper('t', 3100), "thread");
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&told);
  sc_core::sc_spawn(
      [&seen] {
        seen.emplace_back('m', now_ps());
        EXPECT_EQ(now_ps(), kernel_ps());
      },
      "method", &options);
  timer.set(1000);
  leave ? run_ahead_to(200'001) : run_to(200'001);
  EXPECT_EQ(most_ahead > 0, leave);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end(), [](auto& a, auto& b) {
    return a.second < b.second;
  })) << "time goes back";
  std::sort(seen.begin(), seen.end());
  return seen;
}

Seen everybodys_steps() {
  Seen seen;
  for (const auto& [who, step_ps] :
       Seen{{'s', 7300}, {'q', 1700}, {'t', 3100}, {'a', 1000}, {'m', 4000}}) {
    for (std::uint64_t at = step_ps; at <= 200'000; at += step_ps) seen.emplace_back(who, at);
  }
  std::sort(seen.begin(), seen.end());
  return seen;
}

TEST(Fiber, EverybodyTakesHisSteps) { EXPECT_EQ(everybody(false), everybodys_steps()); }
TEST(Fiber, EverybodyTakesHisStepsAheadOfTheKernel) {
  EXPECT_EQ(everybody(true), everybodys_steps());
}

TEST(Fiber, OfOneInstantInTheOrderOfTheirReadiness) {
  std::string order;
  const auto body = [&](char who) {
    return [&order, who] {
      for (int i = 0; i < 2; ++i) {
        order += who;
        pass(100);
      }
    };
  };
  Fiber first(body('1'), kStackBytes);
  Fiber second(body('2'), kStackBytes);
  Fiber third(body('3'), kStackBytes);
  run_ahead_to(1000);
  EXPECT_EQ(order, "123123");
  EXPECT_TRUE(first.done() && second.done() && third.done());
}

/// What a fiber has seen of a timer that goes off when its time is over, and which the fiber itself
/// has set.
void expect_timer_first(bool leave) {
  std::uint64_t seen = 0;
  std::uint64_t rings = 0;
  Timer timer([&] { ++rings; });
  const auto body = [&] {
    timer.set(1000);
    pass(1000);
    seen = rings;
  };
  Fiber fiber(body, kStackBytes);
  leave ? run_ahead_to(5000) : run_to(5000);
  EXPECT_EQ(rings, 1U);
  EXPECT_EQ(seen, 1U);
}

TEST(Fiber, ATimerAtTheEndComesFirst) { expect_timer_first(false); }
TEST(Fiber, ATimerAtTheEndComesFirstAheadOfTheKernel) { expect_timer_first(true); }

TEST(Fiber, NoneIsCurrentOutsideOfThem) {
  Fiber* in_body = nullptr;
  Fiber* in_action = nullptr;
  Timer timer([&] { in_action = Fiber::current(); });
  const auto body = [&] {
    in_body = Fiber::current();
    pass(10'000);
  };
  Fiber fiber(body, kStackBytes);
  timer.set(100);
  EXPECT_EQ(Fiber::current(), nullptr);
  run_ahead_to(1000);
  EXPECT_EQ(in_body, &fiber);
  EXPECT_EQ(in_action, &fiber) << "on its stack";
  EXPECT_EQ(Fiber::current(), nullptr);
}

/// Everybody who can notify: a timer, another fiber, a method; at once and later.
void expect_conditions(bool leave) {
  Seen seen;
  Condition condition;
  Timer at_once([&] { condition.notify(); });
  Timer later([&] { condition.notify_in(50); });
  const auto waits = [&] {
    pass_until(condition);
    seen.emplace_back('a', now_ps());
    pass_until(condition);
    seen.emplace_back('l', now_ps());
    pass_until(condition);
    seen.emplace_back('f', now_ps());
    pass_until(condition);
    seen.emplace_back('k', now_ps());
  };
  Fiber waiter(waits, kStackBytes);
  const auto notifies = [&] {
    pass(900);
    condition.notify();
    pass(50);
    condition.notify_in(2000);  // the earlier one of the kernel's takes its place
  };
  Fiber notifier(notifies, kStackBytes);
  sc_core::sc_spawn([&] {
    sc_core::wait(1500, sc_core::SC_PS);
    condition.notify();
  });
  at_once.set(300);
  later.set(600);
  leave ? run_ahead_to(5000) : run_to(5000);
  EXPECT_EQ(seen, Seen({{'a', 300}, {'l', 650}, {'f', 900}, {'k', 1500}}));
  EXPECT_TRUE(waiter.done());
}

TEST(Fiber, AConditionWakesIt) { expect_conditions(false); }
TEST(Fiber, AConditionWakesItAheadOfTheKernel) { expect_conditions(true); }

TEST(Fiber, AConditionHasNoMemoryAndKeepsTheEarlierNotification) {
  Seen seen;
  Condition condition;
  condition.notify();
  condition.notify_in(700);
  condition.notify_in(900);
  condition.notify_in(400);
  const auto body = [&] {
    for (;;) {
      pass_until(condition);
      seen.emplace_back('n', now_ps());
    }
  };
  Fiber fiber(body, kStackBytes);
  run_ahead_to(5000);
  EXPECT_EQ(seen, Seen({{'n', 400}}));
}

TEST(Fiber, AConditionWakesAllWhoWait) {
  Condition condition;
  std::string order;
  const auto body = [&](char who) {
    return [&, who] {
      pass_until(condition);
      order += who;
    };
  };
  Fiber first(body('1'), kStackBytes);
  Fiber second(body('2'), kStackBytes);
  sc_core::sc_spawn([&] {
    pass_until(condition);
    order += 't';
  });
  Timer timer([&] { condition.notify(); });
  timer.set(100);
  run_ahead_to(1000);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, "12t");
}

TEST(Fiber, CatchingUpBringsTheKernelAlong) {
  Seen seen;
  const auto body = [&] {
    pass(1000);
    seen.emplace_back('k', kernel_ps());
    for (int i = 0; i < 2; ++i) {
      EventQueue::get().catch_up();
      EXPECT_EQ(now_ps(), kernel_ps());
      seen.emplace_back('c', kernel_ps());
    }
    pass(1000);
    seen.emplace_back('e', now_ps());
  };
  Fiber fiber(body, kStackBytes);
  run_ahead_to(5000);
  EXPECT_EQ(seen, Seen({{'k', 0}, {'c', 1000}, {'c', 1000}, {'e', 2000}}));
}

TEST(Fiber, AfterOneThatEndsAheadTheRestGoesOn) {
  Seen seen;
  Timer timer([&] {
    seen.emplace_back('a', now_ps());
    if (now_ps() < 3000) timer.set(now_ps() + 1000);
  });
  timer.set(1000);
  Fiber fiber([] { pass(1500); }, kStackBytes);
  run_ahead_to(5000);
  EXPECT_TRUE(fiber.done());
  EXPECT_EQ(seen, Seen({{'a', 1000}, {'a', 2000}, {'a', 3000}}));
  EXPECT_EQ(now_ps(), 5000U);
}

/// SystemC 2.3.4 tells ASan of every switch of stacks, but not where the one of main() is: what is
/// thrown on that afterwards leaves ASan with marks of frames that are gone.
constexpr const char* kMisread =
    "the sanitizer takes what is thrown on the main stack for a damaged one";

TEST(Fiber, WhatItThrowsComesOutOfTheSimulation) {
  if (under_address_sanitizer()) GTEST_SKIP() << kMisread;
  const auto body = [] {
    pass(200);
    throw std::runtime_error("no");
  };
  Fiber fiber(body, kStackBytes);
  EventQueue::get().go_ahead(1000);
  EXPECT_ANY_THROW(run_to(1000));
  EXPECT_TRUE(fiber.done());
  EXPECT_EQ(now_ps(), kernel_ps());
}

TEST(Fiber, WhatATimerThrowsDoesNotUnwindIt) {
  if (under_address_sanitizer()) GTEST_SKIP() << kMisread;
  bool unwound = false;
  Timer timer([] { throw std::runtime_error("no"); });
  timer.set(200);
  const auto body = [&] {
    try {
      pass(1000);
    } catch (...) {
      unwound = true;
    }
  };
  Fiber fiber(body, kStackBytes);
  EventQueue::get().go_ahead(5000);
  EXPECT_ANY_THROW(run_to(5000));
  EXPECT_FALSE(unwound);
  EXPECT_EQ(now_ps(), kernel_ps());
}

TEST(Fiber, StoppingEndsIt) {
  std::uint64_t last_ps = 0;
  Timer timer([] { sc_core::sc_stop(); });
  timer.set(350);
  const auto body = [&] {
    for (;;) {
      pass(100);
      last_ps = now_ps();
    }
  };
  Fiber fiber(body, kStackBytes);
  run_ahead_to(100'000);
  EXPECT_LE(last_ps, 400U);
}

TEST(Fiber, ItMayBeMadeAndDestroyedWhileTheSimulationRuns) {
  Seen seen;
  Condition never;
  std::unique_ptr<Fiber> born;
  std::unique_ptr<Fiber> waiting;
  std::unique_ptr<Fiber> ready;
  const auto body = [&] {
    pass(100);
    born = std::make_unique<Fiber>(
        [&] {
          seen.emplace_back('b', now_ps());
          pass(100);
          seen.emplace_back('B', now_ps());
        },
        kStackBytes);
    waiting = std::make_unique<Fiber>([&] { pass_until(never); }, kStackBytes);
    pass(150);
    ready = std::make_unique<Fiber>([&] { seen.emplace_back('r', now_ps()); }, kStackBytes);
    ready.reset();
    waiting.reset();
    born.reset();
    never.notify();
    pass(100);
    seen.emplace_back('e', now_ps());
  };
  Fiber fiber(body, kStackBytes);
  run_ahead_to(1000);
  EXPECT_EQ(seen, Seen({{'b', 100}, {'B', 200}, {'e', 350}}));
}

TEST(Fiber, AConditionMayGoBeforeWhoWaitsForIt) {
  auto condition = std::make_unique<Condition>();
  Fiber fiber([&] { pass_until(*condition); }, kStackBytes);
  run_ahead_to(1000);
  condition.reset();
  run_ahead_to(2000);
  EXPECT_FALSE(fiber.done());
}

}  // namespace
}  // namespace longhaul
