// SPDX-License-Identifier: Apache-2.0
// Turns, quotas, budget and time of the receive softirq, with devices that are functions.
#include "models/host/drivers/net_rx.h"

#include <gmock/gmock.h>

#include <deque>

#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host {
namespace {

using ::testing::ElementsAre;

/// Has so many frames, each of which takes its time.
struct Fake final : PolledDevice {
  Fake(Processor& on, testing::Log& into, std::string called, std::uint32_t frames,
       std::uint64_t cycles_each = 1)
      : processor(on), log(into), name(std::move(called)), left(frames), cycles(cycles_each) {}
  Polled poll(std::uint32_t most) override {
    const std::uint32_t taken = std::min(most, left);
    left -= taken;
    turns.push_back(name + std::to_string(taken));
    if (during) during();
    processor.execute(taken * cycles);
    processor.pay();
    return {taken, left != 0};
  }
  Processor& processor;
  testing::Log& log;
  const std::string name;
  std::uint32_t left;
  const std::uint64_t cycles;
  std::function<void()> during;
  std::vector<std::string> turns;
};

struct NetRxTest : testing::KernelTest {
  NetParams net;
  std::unique_ptr<NetRx> rx;
  std::vector<std::string> turns;  // of all devices

  void make() { rx = std::make_unique<NetRx>(build(), net, kMs); }
  void poll_from_interrupt(std::initializer_list<Fake*> devices) {
    handler = std::make_unique<testing::Handler>([this, list = std::vector<Fake*>(devices)] {
      cpu->processor.set_line(5, false);
      for (Fake* device : list) {
        device->during = [this, device] { turns.push_back(device->turns.back()); };
        rx->schedule(*device);
      }
      return true;
    });
    cpu->processor.add_handler(5, *handler);
    at(10 * kUs, [this] { cpu->processor.set_line(5, true); });
  }
  std::unique_ptr<testing::Handler> handler;
};

TEST_F(NetRxTest, DevicesTakeTurnsByTheirWeight) {
  net.napi_weight.value = 8;
  make();
  Fake a(cpu->processor, log, "a", 20);
  Fake b(cpu->processor, log, "b", 10);
  poll_from_interrupt({&a, &b});
  run_until(5 * kMs);
  EXPECT_THAT(turns, ElementsAre("a8", "b8", "a8", "b2", "a4"));
}

TEST_F(NetRxTest, ABudgetThatIsUsedUpEndsTheRunAndTheRestComesInTheNext) {
  net.napi_weight.value = 8;
  net.napi_budget.value = 12;
  make();
  Fake a(cpu->processor, log, "a", 20);
  poll_from_interrupt({&a});
  run_until(5 * kMs);
  // 8 of a quota and 4 of the budget; the quota goes on where it was.
  EXPECT_THAT(turns, ElementsAre("a8", "a4", "a4", "a4"));
  EXPECT_EQ(cpu->processor.softirq_runs.value(), 2U);
}

TEST_F(NetRxTest, ARunEndsWhenTheClockHasAdvancedTwice) {
  net.napi_weight.value = 8;
  make();
  Fake a(cpu->processor, log, "a", 40, 100'000);  // 0.8 ms a turn, ticks of 1 ms
  poll_from_interrupt({&a});
  run_until(20 * kMs);
  EXPECT_THAT(turns, ElementsAre("a8", "a8", "a8", "a8", "a8"));
  EXPECT_EQ(cpu->processor.softirq_runs.value(), 2U);
}

TEST_F(NetRxTest, ADeviceThatInterruptsWhileItIsPolledIsListedOnce) {
  make();
  Fake a(cpu->processor, log, "a", 3);
  poll_from_interrupt({&a});
  run_until(9 * kUs);
  std::uint32_t again = 1;
  const auto look = [&] {
    turns.push_back(a.turns.back());
    if (again == 0) return;
    --again;
    a.left = 2;  // these came after it had looked
    rx->schedule(a);
    rx->schedule(a);
  };
  handler->body = [&] {
    cpu->processor.set_line(5, false);
    a.during = look;
    rx->schedule(a);
    return true;
  };
  run_until(5 * kMs);
  EXPECT_THAT(turns, ElementsAre("a3", "a2"));
}

}  // namespace
}  // namespace longhaul::host
