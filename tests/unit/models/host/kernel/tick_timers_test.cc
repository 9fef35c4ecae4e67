// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/tick_timers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using ::testing::ElementsAre;

using testing::Timer;

struct TickTimersTest : testing::KernelTest {
  std::unique_ptr<TickTimers> timers;

  TickTimers& build_timers() {
    Processor& processor = build();
    timers = std::make_unique<TickTimers>("timers", std::vector<Processor*>{&processor});
    return *timers;
  }
  std::unique_ptr<Timer> logs(const char* name) {
    return std::make_unique<Timer>([this, name] {
      EXPECT_TRUE(cpu->processor.in_softirq());
      log(name);
    });
  }
};

TEST_F(TickTimersTest, TheTickCostsAnIdleProcessorToo) {
  build_timers();
  run_until(10 * kMs + 500 * kUs);
  EXPECT_EQ(timers->ticks.value(), 10U);
  EXPECT_EQ(cpu->spent(CoreState::kHardirq), 10 * 1100 * kNs);
  EXPECT_EQ(cpu->spent(CoreState::kSoftirq), 0U);
}

TEST_F(TickTimersTest, ATimerIsCalledInASoftirqAtTheFirstTickAtOrAfterItsTime) {
  build_timers();
  const auto exact = logs("exact");
  const auto after = logs("after");
  const auto past = logs("past");
  timers->set(*exact, 2 * kMs);
  timers->set(*after, 2 * kMs + 1);
  timers->set(*past, 0);
  run_until(5 * kMs);
  EXPECT_THAT(log.lines, ElementsAre("1001100 past", "2001100 exact", "3001100 after"));
  EXPECT_EQ(timers->expiries.value(), 3U);
}

TEST_F(TickTimersTest, EarlierOnesComeFirstAndEqualOnesInTheOrderInWhichTheyWereSet) {
  build_timers();
  const auto a = logs("a");
  const auto b = logs("b");
  const auto c = logs("c");
  timers->set(*a, 500 * kUs);
  timers->set(*b, 400 * kUs);
  timers->set(*c, 500 * kUs);
  timers->set(*a, 500 * kUs);
  run_until(2 * kMs);
  // The first softirq is owed its 3 ns when it begins; they are paid after the first timer.
  EXPECT_THAT(log.lines, ElementsAre("1001100 b", "1001103 c", "1001103 a"));
}

TEST_F(TickTimersTest, ASecondWishReplacesTheFirstAndACancelledOneIsForgotten) {
  build_timers();
  const auto moved = logs("moved");
  const auto cancelled = logs("cancelled");
  auto destroyed = logs("destroyed");
  timers->set(*moved, 1 * kMs);
  timers->set(*cancelled, 1 * kMs);
  timers->set(*destroyed, 1 * kMs);
  timers->set(*moved, 3 * kMs);
  timers->cancel(*cancelled);
  timers->cancel(*cancelled);
  EXPECT_TRUE(moved->pending());
  EXPECT_FALSE(cancelled->pending());
  destroyed.reset();
  run_until(5 * kMs);
  EXPECT_THAT(log.lines, ElementsAre("3001100 moved"));
  EXPECT_FALSE(moved->pending());
}

TEST_F(TickTimersTest, ATimerThatSetsItselfIsDueAtTheNextTickAtTheEarliest) {
  build_timers();
  int left = 3;
  Timer again([&] {
    log("again");
    if (--left > 0) timers->set(again, 0);
  });
  timers->set(again, 0);
  run_until(10 * kMs);
  EXPECT_THAT(log.lines, ElementsAre("1001100 again", "2001100 again", "3001100 again"));
}

TEST_F(TickTimersTest, TicksDuringOneChunkAreOneInterruptWhichSeesAllThatIsDue) {
  build_timers();
  program("p", [&](testing::Program& p) {
    const auto first = logs("first");
    const auto second = logs("second");
    const auto third = logs("third");
    timers->set(*first, 1 * kMs);
    timers->set(*second, 3 * kMs);
    timers->set(*third, 3200 * kUs);
    p.work(3'499'956);
    log("paid");
    p.work(1'000'000);
  });
  run_until(5 * kMs);
  EXPECT_THAT(log.lines,
              ElementsAre("3501100 first", "3501103 second", "3501103 paid", "4502203 third"));
  EXPECT_EQ(timers->ticks.value(), 2U + 0U);
}

TEST_F(TickTimersTest, ThousandsSetMovedAndCancelledExpireInOrder) {
  build_timers();
  std::mt19937 random(7);
  std::vector<std::uint64_t> due;
  std::vector<std::unique_ptr<Timer>> many;
  std::vector<std::uint64_t> wishes(5000, 0);
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    many.push_back(std::make_unique<Timer>([&due, &wishes, i] {
      EXPECT_GE(now_ps(), wishes[i]);
      EXPECT_LT(now_ps(), wishes[i] + kMs + 100 * kUs);
      due.push_back(wishes[i]);
    }));
  }
  std::size_t expected = 0;
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t i = random() % wishes.size();
    if (random() % 3 == 0) {
      timers->cancel(*many[i]);
    } else {
      wishes[i] = 1 + random() % (50 * kMs);
      timers->set(*many[i], wishes[i]);
    }
  }
  for (const auto& timer : many) expected += timer->pending() ? 1 : 0;
  run_until(52 * kMs);
  EXPECT_EQ(due.size(), expected);
  EXPECT_TRUE(std::is_sorted(due.begin(), due.end()));
}

}  // namespace
}  // namespace longhaul::host
