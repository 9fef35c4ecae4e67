// SPDX-License-Identifier: Apache-2.0
// How much the softirq behind hard interrupts takes in a run; what a full queue loses is in
// stack_test.
#include "models/host/net/input_queue.h"

#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

struct InputQueueTest : testing::NetTest {
  /// Receives 200 kB without NAPI and returns how many runs of softirqs the receiver took for it.
  std::uint64_t runs(std::uint32_t budget) {
    params.device.napi = false;
    params.net.napi_weight.value = 1;  // of devices that are polled: not this queue's business
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
    EXPECT_GT(b->stack.input_backlog.highest(), 4U);
    expect_no_leak();
    return b->processor().softirq_runs.value();
  }
  static constexpr std::uint64_t kSegments = 200'000 / 1448;
};

TEST_F(InputQueueTest, WithABudgetOfOneEveryPacketIsARun) { EXPECT_GT(runs(1), kSegments); }

TEST_F(InputQueueTest, ARunTakesWhatIsThereUpToTheBudget) {
  EXPECT_LT(runs(300), kSegments * 2 / 3);
}

}  // namespace
}  // namespace longhaul::host
