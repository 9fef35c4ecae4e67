// SPDX-License-Identifier: Apache-2.0
// Who goes on with softirqs that do not end, and who has the processor meanwhile. A turn costs 3 ns
// before its own work; the thread is woken in 7 and begins 44 later.
#include "models/host/kernel/ksoftirqd.h"

#include <gmock/gmock.h>

#include "models/host/kernel/giant_lock.h"
#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using ::testing::ElementsAre;
using testing::Handler;
using testing::Program;
using testing::Soft;

struct KsoftirqdTest : testing::KernelTest {
  std::uint64_t turns = 0;
  std::uint64_t turns_wanted = ~std::uint64_t{0};
  std::function<void()> on_turn = [] {};
  WaitQueue queue;
  Soft softirq{[this] {
    ++turns;
    on_turn();
    cpu->processor.execute(997);
    return turns < turns_wanted;
  }};
  Handler raises{[this] {
    cpu->processor.raise(softirq);
    return true;
  }};

  /// A process that this turn wakes, and that says after how many it has the processor.
  void sleep_until_turn(std::uint64_t turn) {
    program("sleeper", [this](Program& p) {
      const Program::Syscall call(p);
      p.wait(queue);
      log("sleeper after " + std::to_string(turns));
    });
    on_turn = [this, turn] {
      if (turns == turn) queue.wake_all();
    };
  }

  Processor& build() {
    Processor& processor = KernelTest::build();
    processor.add_handler(1, raises);
    return processor;
  }
};

TEST_F(KsoftirqdTest, OnAnIdleProcessorItGoesOnUntilNothingIsLeft) {
  params.softirq_restarts.value = 2;
  turns_wanted = 25;
  Processor& processor = build();
  at(1000 * kNs, [&] { processor.message(1); });
  run_until(100 * kUs);
  EXPECT_EQ(turns, 25U);
  EXPECT_EQ(processor.ksoftirqd_wakeups.value(), 1U);
  EXPECT_EQ(cpu->spent(CoreState::kSoftirq), (25 * 1000 + 7) * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kHardirq), 150 * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kSystem), 44 * kNs) << "switched to once, and asleep since";
}

TEST_F(KsoftirqdTest, ItIsWokenForTheNextOnesAsForTheFirst) {
  params.softirq_restarts.value = 2;
  turns_wanted = 5;
  Processor& processor = build();
  at(1000 * kNs, [&] { processor.message(1); });
  at(50 * kUs, [&] {
    turns = 0;
    processor.message(1);
  });
  run_until(100 * kUs);
  EXPECT_EQ(turns, 5U);
  EXPECT_EQ(processor.softirq_runs.value(), 10U);
  EXPECT_EQ(processor.ksoftirqd_wakeups.value(), 2U);
}

TEST_F(KsoftirqdTest, WhatEndsWithinItsRoundsIsNotLeftToIt) {
  params.softirq_restarts.value = 10;
  turns_wanted = 10;
  Processor& processor = build();
  at(1000 * kNs, [&] { processor.message(1); });
  run_until(100 * kUs);
  EXPECT_EQ(turns, 10U);
  EXPECT_EQ(processor.ksoftirqd_wakeups.value(), 0U);
  EXPECT_EQ(cpu->spent(CoreState::kSoftirq), 10'000 * kNs);
}

TEST_F(KsoftirqdTest, TakesTurnsWithABusyProcessEachByItsOwnSlice) {
  params.softirq_restarts.value = 10;
  params.ksoftirqd_slice.value = {100, sc_core::SC_US};
  params.slice.value = {1, sc_core::SC_MS};
  Processor& processor = build();
  program("busy", [&](Program& p) {
    std::uint64_t last_ps = now_ps();
    for (;;) {
      p.work(1000);
      if (now_ps() - last_ps > 50 * kUs) log("busy again");
      last_ps = now_ps();
    }
  });
  at(500 * kNs, [&] { processor.message(1); });
  run_until(3400 * kUs);
  // 44, 10157 of the interrupt and its rounds, and chunks to the one that crosses 1 ms: 1000201.
  // Then 44 and ten rounds of 10 us. From then on 1 ms and the 44 in front, 44 and 100 us.
  EXPECT_THAT(log.lines,
              ElementsAre("1100245 busy again", "2200333 busy again", "3300421 busy again"));
  EXPECT_EQ(processor.ksoftirqd_wakeups.value(), 1U);
}

TEST_F(KsoftirqdTest, AProcessThatIsWokenComesBetweenItsRounds) {
  params.softirq_restarts.value = 10;
  turns_wanted = 40;
  Processor& processor = build();
  sleep_until_turn(13);
  at(1000 * kNs, [&] { processor.message(1); });
  run_until(kMs);
  EXPECT_EQ(turns, 40U);
  ASSERT_EQ(log.lines.size(), 1U);
  EXPECT_THAT(log.lines[0], ::testing::EndsWith("sleeper after 20"));
}

TEST_F(KsoftirqdTest, AProcessThatIsReadyWaitsForItsSlice) {
  params.softirq_restarts.value = 10;
  params.wakeup_preempts.value = false;
  params.ksoftirqd_slice.value = {100, sc_core::SC_US};
  turns_wanted = 400;
  Processor& processor = build();
  sleep_until_turn(13);
  at(1000 * kNs, [&] { processor.message(1); });
  run_until(kMs);
  ASSERT_EQ(log.lines.size(), 1U);
  EXPECT_THAT(log.lines[0], ::testing::EndsWith("sleeper after 110")) << "ten before it was woken";
}

TEST_F(KsoftirqdTest, WhereTheLockOfTheKernelIsTakenItSleeps) {
  params.softirq_restarts.value = 1;
  params.softirq_cycles.value = 500;  // before a turn asks for the lock
  build();
  testing::Cpu second("second", params);
  GiantLock giant("giant", {&cpu->processor, &second.processor});
  const Program caller("caller", second.processor, [&](Program& p) {
    p.work(4326);
    {
      const Program::Syscall call(p);
      for (int i = 0; i < 100; ++i) p.work(1000);
    }
    log("call ends after " + std::to_string(turns));
  });
  turns_wanted = 20;
  at(1000 * kNs, [&] { cpu->processor.message(1); });
  run_until(kMs);
  EXPECT_EQ(turns, 20U);
  // 44 + 4326 + 30, when the second turn has ended and the third one has not begun.
  EXPECT_THAT(log.lines, ElementsAre("104400 call ends after 2"));
  EXPECT_EQ(giant.interrupt_waits.value(), 1U);
  // Woken twice in 7, for the turn after the lock was had is the idle processor's; 44 to go, 44 to
  // come back.
  EXPECT_EQ(cpu->spent(CoreState::kSoftirq), (20 * 1497 + 2 * 7 + 2 * 44) * kNs);
}

}  // namespace
}  // namespace longhaul::host
