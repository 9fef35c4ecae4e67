// SPDX-License-Identifier: Apache-2.0
// One lock for two processors, to the nanosecond: an interrupt's thread begins 150 after the interrupt, a system call's kernel side 30 after
// the call; who finds the lock taken is switched away from and later to, 44 each.
#include "models/host/kernel/giant_lock.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/unit/models/host/kernel/kernel_bench.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using testing::Handler;
using testing::Program;
using testing::Soft;

struct GiantLockTest : testing::KernelTest {
  std::unique_ptr<testing::Cpu> second;
  std::unique_ptr<GiantLock> giant;

  /// Programs run on the first processor; the second one is free for interrupts.
  void build_two() {
    build();
    second = std::make_unique<testing::Cpu>("second", params);
    giant = std::make_unique<GiantLock>("giant", std::vector<Processor*>{&cpu->processor, &second->processor});
  }
  void build_one() {
    build();
    giant = std::make_unique<GiantLock>("giant", std::vector<Processor*>{&cpu->processor});
  }
  /// In the kernel for so many cycles, in pieces of a hundred.
  static void call(Program& p, std::uint64_t cycles) {
    const Program::Syscall syscall(p);
    for (; cycles != 0; cycles -= 100) p.work(100);
  }
};

TEST_F(GiantLockTest, AnInterruptOfAnotherProcessorWaitsForTheEndOfTheCall) {
  build_two();
  Handler handler([&] {
    log("handler");
    return true;
  });
  second->processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    call(p, 1000);
    log("call ends");
  });
  at(500 * kNs, [&] { second->processor.message(1); });
  run_until(10 * kUs);
  // 44 + 30 + 1000; the thread has come and gone at 694, and takes 44 to come back.
  EXPECT_THAT(log.lines, ElementsAre("1074 call ends", "1118 handler"));
  EXPECT_EQ(second->spent(CoreState::kHardirq), (150 + 2 * 44) * kNs);
  EXPECT_EQ(giant->interrupt_waits.value(), 1U);
  EXPECT_EQ(giant->takings.value(), 2U);
}

TEST_F(GiantLockTest, OnItsOwnProcessorItComesInBeforeTheProgramGoesOn) {
  build_one();
  Handler handler([&] {
    log("handler");
    cpu->processor.execute(200);
    return true;
  });
  cpu->processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    call(p, 1000);
    log("call ends");
  });
  at(500 * kNs, [&] { cpu->processor.message(1); });
  run_until(10 * kUs);
  // 74 + 1000, 150 and 44 of the thread that goes away again, 44 when it comes back.
  EXPECT_THAT(log.lines, ElementsAre("1312 handler", "1512 call ends"));
}

TEST_F(GiantLockTest, AProcessWaitsForAHandlerAndDoesNotKeepItsProcessor) {
  build_two();
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
  // p asks at 1030; q has the processor from 1074 on, to the end of the piece in which p is woken: 100 of an interrupt, 44, 100 of the call.
  EXPECT_THAT(log.lines, ElementsAre("2650 handler ends", "3318 call ends", "3318 the other is done"));
  EXPECT_EQ(giant->process_waits.value(), 1U);
}

TEST_F(GiantLockTest, WhereAProcessSleepsTheLockIsFree) {
  build_two();
  WaitQueue queue;
  Handler handler([&] {
    log("handler");
    queue.wake_all();
    return true;
  });
  second->processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    EXPECT_TRUE(p.wait(queue));
    EXPECT_FALSE(giant->is_free());
    log("woken");
  });
  at(500 * kNs, [&] { second->processor.message(1); });
  run_until(10 * kUs);
  // Woken at once, it finds the handler's lock still taken for 7, and is switched to twice.
  EXPECT_EQ(log.lines.size(), 2U);
  EXPECT_EQ(log.lines.front(), "650 handler");
  EXPECT_TRUE(giant->is_free());
}

TEST_F(GiantLockTest, InterruptsComeBeforeProcesses) {
  build_two();
  Handler handler([&] {
    log("handler");
    second->processor.execute(500);
    return true;
  });
  second->processor.add_handler(1, handler);
  testing::Cpu third("third", params);
  const std::vector<Processor*> all{&cpu->processor, &second->processor, &third.processor};
  giant = std::make_unique<GiantLock>("giant_of_three", all);
  program("p", [&](Program& p) {
    call(p, 1000);
    log("first ends");
  });
  Program late("late", third.processor, [&](Program& p) {
    p.work(200);
    call(p, 100);
    log("second ends");
  });
  at(500 * kNs, [&] { second->processor.message(1); });
  run_until(10 * kUs);
  // The process has waited since 274, the interrupt since 650.
  ASSERT_EQ(log.lines.size(), 3U);
  EXPECT_EQ(log.lines[0], "1074 first ends");
  EXPECT_EQ(log.lines[1], "1118 handler");
  EXPECT_THAT(log.lines[2], ::testing::EndsWith("second ends"));
}

TEST_F(GiantLockTest, ALineThatFallsWhileItWaitsHoldsNobodyBack) {
  build_two();
  Handler handler([&] {
    log("handler");
    return true;
  });
  second->processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    call(p, 1000);
    log("first ends");
    call(p, 1000);
    log("second ends");
  });
  at(500 * kNs, [&] { second->processor.set_line(1, true); });
  at(900 * kNs, [&] { second->processor.set_line(1, false); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1074 first ends", "2104 second ends"));
  EXPECT_FALSE(second->processor.wants_giant());
}

TEST_F(GiantLockTest, AnInterruptComesBetweenSoftirqsNotIntoThem) {
  build_two();
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
  EXPECT_THAT(log.lines, ElementsAre("1347 first softirq ends", "1391 other handler", "1394 second softirq"));
}

TEST_F(GiantLockTest, NoTwoAreInsideAndNothingIsLostWhateverComes) {
  params.softirq_restarts.value = 2;
  build_two();
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
      while (cpu->processor.engaged(1) || second->processor.engaged(1)) sc_core::wait(from_ps(100 * kNs));
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
