// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

// What DmaTestBus and the parameters make of one small frame, in ps: latency 200 ns, engine 8
// clocks of 6.4 ns, data 40, descriptor 40.
constexpr std::uint64_t kWrittenPs = 280'000 + 8 * 6400;

TEST(IxgbRxModeration, TimerRunsFromTheLastPacket) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rdtr = 5;
  b.up(settings);
  const std::uint64_t start = now_ps();
  b.receive(good_packet());
  b.run_us(3);
  b.receive(good_packet());
  const std::uint64_t due = start + 3'000'000 + kWrittenPs + 5 * 819'200;
  b.run_ps(due - 1 - now_ps());
  EXPECT_FALSE(b.nic->interrupt_moderator().level());
  b.run_ps(1);
  EXPECT_TRUE(b.nic->interrupt_moderator().level());
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
}

TEST(IxgbRxModeration, TimerMayBeToldToRunFromTheFirst) {
  IxgbFixture b(nlohmann::json{{"rx_timer_restarts", false}});
  IxgbFixture::Settings settings;
  settings.rdtr = 5;
  b.up(settings);
  const std::uint64_t start = now_ps();
  b.receive(good_packet());
  b.run_us(3);
  b.receive(good_packet());
  b.run_ps(start + kWrittenPs + 5 * 819'200 - now_ps());
  EXPECT_TRUE(b.nic->interrupt_moderator().level());
}

TEST(IxgbRxModeration, NoDelayInterruptsWithTheWriteBack) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rdtr = 0;
  b.up(settings);
  b.receive(good_packet());
  b.run_ps(kWrittenPs);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
}

TEST(IxgbRxModeration, AdaptiveDelayPollsWhileFewDescriptorsAreLeft) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rx_entries = 64;
  settings.fill_ring = false;
  b.up(settings);
  b.give_buffers(20);
  b.run_us(2);
  // Backlog below 16 descriptors; poll every 61 units; timer 10 units otherwise, gated in a
  // backlog.
  b.write(regs::kRaidc, regs::kRaidcFields.en | regs::kRaidcFields.rxt_gate |
                            regs::kRaidcFields.poll.put(61U) | regs::kRaidcFields.delay.put(10U) |
                            2);
  b.receive(good_packet());
  b.run_ps(kWrittenPs + 8'192'000);
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.rxt0, regs::kCauseFields.rxt0)
      << "19 left: the timer of 10 units";
  for (int i = 0; i < 3; ++i) {
    b.receive(good_packet());  // 18, 17, 16 left
    b.run_us(1);
  }
  const std::uint64_t polled =
      now_ps() - 1'000'000 + kWrittenPs + 61 * 819'200;  // the third one starts the poll
  b.run_ns(12'000);
  b.read(regs::kIcr);  // the timer of the first two
  b.receive(good_packet());
  b.run_ps(polled - 1 - now_ps());
  EXPECT_EQ(b.read(regs::kIcr), 0U) << "gated";
  b.run_ps(1);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
}

TEST(IxgbRxModeration, FewDescriptorsLeftInterruptAtOnce) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rx_entries = 64;
  settings.rdtr = 0xffff;
  b.up(settings);  // 60 given
  for (int i = 0; i < 27; ++i) b.receive(good_packet());
  b.run_us(30);
  EXPECT_EQ(b.read(regs::kIcr), 0U);
  b.receive(good_packet());  // 32 left: half of the ring
  b.run_us(5);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxdmt0);
}

TEST(IxgbRxModeration, WriteBackThresholdWaitsForTheTimer) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rdtr = 10;
  b.up(settings);
  b.write(regs::kRxdctl, 4U << 18);
  for (int i = 0; i < 3; ++i) b.receive(good_packet());
  b.run_us(5);
  EXPECT_EQ(b.clean_rx(false).size(), 0U);
  b.receive(good_packet());
  b.run_us(5);
  EXPECT_EQ(b.clean_rx(false).size(), 4U) << "the fourth lets them go";
  b.receive(good_packet());
  b.run_us(5);
  EXPECT_EQ(b.clean_rx(false).size(), 0U);
  b.run_us(10);
  EXPECT_EQ(b.clean_rx(false).size(), 1U) << "the timer does";
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
}

}  // namespace
}  // namespace longhaul::nic::ixgb
