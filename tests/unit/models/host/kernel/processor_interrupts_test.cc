// SPDX-License-Identifier: Apache-2.0
// Which interrupt is taken when, what of a line or a message is left, and in which turns softirqs
// follow. An interrupt takes 150 ns, a turn of a softirq 3: both from when its code says so on.
#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using ::testing::ElementsAre;
using testing::Handler;
using testing::Program;
using testing::Soft;

struct InterruptsTest : testing::KernelTest {
  std::vector<std::unique_ptr<Handler>> handlers;
  Soft softirq{[this] {
    log("softirq");
    return false;
  }};
  int asked = 0;
  Handler absent{[this] {
    ++asked;
    return false;
  }};

  /// A handler that says its name, does `body`, and claims the interrupt.
  void handle(
      std::uint32_t vector, const std::string& name, std::function<void()> body = [] {}) {
    handlers.push_back(std::make_unique<Handler>([this, name, body] {
      log(name);
      body();
      return true;
    }));
    cpu->processor.add_handler(vector, *handlers.back());
  }
  std::uint64_t hardirq_ns() const { return cpu->spent(CoreState::kHardirq) / kNs; }
};

TEST_F(InterruptsTest, ALineWaitsForItsHandlerAMessageDoesNot) {
  Processor& processor = build();
  at(100 * kNs, [&] {
    processor.set_line(1, true);
    processor.message(2);
  });
  at(2000 * kNs, [&] {
    handle(1, "line", [&] { processor.set_line(1, false); });
    handle(2, "message");
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("2000 line"));
}

TEST_F(InterruptsTest, OfThoseThatArePendingTheLowestVectorComesFirst) {
  Processor& processor = build();
  handle(31, "31");
  handle(0, "0");
  handle(7, "7");
  at(100 * kNs, [&] {
    for (const std::uint32_t vector : {7U, 31U, 0U}) processor.message(vector);
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 0", "250 7", "400 31"));
}

TEST_F(InterruptsTest, OneThatAnotherHandlerHasClearedIsNotTaken) {
  Processor& processor = build();
  handle(1, "first", [&] {
    processor.set_line(1, false);
    processor.set_line(2, false);
  });
  handle(2, "second");
  at(100 * kNs, [&] {
    processor.set_line(1, true);
    processor.set_line(2, true);
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 first"));
  EXPECT_EQ(hardirq_ns(), 150U);
}

TEST_F(InterruptsTest, ALineThatDoesNotFallStarvesNeitherOtherLinesNorSoftirqs) {
  Processor& processor = build();
  Soft clearing([&] {
    log("softirq");
    processor.set_line(1, false);
    return false;
  });
  handle(1, "line", [&] { processor.raise(clearing); });
  handle(2, "other");
  at(100 * kNs, [&] {
    processor.set_line(1, true);
    processor.message(2);
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 line", "250 other", "400 softirq"));
}

TEST_F(InterruptsTest, AMessageThatComesWhileItIsHandledIsTakenAgain) {
  Processor& processor = build();
  int left = 2;
  handle(1, "message", [&] {
    if (--left > 0) processor.message(1);
  });
  at(100 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 message", "250 message"));
}

TEST_F(InterruptsTest, OnlyLinesAreGivenUp) {
  params.unclaimed_limit.value = 3;
  Processor& processor = build();
  processor.add_handler(1, absent);
  for (std::uint64_t i = 1; i <= 8; ++i) {
    at(i * kUs, [&] { processor.message(1); });
  }
  run_until(20 * kUs);
  EXPECT_EQ(asked, 8);
  EXPECT_EQ(processor.masked_lines(), 0U);
}

TEST_F(InterruptsTest, AMaskedLineStaysSoAndItsMessagesStillCome) {
  params.unclaimed_limit.value = 3;
  Processor& processor = build();
  processor.add_handler(1, absent);
  at(kUs, [&] { processor.set_line(1, true); });
  at(5 * kUs, [&] {
    EXPECT_EQ(asked, 3);
    processor.set_line(1, false);
    processor.set_line(1, true);
  });
  at(8 * kUs, [&] {
    EXPECT_EQ(asked, 3);
    processor.message(1);
  });
  run_until(20 * kUs);
  EXPECT_EQ(asked, 4);
  EXPECT_EQ(processor.masked_lines(), 1U << 1);
  EXPECT_EQ(processor.nobody_cared.value(), 1U);
}

TEST_F(InterruptsTest, VectorsThatDoNotExistAreNoOnes) {
  Processor& processor = build();
  Handler timer([&] {
    log("timer");
    return true;
  });
  processor.set_timer_handler(timer);
  handle(31, "31");
  handle(0, "0");
  at(100 * kNs, [&] {
    for (const std::uint32_t vector : {32U, 33U, 63U, 64U}) {
      processor.set_line(vector, true);
      processor.message(vector);
      processor.set_line(vector, false);
      EXPECT_FALSE(processor.engaged(vector));
    }
  });
  at(kUs, [&] { processor.timer_interrupt(); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1000 timer"));
  Handler none([] { return true; });
  EXPECT_THROW(processor.add_handler(32, none), std::out_of_range);
}

TEST_F(InterruptsTest, AVectorIsEngagedFromItsMessageToTheEndOfItsHandler) {
  Processor& processor = build();
  handle(1, "handler", [&] {
    EXPECT_TRUE(processor.engaged(1));
    EXPECT_FALSE(processor.engaged(2));
    processor.execute(500);
  });
  program("p", [&](Program& p) { p.work(956); });
  at(500 * kNs, [&] {
    processor.message(1);
    EXPECT_TRUE(processor.engaged(1));
  });
  at(1649 * kNs, [&] { EXPECT_TRUE(processor.engaged(1)); });
  at(1651 * kNs, [&] { EXPECT_FALSE(processor.engaged(1)); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1000 handler"));
}

TEST_F(InterruptsTest, TheProcessorsTimerIsNotDispatchedAndComesBeforeDevices) {
  Processor& processor = build();
  Handler timer([&] {
    log("timer");
    processor.execute(20);
    return true;
  });
  processor.set_timer_handler(timer);
  handle(0, "device");
  at(100 * kNs, [&] {
    processor.message(0);
    processor.timer_interrupt();
    processor.timer_interrupt();
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 timer", "220 device"));
  EXPECT_EQ(hardirq_ns(), 100U + 20 + 150);
}

TEST_F(InterruptsTest, SoftirqsComeInTheOrderInWhichTheyWereRaised) {
  Processor& processor = build();
  Soft first([&] {
    log("first");
    return false;
  });
  Soft second([&] {
    log("second");
    return false;
  });
  handle(1, "handler", [&] {
    processor.raise(second);
    processor.raise(first);
    processor.raise(second);
  });
  at(100 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 handler", "250 second", "253 first"));
}

TEST_F(InterruptsTest, ASoftirqIsNotInterruptedByAnother) {
  Processor& processor = build();
  Soft late([&] {
    log("late");
    return false;
  });
  Soft early([&] {
    processor.raise(late);
    {
      const Processor::SoftirqsOff off(processor);
      processor.execute(500);
      processor.pay();
    }
    processor.execute(500);
    processor.pay();
    log("early ends");
    return false;
  });
  handle(1, "handler", [&] { processor.raise(early); });
  handle(2, "other");
  at(100 * kNs, [&] { processor.message(1); });
  at(400 * kNs, [&] { processor.message(2); });
  at(1000 * kNs, [&] { processor.message(2); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 handler", "753 other", "1403 other", "1553 early ends",
                                     "1553 late"));
}

TEST_F(InterruptsTest, SoftirqsStayOffUntilTheOutermostEnds) {
  Processor& processor = build();
  program("p", [&](Program& p) {
    const Program::Syscall call(p);
    const Processor::SoftirqsOff off(processor);
    processor.raise(softirq);
    {
      const Processor::SoftirqsOff nested(processor);
      p.work(100);
    }
    p.work(100);
    log("still off");
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("274 still off", "274 softirq"));
}

TEST_F(InterruptsTest, ADeviceRaisesASoftirqOnAnIdleProcessorWithoutAnInterrupt) {
  Processor& processor = build();
  at(100 * kNs, [&] { processor.raise(softirq); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 softirq"));
  EXPECT_EQ(hardirq_ns(), 0U);
  EXPECT_EQ(processor.kicks.value(), 0U);
}

TEST_F(InterruptsTest, AnotherProcessorInterruptsItForThat) {
  Processor& processor = build();
  testing::Cpu second("second", params);
  const Program other("other", second.processor, [&](Program& p) {
    p.work(56);
    processor.raise(softirq);
    processor.raise(softirq);
    p.work(100);
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("200 softirq"));
  EXPECT_EQ(hardirq_ns(), 100U);
  EXPECT_EQ(processor.kicks.value(), 1U);
  EXPECT_EQ(second.processor.kicks.value(), 0U);
}

TEST_F(InterruptsTest, ItsOwnHandlersNeedNoKick) {
  Processor& processor = build();
  handle(1, "handler", [&] { processor.raise(softirq); });
  at(100 * kNs, [&] { processor.message(1); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("100 handler", "250 softirq"));
  EXPECT_EQ(processor.kicks.value(), 0U);
}

TEST_F(InterruptsTest, ALineOnlyWakesAProcessorWhenItRises) {
  Processor& processor = build();
  Handler handler([&] {
    if (++asked == 2) processor.set_line(1, false);
    return asked == 2;
  });
  processor.add_handler(1, handler);
  at(100 * kNs, [&] { processor.set_line(1, false); });
  at(1000 * kNs, [&] { processor.set_line(1, true); });
  run_until(10 * kUs);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(hardirq_ns(), 300U);
  EXPECT_EQ(cpu->core.interrupts.value(), 2U);
}

}  // namespace
}  // namespace longhaul::host
