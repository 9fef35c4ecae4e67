// SPDX-License-Identifier: Apache-2.0
// How much the softirq behind hard interrupts takes in a run; what a full queue loses is in stack_test.
#include "models/host/net/input_queue.h"

#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

using testing::kMs;

struct InputQueueTest : testing::NetTest {
  /// Receives 200 kB without NAPI and returns how often the receiver's softirqs, left over, went to the kernel's thread.
  std::uint64_t left_over(std::uint32_t budget) {
    params.device.napi = false;
    params.kernel.softirq_restarts.value = 1;  // Linux 2.4
    params.net.napi_budget.value = budget;
    params.net.tcp_receive_cycles.value = 9000;  // slower than the wire: packets pile up
    params.net.prequeue.value = false;
    params.net.send_buffer.value = {400'000};
    build();
    Transfer plan;
    transfer(plan, 200'000, 65536, 65536);
    run_until(5000 * kMs);
    EXPECT_EQ(plan.received, 200'000U);
    EXPECT_EQ(b->stack.input_backlog.value(), 0U);
    expect_no_leak();
    return b->processor().ksoftirqd_wakeups.value();
  }
};

TEST_F(InputQueueTest, ARunOfOnePacketLeavesTheOthersToTheKernelsThread) { EXPECT_GT(left_over(1), 20U); }

TEST_F(InputQueueTest, ARunTakesAsManyAsTheBudget) { EXPECT_LT(left_over(300), 10U); }

}  // namespace
}  // namespace longhaul::host
