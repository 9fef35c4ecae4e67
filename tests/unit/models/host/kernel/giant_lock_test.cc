// SPDX-License-Identifier: Apache-2.0
// One lock for two processors, to the nanosecond: an interrupt's thread begins 150 after the
// interrupt, a system call's kernel side 30 after the call. A process that finds the lock taken is
// switched away from and later to, 44 each.
#include <random>

#include "tests/unit/models/host/kernel/giant_lock_fixture.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using ::testing::ElementsAre;
using testing::Soft;

TEST_F(GiantLockTest, AnInterruptOfAnotherProcessorWaitsForTheEndOfTheCall) {
  build(2);
  second->processor.add_handler(1, tells);
  a_call();
  at(500 * kNs, [&] { second->processor.message(1); });
  run_until(10 * kUs);
  // 44 + 30 + 1000; the thread has come and gone at 694, and takes 44 to come back.
  EXPECT_THAT(log.lines, ElementsAre("1074 call ends", "1118 handler"));
  EXPECT_EQ(second->spent(CoreState::kHardirq), (150 + 2 * 44) * kNs);
  EXPECT_EQ(giant->interrupt_waits.value(), 1U);
  EXPECT_EQ(giant->takings.value(), 2U);
  EXPECT_EQ(giant->state.spent_ps(1),
            1000 * kNs);  // of the call behind its entry; the handler takes no time
}

TEST_F(GiantLockTest, OnItsOwnProcessorItComesInBeforeTheProgramGoesOn) {
  build(1);
  Handler handler([&] {
    log("handler");
    cpu->processor.execute(200);
    return true;
  });
  cpu->processor.add_handler(1, handler);
  a_call();
  at(500 * kNs, [&] { cpu->processor.message(1); });
  run_until(10 * kUs);
  // 74 + 1000, 150 and 44 of the thread that goes away again, 44 when it comes back.
  EXPECT_THAT(log.lines, ElementsAre("1312 handler", "1512 call ends"));
}

TEST_F(GiantLockTest, AProcessWaitsForAHandlerAndDoesNotKeepItsProcessor) {
  build(2);
  Handler handler([&] {
    second->processor.execute(2000);
    second->processor.pay();
    log("handler ends");
    return true;
  });
  second->processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    p.work(956);
    call(p, 100);
    log("call ends");
  });
  program("q", [&](Program& p) {
    for (int i = 0; i < 4; ++i) p.work(500);
    log("the other is done");
  });
  at(500 * kNs, [&] { second->processor.message(1); });
  run_until(10 * kUs);
  // p asks at 1030. From 1074 on q has the processor, to the end of the piece in which p is woken:
  // 100 of an interrupt, 44, 100 of the call.
  EXPECT_THAT(log.lines,
              ElementsAre("2650 handler ends", "3318 call ends", "3318 the other is done"));
  EXPECT_EQ(giant->process_waits.value(), 1U);
}

TEST_F(GiantLockTest, WhoAsksWhileAnInterruptIsOnItsWayIsThereFirst) {
  build(2);
  second->processor.add_handler(1, tells);
  program("p", [&](Program& p) {
    p.work(526);
    call(p, 200);
    log("call ends");
  });
  at(500 * kNs, [&] { second->processor.message(1); });
  run_until(10 * kUs);
  // It asks at 600, the interrupt's thread at 650.
  EXPECT_THAT(log.lines, ElementsAre("800 call ends", "844 handler"));
  EXPECT_EQ(giant->process_waits.value(), 0U);
}

TEST_F(GiantLockTest, WhereAProcessSleepsTheLockIsFree) {
  build(2);
  WaitQueue queue;
  Handler handler([&] {
    log("handler");
    queue.wake_all();
    return true;
  });
  second->processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    p.processor().execute(100);
    EXPECT_TRUE(p.wait(queue));
    EXPECT_FALSE(giant->is_free());
    log("woken");
  });
  at(150 * kNs, [&] {
    EXPECT_FALSE(giant->is_free());  // what it did before it waits, it did under the lock
  });
  at(500 * kNs, [&] { second->processor.message(1); });
  run_until(10 * kUs);
  // 650, 100 of an interrupt and 4 of the scheduler: nobody else has had the processor. The
  // handler's lock is free after 7.
  EXPECT_THAT(log.lines, ElementsAre("650 handler", "754 woken"));
  EXPECT_TRUE(giant->is_free());
}

TEST_F(GiantLockTest, AWaitThatHasItsLimitComesBackWithTheLock) {
  params.tick_cycles.value = 0;
  build(3);
  TickTimers timers("timers", {&cpu->processor, &second->processor, &third->processor});
  WaitQueue queue;
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    EXPECT_FALSE(p.wait(queue, 100 * kUs));
    EXPECT_FALSE(giant->is_free());
    log("time is over");
  });
  Program q("q", second->processor, [&](Program& self) {
    self.work(1'000'038);
    call(self, 100'000);
    log("call ends");
  });
  run_until(2000 * kUs);
  // The softirq of the tick has the lock to 1,000,110; p is on its way, to 1,000,114, when q takes
  // it. 7 to wake p, 100 to interrupt its processor.
  EXPECT_THAT(log.lines, ElementsAre("1100119 call ends", "1100216 time is over"));
}

