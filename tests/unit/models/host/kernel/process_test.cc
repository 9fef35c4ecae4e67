// SPDX-License-Identifier: Apache-2.0
// Who has the processor, and when. A process begins 44 ns late: scheduled in 4 and switched to in
// 40. A process that comes back to a processor that no other has had costs the 4 only. A system
// call: 10 ns of the program, 20 of the kernel.
#include "models/host/kernel/process.h"

#include <gmock/gmock.h>

#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using ::testing::ElementsAre;

using testing::Handler;
using testing::Program;
using testing::Soft;

struct ProcessTest : testing::KernelTest {
  std::unique_ptr<TickTimers> timers;

  /// With a tick, which costs nothing unless a test says so.
  Processor& build_with_tick() {
    params.tick_cycles.value = 0;
    Processor& processor = build();
    timers = std::make_unique<TickTimers>("timers", std::vector<Processor*>{&processor});
    return processor;
  }
};

TEST_F(ProcessTest, ASystemCallChargesBothItsSidesAndPaysOnTheWayOut) {
  build();
  Program& p = program("p", [&](Program& self) {
    {
      const Program::Syscall call(self);
      const Program::Syscall within(self);
      self.processor().execute(70);
    }
    log("out");
  });
  run_until(kUs);
  EXPECT_THAT(log.lines, ElementsAre("144 out"));
  EXPECT_EQ(cpu->spent(CoreState::kUser), 10 * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kSystem), (44 + 90) * kNs);
  EXPECT_EQ(cpu->core.syscalls.value(), 1U);
  EXPECT_TRUE(p.done());
}

TEST_F(ProcessTest, TwoBusyOnesTakeTurnsByTheSlice) {
  params.slice.value = {1, sc_core::SC_MS};
  Processor& processor = build();
  const auto body = [this](const char* name) {
    return [this, name](Program& p) {
      std::uint64_t last_ps = now_ps();
      for (;;) {
        p.work(10'000);
        if (now_ps() - last_ps > 100 * kUs) log(name);
        last_ps = now_ps();
      }
    };
  };
  program("a", body("a is back"));
  program("b", body("b is back"));
  run_until(4500 * kUs);
  // A slice begins with the processor, 44 ns before the first chunk, and ends with the chunk that
  // crosses 1 ms.
  EXPECT_THAT(log.lines,
              ElementsAre("2000088 a is back", "3000132 b is back", "4000176 a is back"));
  EXPECT_EQ(processor.slices.value(), 4U);
  EXPECT_EQ(cpu->core.context_switches.value(), 5U);
}

TEST_F(ProcessTest, OneThatWasWokenTakesTheProcessorAtTheReturnToUserMode) {
  Processor& processor = build();
  WaitQueue queue;
  Handler handler([&] {
    log("interrupt");
    queue.wake_all();
    return true;
  });
  processor.add_handler(1, handler);
  program("sleeper", [&](Program& p) {
    const Program::Syscall call(p);
    p.wait(queue);
    log("awake");
    p.work(100);
  });
  program("busy", [&](Program& p) {
    {
      const Program::Syscall call(p);
      p.work(1000);
      log("in the kernel");
    }
    log("in user mode");
    p.work(1000);
  });
  program("third", [&](Program&) { log("third"); });
  at(500 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  // The sleeper: 44 to begin, 10 and 20 for its call, then it waits. The other: as much, and 1000.
  // The interrupt: 150, and 7 to wake. The sleeper again: 44, 100, and back in 44, before the third
  // process.
  EXPECT_THAT(log.lines, ElementsAre("1148 interrupt", "1305 in the kernel", "1305 awake",
                                     "1449 in user mode", "2493 third"));
  EXPECT_EQ(processor.preemptions.value(), 1U);
  EXPECT_EQ(processor.slices.value(), 0U);
}

TEST_F(ProcessTest, WithoutPreemptionItWaitsForTheSlice) {
  params.wakeup_preempts.value = false;
  params.slice.value = {1, sc_core::SC_MS};
  Processor& processor = build();
  WaitQueue queue;
  Handler handler([&] {
    queue.wake_all();
    return true;
  });
  processor.add_handler(1, handler);
  program("sleeper", [&](Program& p) {
    const Program::Syscall call(p);
    p.wait(queue);
    log("awake");
  });
  program("busy", [&](Program& p) {
    for (;;) p.work(10'000);
  });
  at(500 * kNs, [&] { processor.message(1); });
  run_until(3 * kMs);
  // 74 of the sleeper, 44, and chunks until 1 ms has gone since the processor was given: 100 and
  // the 157 of the interrupt.
  EXPECT_THAT(log.lines, ElementsAre("1000275 awake"));
  EXPECT_EQ(processor.preemptions.value(), 0U);
}

TEST_F(ProcessTest, OneThatUsesUpItsSliceIsNoLongerAheadOfOthers) {
  params.slice.value = {1, sc_core::SC_MS};
  Processor& processor = build();
  WaitQueue queue;
  WaitQueue late_queue;
  Handler handler([&] {
    queue.wake_all();
    return true;
  });
  Handler late_handler([&] {
    late_queue.wake_all();
    return true;
  });
  processor.add_handler(1, handler);
  processor.add_handler(2, late_handler);
  std::uint64_t greedy_chunks = 0;
  program("greedy", [&](Program& p) {
    {
      const Program::Syscall call(p);
      p.wait(queue);
    }
    for (;;) {
      p.work(10'000);
      ++greedy_chunks;
    }
  });
  program("late", [&](Program& p) {
    const Program::Syscall call(p);
    p.wait(late_queue);
    log("late");
  });
  program("modest", [&](Program& p) {
    for (;;) p.work(10'000);
  });
  at(500 * kNs, [&] { processor.message(1); });
  at(2500 * kUs, [&] { processor.message(2); });  // in the greedy one's second slice
  run_until(10 * kMs);
  EXPECT_NEAR(static_cast<double>(greedy_chunks), 500.0, 55.0);
  EXPECT_EQ(processor.preemptions.value(), 2U);
  EXPECT_THAT(log.lines, ElementsAre("2500638 late"));
}

TEST_F(ProcessTest, AnIdleProcessorIsWokenByTheInterrupt) {
  Processor& processor = build();
  WaitQueue queue;
  Handler handler([&] {
    queue.wake_all();
    return true;
  });
  processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    EXPECT_TRUE(p.wait(queue));
    p.work(10);
    log("awake");
  });
  at(5000 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("5171 awake"));
  EXPECT_EQ(cpu->spent(CoreState::kIdle), (5000 - 74 + 10'000 - 5171) * kNs);
  EXPECT_EQ(cpu->core.context_switches.value(), 1U);
}

TEST_F(ProcessTest, AWakeUpWhileItStillPaysIsNotMissed) {
  Processor& processor = build();
  WaitQueue queue;
  Handler handler([&] {
    queue.wake_all();
    return true;
  });
  processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    processor.execute(1000);
    EXPECT_TRUE(p.wait(queue));
    log("awake");
  });
  at(500 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1231 awake"));
  EXPECT_TRUE(queue.empty());
}

TEST_F(ProcessTest, SleepLastsToATick) {
  build_with_tick();
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    p.sleep(1500 * kUs);
    p.work(1);
    log("awake");
    p.sleep(0);
    p.work(1);
    log("again");
  });
  run_until(4 * kMs);
  // The tick: 100; the softirq: 3 and 7 to wake; 4 to schedule.
  EXPECT_THAT(log.lines, ElementsAre("2000115 awake", "3000115 again"));
}

TEST_F(ProcessTest, AWaitEndsAtItsTimeLimitOrBefore) {
  Processor& processor = build_with_tick();
  WaitQueue queue;
  Handler handler([&] {
    queue.wake_all();
    return true;
  });
  processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    log(p.wait(queue, kMs) ? "woken" : "timed out");
    EXPECT_TRUE(queue.empty());
    log(p.wait(queue, kMs) ? "woken" : "timed out");
    log(p.wait(queue) ? "woken" : "timed out");
    p.sleep(2 * kMs);
    log("slept");
  });
  at(2500 * kUs, [&] { processor.message(1); });
  at(6500 * kUs, [&] { processor.message(1); });
  run_until(10 * kMs);
  EXPECT_THAT(log.lines,
              ElementsAre("2000110 timed out", "2500157 woken", "6500157 woken", "9000110 slept"));
}

