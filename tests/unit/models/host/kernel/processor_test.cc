// SPDX-License-Identifier: Apache-2.0
// Interrupts and softirqs on one processor, to the picosecond. A process begins 44 ns late:
// scheduled in 4 and switched to in 40.
#include "models/host/kernel/processor.h"

#include <gmock/gmock.h>

#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using cpu::WorkKind;
using ::testing::ElementsAre;

using ProcessorTest = testing::KernelTest;
using testing::Handler;
using testing::Program;
using testing::Soft;

TEST_F(ProcessorTest, AnInterruptComesInAtTheEndOfTheChunkThatIsPaid) {
  Processor& processor = build();
  Handler handler([&] {
    log("interrupt");
    processor.set_line(5, false);
    processor.execute(30);
    return true;
  });
  processor.add_handler(5, handler);
  program("p", [&](Program& p) {
    p.work(1000);
    log("first");
    p.work(1000);
    log("second");
  });
  at(500 * kNs, [&] { processor.set_line(5, true); });
  run_until(10 * kUs);
  // The handler: 100 for the entry, 50 to get there, 30 of its own.
  EXPECT_THAT(log.lines, ElementsAre("1044 interrupt", "1224 first", "2224 second"));
  EXPECT_EQ(cpu->spent(CoreState::kHardirq), 180 * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kUser), 2000 * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kSystem), 44 * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kIdle), (10'000 - 2224) * kNs);
  EXPECT_EQ(cpu->core.interrupts.value(), 1U);
}

TEST_F(ProcessorTest, NothingOwedTakesNoTimeAndCountsAreNotLost) {
  Processor& processor = build();
  program("p", [&](Program& p) {
    p.work(1);
    const std::uint64_t before = now_ps();
    processor.pay();
    processor.charge(WorkKind::kPacketRx);
    processor.pay();
    EXPECT_EQ(now_ps(), before);
    p.work(1);
  });
  run_until(kUs);
  EXPECT_EQ(cpu->core.packets_received.value(), 1U);
}

TEST_F(ProcessorTest, ASoftirqRunsOnTheWayOutAndIsItselfInterrupted) {
  Processor& processor = build();
  Soft softirq([&] {
    log("softirq begins");
    processor.execute(500);
    processor.pay();
    log("softirq ends");
    return false;
  });
  Handler first([&] {
    log("first");
    processor.raise(softirq);
    return true;
  });
  Handler second([&] {
    log("second");
    return true;
  });
  processor.add_handler(1, first);
  processor.add_handler(2, second);
  program("p", [&](Program& p) {
    p.work(956);
    log("process");
  });
  at(500 * kNs, [&] { processor.message(1); });
  at(1200 * kNs, [&] { processor.message(2); });
  run_until(10 * kUs);
  // 1000 + 150 hardirq; 3 + 500 softirq, in which the second message waits for the end of the
  // chunk; 150 for that.
  EXPECT_THAT(log.lines, ElementsAre("1000 first", "1150 softirq begins", "1653 second",
                                     "1803 softirq ends", "1803 process"));
  EXPECT_EQ(cpu->spent(CoreState::kSoftirq), 503 * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kHardirq), 300 * kNs);
}

TEST_F(ProcessorTest, ASoftirqRaisedWhileItRunsRunsOnceMore) {
  Processor& processor = build();
  int runs = 0;
  Soft softirq([&] {
    ++runs;
    processor.execute(500);
    processor.pay();
    return false;
  });
  Handler handler([&] {
    processor.raise(softirq);
    processor.raise(softirq);
    return true;
  });
  processor.add_handler(1, handler);
  at(500 * kNs, [&] { processor.message(1); });
  at(800 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(processor.softirq_runs.value(), 2U);
  EXPECT_EQ(cpu->spent(CoreState::kSoftirq), 2 * 503 * kNs);
}

TEST_F(ProcessorTest, SoftirqsOffDelaysThemButNotInterrupts) {
  Processor& processor = build();
  Soft softirq([&] {
    log("softirq");
    return false;
  });
  Handler handler([&] {
    log("interrupt");
    processor.raise(softirq);
    return true;
  });
  processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    {
      const Processor::SoftirqsOff off(processor);
      const Processor::SoftirqsOff nested(processor);
      p.work(1000);
      p.work(1000);
      processor.execute(100);  // owed still when they come on again
      log("on");
    }
    log("process");
  });
  at(500 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1074 interrupt", "2224 on", "2324 softirq", "2327 process"));
}