/// The second processor has found the lock taken, by p to 1074, and is busy to 5538; a process of
/// the third has wanted it since 600.
TEST_F(GiantLockTest, SoftirqsThatWaitAreNotAskedForAtEachEndOfSoftirqsOff) {
  build(1);
  Soft softirq([&] {
    log("softirq");
    return false;
  });
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    p.work(100);
    cpu->processor.raise(softirq);
    p.work(100);
    for (int i = 0; i < 5; ++i) {
      const Processor::SoftirqsOff off(cpu->processor);
      p.work(100);
    }
    log("call ends");
  });
  run_until(10 * kUs);
  // 74 + 700, and once 3 and 44.
  EXPECT_THAT(log.lines, ElementsAre("821 call ends", "865 softirq"));
  EXPECT_EQ(giant->interrupt_waits.value(), 1U);
}

TEST_F(GiantLockTest, WhereIdleProcessorsPollNobodyIsInterruptedToBeWoken) {
  params.idle_polls.value = true;
  build(2);
  WaitQueue queue;
  Handler handler([&] {
    queue.wake_all();
    return true;
  });
  second->processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    p.wait(queue);
    log("woken");
  });
  at(500 * kNs, [&] { second->processor.message(1); });
  run_until(10 * kUs);
  // It comes 4 after the handler's 650, whose 7 are not over; so it sleeps once more, and is woken
  // at 657.
  EXPECT_THAT(log.lines, ElementsAre("661 woken"));
  EXPECT_EQ(cpu->spent(CoreState::kHardirq), 0U);
}

TEST_F(GiantLockTest, ThreadsOfInterruptsAndSoftirqsAreSwitchedTo) {
  params.interrupt_threads.value = true;
  build(1);
  Soft softirq([&] {
    log("softirq");
    return false;
  });
  Handler handler([&] {
    log("handler");
    cpu->processor.raise(softirq);
    return true;
  });
  cpu->processor.add_handler(1, handler);
  at(500 * kNs, [&] { cpu->processor.message(1); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("694 handler", "741 softirq"));
}

TEST_F(GiantLockTest, AnInterruptComesBetweenSoftirqsNotIntoThem) {
  build(2);
  Soft first([&] {
    second->processor.execute(500);
    second->processor.pay();
    log("first softirq ends");
    return false;
  });
  Soft next([&] {
    log("second softirq");
    return false;
  });
  Handler raises([&] {
    second->processor.raise(first);
    second->processor.raise(next);
    return true;
  });
  Handler other([&] {
    log("other handler");
    return true;
  });
  second->processor.add_handler(1, raises);
  second->processor.add_handler(2, other);
  at(500 * kNs, [&] { second->processor.message(1); });
  at(700 * kNs, [&] { second->processor.message(2); });
  run_until(10 * kUs);
  // 650 + 3 + 500, then the thread that goes away, 194; it comes back in 44.
  EXPECT_THAT(log.lines,
              ElementsAre("1347 first softirq ends", "1391 other handler", "1394 second softirq"));
}

TEST_F(GiantLockTest, NoTwoAreInsideAndNothingIsLostWhateverComes) {
  params.softirq_restarts.value = 2;
  build(2);
  TickTimers timers("timers", {&cpu->processor, &second->processor});
  std::mt19937 random(7);
  int inside = 0;
  int handled = 0;
  int softirqs = 0;
  WaitQueue queue;
  const auto stay = [&](Processor& processor, std::uint32_t most) {
    EXPECT_EQ(++inside, 1);
    for (std::uint32_t left = random() % most; left > 0; --left) {
      processor.execute(random() % 300);
      processor.pay();
    }
    --inside;
  };
  Soft soft([&] {
    ++softirqs;
    stay(*Processor::current(), 5);
    queue.wake_all();
    return random() % 3 == 0;
  });
  Handler handler([&] {
    ++handled;
    stay(*Processor::current(), 3);
    if (random() % 2 == 0) Processor::current()->raise(soft);
    return true;
  });
  cpu->processor.add_handler(1, handler);
  second->processor.add_handler(1, handler);
  constexpr int kCalls = 400;
  int calls = 0;
  const auto body = [&](Program& p) {
    for (int i = 0; i < kCalls; ++i) {
      p.work(random() % 500);
      const Program::Syscall syscall(p);
      stay(p.processor(), 6);
      if (random() % 3 == 0) p.wait(queue, 50 * kUs);
      if (random() % 7 == 0) p.sleep(10 * kUs);
      stay(p.processor(), 3);
      ++calls;
    }
  };
  program("p", body);
  program("q", body);
  Program r("r", second->processor, body);
  constexpr int kMessages = 3000;
  int sent = 0;
  sc_core::sc_spawn([&] {
    for (; sent < kMessages; ++sent) {
      sc_core::wait(from_ps(random() % (8 * kUs)));
      while (cpu->processor.engaged(1) || second->processor.engaged(1))
        sc_core::wait(from_ps(100 * kNs));
      (random() % 2 == 0 ? cpu->processor : second->processor).message(1);
    }
  });
  run_until(5'000'000 * kUs);
  EXPECT_EQ(sent, kMessages);
  EXPECT_EQ(handled, kMessages);
  EXPECT_EQ(calls, 3 * kCalls);
  EXPECT_GT(softirqs, kMessages / 4);
  EXPECT_TRUE(giant->is_free());
  EXPECT_FALSE(cpu->processor.wants_giant() || second->processor.wants_giant());
  EXPECT_GT(giant->interrupt_waits.value(), 100U);
  EXPECT_GT(giant->process_waits.value(), 100U);
}

}  // namespace
}  // namespace longhaul::host