TEST_F(ProcessTest, ManyShareAProcessorEvenly) {
  params.slice.value = {1, sc_core::SC_MS};
  build();
  constexpr int kMany = 64;
  std::vector<std::uint64_t> chunks(kMany);
  for (int i = 0; i < kMany; ++i) {
    program("p" + std::to_string(i), [&chunks, i](Program& p) {
      for (;;) {
        p.work(100'000);
        ++chunks[i];
      }
    });
  }
  run_until(640 * kMs);
  for (const std::uint64_t done : chunks) EXPECT_NEAR(static_cast<double>(done), 100.0, 11.0);
}

TEST_F(ProcessTest, AnotherProcessorIsKickedWhenItIdles) {
  Processor& first = build();
  testing::Cpu second("second", params);
  WaitQueue queue;
  Program there("there", second.processor, [&](Program& p) {
    const Program::Syscall call(p);
    p.wait(queue);
    p.work(1);
    log("awake");
  });
  program("here", [&](Program& p) {
    p.work(956);
    queue.wake_all();
    EXPECT_EQ(Processor::current(), &first);
    first.pay();
    log("woke it");
  });
  run_until(10 * kUs);
  // There 100 for the interrupt and 4 to schedule, at the instant of the call; here 7 for it.
  EXPECT_THAT(log.lines, ElementsAre("1007 woke it", "1105 awake"));
  EXPECT_EQ(second.processor.kicks.value(), 1U);
  EXPECT_EQ(second.spent(CoreState::kHardirq), 100 * kNs);
  EXPECT_EQ(Processor::current(), nullptr);
}

TEST_F(ProcessTest, ABusyProcessorIsKickedWhenTheWokenOneTakesItOver) {
  Processor& first = build();
  testing::Cpu second("second", params);
  WaitQueue queue;
  Program sleeper("sleeper", second.processor, [&](Program& p) {
    const Program::Syscall call(p);
    p.wait(queue);
    p.work(1);
    log("awake");
  });
  Program busy("busy", second.processor, [&](Program& p) {
    for (;;) p.work(1000);
  });
  program("here", [&](Program& p) {
    p.work(956);
    queue.wake_all();
    first.pay();
  });
  run_until(10 * kUs);
  // There: 74 of the sleeper, 44 and 1000 of the other, 100 for the interrupt, 44 and 1 of the
  // sleeper.
  EXPECT_THAT(log.lines, ElementsAre("1263 awake"));
  EXPECT_EQ(second.processor.kicks.value(), 1U);
  EXPECT_EQ(second.processor.preemptions.value(), 1U);
}

TEST_F(ProcessTest, ASoftirqRaisedByAProcessRunsAtItsNextPay) {
  Processor& processor = build();
  Soft softirq([&] {
    log("softirq");
    return false;
  });
  program("p", [&](Program& p) {
    p.work(56);
    processor.raise(softirq);
    log("raised");
    p.work(900);
    log("paid");
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 raised", "1000 softirq", "1003 paid"));
}

}  // namespace
}  // namespace longhaul::host