TEST_F(ProcessorTest, HandlersOfALineAreAskedUntilOneClaimsAndAgainWhileItIsAsserted) {
  Processor& processor = build();
  int causes = 2;
  Handler absent([&] {
    log("absent");
    return false;
  });
  Handler cause([&] {
    log("cause");
    if (--causes == 0) processor.set_line(3, false);
    return true;
  });
  Handler last([&] {
    log("last");
    return true;
  });
  processor.add_handler(3, absent);
  processor.add_handler(3, cause);
  processor.add_handler(3, last);
  at(1000 * kNs, [&] { processor.set_line(3, true); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1000 absent", "1000 cause", "1150 absent", "1150 cause"));
}

TEST_F(ProcessorTest, ALineThatNobodyCaresForIsMaskedAndTheProcessorGoesOn) {
  Processor& processor = build();
  int asked = 0;
  Handler absent([&] {
    ++asked;
    return false;
  });
  Handler other([&] {
    log("other");
    return true;
  });
  processor.add_handler(3, absent);
  processor.add_handler(4, other);
  at(1000 * kNs, [&] { processor.set_line(3, true); });
  at(5000 * kNs, [&] { processor.message(4); });
  run_until(10 * kUs);
  EXPECT_EQ(asked, 10);
  EXPECT_EQ(processor.masked_lines(), 1U << 3);
  EXPECT_EQ(processor.nobody_cared.value(), 1U);
  EXPECT_EQ(cpu->spent(CoreState::kHardirq), 11 * 150 * kNs);
  EXPECT_THAT(log.lines, ElementsAre("5000 other"));
}

TEST_F(ProcessorTest, ALineThatFallsOrIsClaimedInBetweenIsNotMasked) {
  Processor& processor = build();
  int asked = 0;
  Handler handler([&] {
    ++asked;
    if (asked == 9 || asked == 28) processor.set_line(3, false);
    return asked == 18;
  });
  processor.add_handler(3, handler);
  at(1000 * kNs, [&] { processor.set_line(3, true); });
  at(5000 * kNs, [&] { processor.set_line(3, true); });
  run_until(20 * kUs);
  // Nine in a row; eight and a claim; then ten, of which the last finds it low.
  EXPECT_EQ(asked, 28);
  EXPECT_EQ(processor.masked_lines(), 0U);
}

TEST_F(ProcessorTest, AMessageIsTakenOnceAndOneThatNobodyHandlesIsLost) {
  Processor& processor = build();
  int taken = 0;
  Handler handler([&] {
    ++taken;
    return true;
  });
  processor.add_handler(1, handler);
  at(1000 * kNs, [&] {
    processor.message(1);
    processor.message(1);
    processor.message(2);
    processor.message(77);
  });
  run_until(10 * kUs);
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(cpu->core.interrupts.value(), 1U);
}

TEST_F(ProcessorTest, RegistersAreReadAfterWhatIsOwedAndStallTheCore) {
  Processor& processor = build();
  program("p", [&](Program&) {
    processor.execute(1000);
    processor.read(0x1000);
    log("read");
    processor.execute(10);
    processor.write(0x1000, 1);
    log("written");
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1389 read", "1399 written"));
  EXPECT_EQ(cpu->spent(CoreState::kMmioStall), 345 * kNs);
}

TEST_F(ProcessorTest, ACopyCostsItsBytes) {
  Processor& processor = build();
  program("p", [&](Program& p) {
    processor.copy(0x1000, 0x2000, 640);
    processor.pay();
    log("copied");
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("364 copied"));
  EXPECT_EQ(cpu->core.bytes_copied.value(), 640U);
}

TEST_F(ProcessorTest, SoftirqsTakeTurnsAndTheRestIsLeftToTheKernelThread) {
  params.softirq_restarts.value = 2;
  Processor& processor = build();
  int left = 5;
  Soft often([&] {
    log("often");
    return --left > 0;
  });
  Soft once([&] {
    log("once");
    return false;
  });
  Handler handler([&] {
    processor.raise(often);
    processor.raise(once);
    return true;
  });
  processor.add_handler(1, handler);
  program("p", [&](Program& p) {
    p.work(956);
    log("process");
  });
  at(500 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  // Two rounds, 3 each turn; 7 to wake the thread; which begins in 44.
  EXPECT_THAT(log.lines, ElementsAre("1150 often", "1153 once", "1156 often", "1166 process",
                                     "1166 often", "1213 often", "1216 often"));
  EXPECT_EQ(processor.ksoftirqd_wakeups.value(), 1U);
  EXPECT_EQ(cpu->spent(CoreState::kSoftirq), (6 * 3 + 7) * kNs);
}

TEST_F(ProcessorTest, AnInterruptRunsWhatIsLeftToABusyProcessorsKernelThread) {
  params.softirq_restarts.value = 1;
  params.slice.value = {1, sc_core::SC_MS};
  Processor& processor = build();
  int left = 3;
  Soft softirq([&] {
    log("softirq");
    return --left > 0;
  });
  Handler handler([&] {
    processor.raise(softirq);
    return true;
  });
  Handler other([] { return true; });
  processor.add_handler(1, handler);
  processor.add_handler(2, other);
  program("p", [&](Program& p) {
    for (;;) p.work(1000);
  });
  at(500 * kNs, [&] { processor.message(1); });
  at(1500 * kNs, [&] { processor.message(2); });
  run_until(10 * kUs);
  // Not at each payment of the process: at the next interrupt's end.
  EXPECT_THAT(log.lines, ElementsAre("1194 softirq", "2354 softirq"));
}

TEST_F(ProcessorTest, WhatIsLeftToTheKernelThreadOnItsWayToSleepKeepsItAwake) {
  params.softirq_restarts.value = 1;
  Processor& processor = build();
  Soft softirq([&] {
    log("softirq");
    return log.lines.size() % 2 == 1;  // every other time something is left
  });
  Handler first([&] {
    processor.raise(softirq);
    return true;
  });
  Handler second([] { return true; });
  processor.add_handler(1, first);
  processor.add_handler(2, second);
  at(1000 * kNs, [&] { processor.message(1); });
  at(1155 * kNs,
     [&] { processor.message(2); });  // while the thread is woken: runs what it was woken for
  at(1330 * kNs, [&] { processor.message(1); });  // while it is switched to, and has nothing to do
  run_until(10 * kUs);
  // The switch is paid from 1313 to 1357.
  EXPECT_THAT(log.lines,
              ElementsAre("1150 softirq", "1310 softirq", "1507 softirq", "1510 softirq"));
  EXPECT_EQ(processor.ksoftirqd_wakeups.value(), 1U);
}

TEST_F(ProcessorTest, AHandlersOwnPaymentsAreHardirqTimeAndTakeNoOtherInterrupt) {
  Processor& processor = build();
  Handler slow([&] {
    processor.execute(1000);
    processor.pay();
    EXPECT_TRUE(processor.in_hardirq());
    EXPECT_EQ(processor.read(0x1000), 0U);
    log("slow");
    return true;
  });
  Handler second([&] {
    log("second");
    return true;
  });
  processor.add_handler(1, slow);
  processor.add_handler(2, second);
  program("p", [&](Program& p) {
    p.work(956);
    log("process");
    p.work(1);
  });
  at(999 * kNs, [&] { processor.message(1); });
  at(1500 * kNs, [&] { processor.message(2); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("2495 slow", "2495 second", "2645 process"));
  EXPECT_EQ(cpu->spent(CoreState::kHardirq), 1300 * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kMmioStall), 345 * kNs);
}

TEST_F(ProcessorTest, ASoftirqThatNeverEndsLeavesProcessesTheirShare) {
  params.ksoftirqd_slice.value = {200, sc_core::SC_US};
  params.slice.value = {1000, sc_core::SC_US};
  Processor& processor = build();
  std::uint64_t turns = 0;
  Soft endless([&] {
    ++turns;
    processor.execute(997);
    return true;
  });
  program("p", [&](Program& p) {
    {
      const Program::Syscall call(p);
      processor.raise(endless);
    }
    for (;;) p.work(1000);
  });
  run_until(12'100 * kUs);
  // Ten turns at once, then ksoftirqd and the process in turn, 200 us and 1 ms of each 1.2 ms.
  EXPECT_EQ(processor.ksoftirqd_wakeups.value(), 1U);
  EXPECT_NEAR(static_cast<double>(cpu->spent(CoreState::kUser)) / (10'000.0 * kUs), 1.0, 0.02);
  EXPECT_NEAR(static_cast<double>(cpu->spent(CoreState::kSoftirq)) / (2'000.0 * kUs), 1.0, 0.1);
  EXPECT_EQ(turns, processor.softirq_runs.value());
}

}  // namespace
}  // namespace longhaul::host
