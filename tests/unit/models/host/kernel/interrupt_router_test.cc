// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/interrupt_router.h"

#include <gmock/gmock.h>

#include "models/host/kernel/irq_daemon.h"
#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host {
namespace {

using ::testing::ElementsAre;

using testing::Cpu;
using testing::Handler;

/// Two processors; lines 1 to 3 have a device each, whose interrupt its handler clears.
struct InterruptRouterTest : testing::KernelTest {
  std::unique_ptr<Cpu> other;
  RouterParams router_params;
  std::unique_ptr<InterruptRouter> router;
  std::vector<std::unique_ptr<Handler>> devices;
  std::uint64_t handler_cycles = 0;

  void build_router() {
    build();
    other = std::make_unique<Cpu>("other", params);
    router = std::make_unique<InterruptRouter>(
        "router", std::vector<Processor*>{&cpu->processor, &other->processor}, router_params);
    for (std::uint32_t line = 1; line <= 3; ++line) {
      devices.push_back(std::make_unique<Handler>([this, line] {
        Processor& here = *Processor::current();
        log(std::to_string(line) + " on " + here.basename());
        here.execute(handler_cycles);
        router->intx(line, false);
        return true;
      }));
      router->add_handler(line, *devices.back());
    }
  }
  /// The line rises every `period_ps` from the first on.
  void device(std::uint32_t line, std::uint64_t period_ps) {
    sc_core::sc_spawn([this, line, period_ps] {
      for (;;) {
        sc_core::wait(from_ps(period_ps));
        router->intx(line, true);
      }
    });
  }
  std::uint64_t taken(const Cpu& by) const { return by.core.interrupts.value(); }
};

TEST_F(InterruptRouterTest, EverythingGoesToTheFirstProcessorUntilItIsPutElsewhere) {
  build_router();
  router->set_affinity(2, 1);
  at(1 * kUs, [&] {
    router->intx(1, true);
    router->msi(0xfee00000, 3);
    router->intx(2, true);
    router->msi(0xfee00000, 40);
    router->intx(40, true);
  });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1000 1 on cpu", "1000 2 on other", "1150 3 on cpu"));
}

TEST_F(InterruptRouterTest, ALineThatIsAssertedMovesAtOnceUnlessItIsBeingServed) {
  handler_cycles = 1000;
  build_router();
  program("p", [](testing::Program& p) { p.work(5000); });
  at(1 * kUs, [&] {
    router->intx(1, true);  // waits for the process's chunk
    router->set_affinity(1, 1);
  });
  at(1500 * kNs, [&] { router->set_affinity(1, 0); });  // it is at work on the other
  at(2500 * kNs, [&] { router->intx(1, true); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1000 1 on other", "5044 1 on cpu"));
}

TEST_F(InterruptRouterTest, AMessageThatWaitsKeepsItsVectorWhereItIs) {
  build_router();
  program("p", [](testing::Program& p) { p.work(5000); });
  at(1 * kUs, [&] {
    router->msi(0, 1);
    router->set_affinity(1, 1);
    router->msi(0, 1);
  });
  at(7 * kUs, [&] { router->msi(0, 1); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("5044 1 on cpu", "7000 1 on other"));
}

TEST_F(InterruptRouterTest, IrqbalanceGivesTheLighterVectorAway) {
  router_params.irqbalance.value = true;
  router_params.balance_interval.value = {50, sc_core::SC_MS};
  build_router();
  device(1, 50 * kUs);
  device(2, 100 * kUs);
  run_until(50 * kMs + 1);
  EXPECT_EQ(router->affinity(1), 0U);
  EXPECT_EQ(router->affinity(2), 1U);
  EXPECT_EQ(router->moves.value(), 1U);
  const std::uint64_t first = taken(*cpu);
  run_until(80 * kMs);
  EXPECT_NEAR(static_cast<double>(taken(*cpu) - first), 600, 2);
  EXPECT_NEAR(static_cast<double>(taken(*other)), 300, 2);
}

TEST_F(InterruptRouterTest, IrqbalanceTakesASingleHeavyVectorRound) {
  router_params.irqbalance.value = true;
  router_params.balance_interval.value = {50, sc_core::SC_MS};
  build_router();
  device(1, 50 * kUs);
  std::vector<std::uint32_t> where;
  for (int i = 0; i < 4; ++i) {
    run_until((i * 50 + 25) * kMs);
    where.push_back(router->affinity(1));
  }
  EXPECT_THAT(where, ElementsAre(0, 1, 0, 1));
}

TEST_F(InterruptRouterTest, IrqbalanceLeavesTriflesAlone) {
  router_params.irqbalance.value = true;
  router_params.balance_interval.value = {50, sc_core::SC_MS};
  build_router();
  device(1, 700 * kUs);  // 71 in 50 ms, half of which is less than one a tick
  run_until(500 * kMs);
  EXPECT_EQ(router->moves.value(), 0U);
  EXPECT_EQ(taken(*other), 0U);
}

TEST_F(InterruptRouterTest, InTurnEachInterruptGoesToTheNextProcessor) {
  router_params.in_turn.value = true;
  build_router();
  for (std::uint64_t us = 1; us <= 3; ++us) at(us * kUs, [&] { router->intx(1, true); });
  at(4 * kUs, [&] { router->msi(0, 2); });
  run_until(10 * kUs);
  EXPECT_THAT(log.lines, ElementsAre("1000 1 on other", "2000 1 on cpu", "3000 1 on other",
                                     "4000 2 on other"));
  EXPECT_EQ(router->turns.value(), 4U);
  EXPECT_EQ(router->interrupts(1), 3U);
}

TEST_F(InterruptRouterTest, InTurnAnInterruptDoesNotLeaveAHandlerThatIsAtWork) {
  handler_cycles = 5000;
  router_params.in_turn.value = true;
  build_router();
  at(1 * kUs, [&] { router->intx(1, true); });
  at(2 * kUs, [&] { router->intx(1, true); });
  run_until(20 * kUs);
  for (const std::string& line : log.lines) EXPECT_THAT(line, ::testing::HasSubstr("other"));
}

/// The same with the program irqbalance, which looks every 50 ms. Ticks of 1 ms are 50 interrupts.
struct IrqDaemonTest : InterruptRouterTest {
  std::unique_ptr<IrqDaemon> daemon;
  void build_daemon(std::uint32_t penalty) {
    router_params.daemon_interval.value = {50, sc_core::SC_MS};
    router_params.daemon_penalty.value = penalty;
    build_router();
    daemon = std::make_unique<IrqDaemon>("irqbalance", *router, 2,
                                         sc_core::sc_time(1, sc_core::SC_MS), router_params);
  }
};

TEST_F(IrqDaemonTest, TheTickSendsASingleVectorToTheOtherProcessorForGood) {
  build_daemon(10);
  device(1, 50 * kUs);
  std::vector<std::uint32_t> where;
  for (int i = 0; i < 4; ++i) {
    run_until((i * 50 + 25) * kMs);
    where.push_back(router->affinity(1));
  }
  EXPECT_THAT(where, ElementsAre(0, 1, 1, 1));
  EXPECT_EQ(router->moves.value(), 1U);
}

TEST_F(IrqDaemonTest, TheHeaviestVectorIsPlacedFirst) {
  build_daemon(0);
  device(1, 500 * kUs);  // 100
  device(2, 100 * kUs);  // 500
  device(3, 125 * kUs);  // 400
  run_until(60 * kMs);
  // 500 go to the processor without the tick, 400 to the one with it, 100 to the lighter one.
  EXPECT_EQ(router->affinity(2), 1U);
  EXPECT_EQ(router->affinity(3), 0U);
  EXPECT_EQ(router->affinity(1), 0U);
}

TEST_F(IrqDaemonTest, AGainBelowThePenaltyMovesNothing) {
  build_daemon(60);
  device(1, 50 * kUs);
  run_until(260 * kMs);
  EXPECT_EQ(router->moves.value(), 0U);
  EXPECT_EQ(router->affinity(1), 0U);
}

}  // namespace
}  // namespace longhaul::host
