// SPDX-License-Identifier: Apache-2.0
// Threads that see to the timers while they let time pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/common/fiber.h"
#include "tests/unit/models/common/event_queue_runs.h"

namespace longhaul {
namespace {

using testing::kernel_ps;
using testing::run_ahead_to;
using testing::run_to;
using testing::Seen;

struct Thread : sc_core::sc_module {
  SC_HAS_PROCESS(Thread);
  Thread(const sc_core::sc_module_name& name, std::function<void()> body)
      : sc_module(name), body_(std::move(body)) {
    SC_THREAD(run_thread);
  }
  void run_thread() { body_(); }
  std::function<void()> body_;
};

/// Two threads with their own steps, and a timer that goes off again and again and wakes a method.
Seen threads_and_timer(bool leave) {
  Seen seen;
  sc_core::sc_event told("told");
  sc_core::sc_event told_later("told_later");
  Timer timer([&] {
    seen.emplace_back('a', now_ps());
    if (now_ps() % 400 == 0) notify_now(told);
    if (now_ps() % 1000 == 0) notify_in(told_later, 30);
    timer.set(now_ps() + 100);
  });
  const auto stepper = [&](char who, std::uint64_t step_ps) {
    return [&seen, who, step_ps] {
      for (;;) {
        EventQueue::get().pass(step_ps);
        seen.emplace_back(who, now_ps());
        EXPECT_EQ(now_ps(), kernel_ps());
      }
    };
  };
  Thread slow("slow", stepper('s', 730));
  Thread quick("quick", stepper('q', 170));
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&told);
  options.set_sensitivity(&told_later);
  sc_core::sc_spawn([&seen] { seen.emplace_back('m', now_ps()); }, "method", &options);
  timer.set(100);
  leave ? run_ahead_to(20'001) : run_to(20'001);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end(), [](auto& a, auto& b) {
    return a.second < b.second;
  })) << "time goes back";
  return seen;
}

Seen expected() {
  Seen seen;
  for (std::uint64_t at = 730; at <= 20'000; at += 730) seen.emplace_back('s', at);
  for (std::uint64_t at = 170; at <= 20'000; at += 170) seen.emplace_back('q', at);
  for (std::uint64_t at = 100; at <= 20'000; at += 100) seen.emplace_back('a', at);
  for (std::uint64_t at = 400; at <= 20'000; at += 400) seen.emplace_back('m', at);
  for (std::uint64_t at = 1030; at <= 20'000; at += 1000) seen.emplace_back('m', at);
  return seen;
}

Seen sorted(Seen seen) {
  std::sort(seen.begin(), seen.end());
  return seen;
}

TEST(EventQueueThread, PassingIsWaiting) {
  EXPECT_EQ(sorted(threads_and_timer(false)), sorted(expected()));
}
TEST(EventQueueThread, PassingAheadIsWaiting) {
  EXPECT_EQ(sorted(threads_and_timer(true)), sorted(expected()));
}

TEST(EventQueueThread, AConditionIsNotMissed) {
  Seen seen;
  Condition condition;
  Timer at_once([&] { condition.notify(); });
  Timer later([&] { condition.notify_in(50); });
  Thread thread("thread", [&] {
    at_once.set(300);
    EventQueue::get().pass_until(condition);
    seen.emplace_back('n', now_ps());
    later.set(now_ps() + 300);
    EventQueue::get().pass_until(condition);
    seen.emplace_back('l', now_ps());
    EventQueue::get().pass(100);
    at_once.set(now_ps());
    EventQueue::get().pass_until(condition);
    seen.emplace_back('d', now_ps());
  });
  run_ahead_to(5000);
  EXPECT_EQ(seen, Seen({{'n', 300}, {'l', 650}, {'d', 750}}));
}

/// What a thread has seen of a timer that goes off when its time is over.
std::uint64_t timers_seen(bool leave) {
  std::uint64_t seen = 0;
  std::uint64_t rings = 0;
  Timer timer([&] { ++rings; });
  Thread thread("thread", [&] {
    timer.set(1000);
    EventQueue::get().pass(1000);
    seen = rings;
  });
  leave ? run_ahead_to(5000) : run_to(5000);
  EXPECT_EQ(rings, 1U);
  return seen;
}

TEST(EventQueueThread, ATimerAtTheEndComesFirst) { EXPECT_EQ(timers_seen(false), 1U); }
TEST(EventQueueThread, ATimerAtTheEndComesFirstAhead) { EXPECT_EQ(timers_seen(true), 1U); }

TEST(EventQueueThread, WhatATimerThrowsComesOutOfTheThread) {
  bool caught = false;
  Timer timer([] { throw std::runtime_error("no"); });
  Thread thread("thread", [&] {
    timer.set(200);
    try {
      EventQueue::get().pass(1000);
    } catch (const std::runtime_error&) {
      caught = true;
    }
    EXPECT_EQ(now_ps(), kernel_ps());
  });
  run_ahead_to(5000);
  EXPECT_TRUE(caught);
  EXPECT_FALSE(timer.is_set());
}

TEST(EventQueueThread, StoppingEndsIt) {
  std::uint64_t last_ps = 0;
  Timer timer([] { sc_core::sc_stop(); });
  Thread thread("thread", [&] {
    timer.set(350);
    for (;;) {
      EventQueue::get().pass(100);
      last_ps = now_ps();
    }
  });
  run_ahead_to(100'000);
  EXPECT_LE(last_ps, 400U);
}

}  // namespace
}  // namespace longhaul
