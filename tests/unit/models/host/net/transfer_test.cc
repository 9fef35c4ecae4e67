// SPDX-License-Identifier: Apache-2.0
// A stream from one host to the other through everything.
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host {
namespace {

struct TransferTest : testing::NetTest {
  void finish(Transfer& plan, std::uint64_t total, std::uint64_t limit_ps) {
    run_until(limit_ps);
    EXPECT_TRUE(plan.sender_done);
    EXPECT_TRUE(plan.receiver_done);
    EXPECT_EQ(plan.sent, total);
    EXPECT_EQ(plan.received, total);
    EXPECT_FALSE(plan.mismatch.has_value()) << *plan.mismatch;
    expect_no_leak();
  }
};

TEST_F(TransferTest, EveryByteArrivesOnceAndInOrder) {
  build();
  Transfer plan;
  transfer(plan, 1'000'000, 10'000, 8192);
  finish(plan, 1'000'000, 3000 * kMs);
  EXPECT_EQ(a->stack.retransmits.value(), 0U);
  EXPECT_EQ(b->stack.drop_socket_memory.value(), 0U);
}

}  // namespace
}  // namespace longhaul::host
