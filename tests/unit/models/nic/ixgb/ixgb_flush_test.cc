// SPDX-License-Identifier: Apache-2.0
// A driver that looks at memory as soon as the interrupt comes finds the descriptors that a
// write-back threshold held back.
#include <gtest/gtest.h>

#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

// Times of one small frame with DmaTestBus and the default parameters.
constexpr std::uint64_t kUnitPs = 819'200;
constexpr std::uint64_t kWritePs = 40'000;              // a write on the bus
constexpr std::uint64_t kTakenPs = 200'000 + 8 * 6400;  // rx_latency, packet clocks
constexpr std::uint64_t kSentPs = 680'000 + 16 * 6400;  // fetch, read; the engine

/// Runs until the interrupt is raised, and returns when that is.
std::uint64_t interrupt_ps(IxgbFixture& b) {
  const std::uint64_t give_up = now_ps() + 100'000'000;
  while (!b.nic->interrupt_moderator().level() && now_ps() < give_up) b.run_ps(400);
  return now_ps();
}

TEST(IxgbFlush, ReceiveInterruptFollowsTheWriteBackThatItsTimerStarts) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rdtr = 10;
  b.up(settings);
  b.write(regs::kRxdctl, regs::kRxdctlFields.wthresh.put(4U));
  const std::uint64_t start = now_ps();
  b.receive(good_packet());
  const std::uint64_t due = start + kTakenPs + 10 * kUnitPs;
  b.run_ps(due - now_ps());
  EXPECT_EQ(b.writes_to(IxgbFixture::kRxRing), 1U) << "the timer has begun the write-back";
  EXPECT_FALSE(b.nic->interrupt_moderator().level());
  EXPECT_EQ(interrupt_ps(b), due + kWritePs);
  EXPECT_EQ(b.clean_rx(false).size(), 1U);
  EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
}

TEST(IxgbFlush, ReceiveInterruptWaitsForAWriteBackOfTheThresholdThatIsOnTheBus) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rdtr = 1;
  b.up(settings);
  b.write(regs::kRxdctl, regs::kRxdctlFields.wthresh.put(2U));
  b.bus.request_delay = sc_core::sc_time(2, sc_core::SC_US);  // more than the timer
  for (int i = 0; i < 2; ++i) b.receive(good_packet());
  interrupt_ps(b);
  EXPECT_EQ(b.clean_rx(false).size(), 2U);
}

TEST(IxgbFlush, TheFlushThatTheDriverAsksForInterruptsBehindItsWriteBack) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rdtr = 0xffff;
  b.up(settings);
  b.write(regs::kRxdctl, regs::kRxdctlFields.wthresh.put(4U));
  b.receive(good_packet());
  b.run_us(5);
  EXPECT_EQ(b.clean_rx(false).size(), 0U);
  const std::uint64_t start = now_ps();
  b.write(regs::kRdt, b.rx_next | regs::kRdtFields.fpdb);
  EXPECT_EQ(b.read(regs::kIcr), 0U);
  EXPECT_EQ(interrupt_ps(b), start + kWritePs);
  EXPECT_EQ(b.clean_rx(false).size(), 1U);
}

TEST(IxgbFlush, WithoutADelayEachFrameIsInMemoryBeforeItsInterrupt) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.rdtr = 0;
  b.up(settings);
  b.write(regs::kRxdctl, regs::kRxdctlFields.wthresh.put(8U));
  for (int i = 0; i < 20; ++i) {
    b.receive(good_packet());
    interrupt_ps(b);
    EXPECT_GE(b.clean_rx(false).size(), 1U) << i;
    b.read(regs::kIcr);
    b.run_us(2);
  }
}

TEST(IxgbFlush, TransmitDelayFlushesWhatTheThresholdHoldsAndThenInterrupts) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.tidv = 10;
  b.up(settings);
  b.write(regs::kTxdctl, regs::kTxdctlFields.wthresh.put(4U));
  const std::uint64_t start = now_ps();
  b.send(make_packet({}));
  const std::uint64_t due = start + kSentPs + 10 * kUnitPs;
  b.run_ps(due - now_ps());
  EXPECT_EQ(b.clean_tx(), 0U);
  EXPECT_FALSE(b.nic->interrupt_moderator().level());
  EXPECT_EQ(interrupt_ps(b), due + kWritePs);
  EXPECT_EQ(b.clean_tx(), 1U);
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.txdw, regs::kCauseFields.txdw);
}

TEST(IxgbFlush, TransmitDelayCountsFromTheLastDescriptorThatIsHeldBack) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.tidv = 10;
  b.up(settings);
  b.write(regs::kTxdctl, regs::kTxdctlFields.wthresh.put(4U));
  for (int i = 0; i < 4; ++i) {
    b.send(make_packet({}));
    b.run_us(6);
  }
  EXPECT_EQ(b.clean_tx(), 4U) << "by the threshold";
  EXPECT_FALSE(b.nic->interrupt_moderator().level()) << "6 us after the last";
  interrupt_ps(b);
  b.read(regs::kIcr);
  b.run_us(50);
  EXPECT_EQ(b.read(regs::kIcr), 0U) << "the write-back starts no second delay";
}

}  // namespace
}  // namespace longhaul::nic::ixgb
