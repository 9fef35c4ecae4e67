// SPDX-License-Identifier: Apache-2.0
// Interrupts follow the write-backs that their timers start, in both units.
#include <gtest/gtest.h>

#include "tests/unit/models/nic/e1000/e1000_fixture.h"

namespace longhaul::nic::e1000 {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

/// RXDCTL or TXDCTL: `descriptors` are held back.
std::uint32_t holds(std::uint32_t descriptors) {
  return regs::kDescriptorControlFields.gran |
         regs::kDescriptorControlFields.wthresh.put(descriptors);
}

/// Runs until the interrupt is raised.
void run_to_interrupt(E1000Fixture& b) {
  const std::uint64_t give_up = now_ps() + 200'000'000;
  while (!b.nic->interrupt_moderator().level() && now_ps() < give_up) b.run_ps(1000);
}

TEST(E1000Flush, ReceiveInterruptOfEitherTimerFindsItsFramesInMemory) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.rdtr = 20;
  settings.radv = 0;
  b.up(settings);
  b.write(regs::kRxdctl, holds(8));
  for (int trial = 0; trial < 2; ++trial) {
    for (int i = 0; i < 3; ++i) b.receive(good_packet(E1000Fixture::to_me()));
    b.run_us(10);
    EXPECT_TRUE(b.clean_rx().empty());
    run_to_interrupt(b);
    EXPECT_EQ(b.clean_rx().size(), 3U);
    EXPECT_EQ(b.read(regs::kIcr), regs::kCauseFields.rxt0);
    b.write(regs::kRadv, 15);
  }
}

TEST(E1000Flush, TheFlushThatTheDriverAsksForInterruptsBehindItsWriteBack) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.rdtr = 1000;
  b.up(settings);
  b.write(regs::kRxdctl, holds(8));
  b.receive(good_packet(E1000Fixture::to_me()));
  b.run_us(5);
  b.write(regs::kRdtr, 1000 | regs::kRdtrFields.fpd);
  EXPECT_EQ(b.read(regs::kIcr), 0U);
  run_to_interrupt(b);
  EXPECT_EQ(b.clean_rx().size(), 1U);
}

TEST(E1000Flush, TransmitDelaysFlushWhatTheThresholdHolds) {
  E1000Fixture b;
  E1000Fixture::Settings settings;
  settings.tidv = 20;
  settings.tadv = 0;
  b.up(settings);
  b.write(regs::kTxdctl, holds(8));
  for (int trial = 0; trial < 2; ++trial) {
    b.send(make_packet({}));
    b.run_us(8);
    EXPECT_EQ(b.clean_tx(), 0U);
    run_to_interrupt(b);
    EXPECT_EQ(b.clean_tx(), 1U);
    EXPECT_NE(b.read(regs::kIcr) & regs::kCauseFields.txdw, 0U);
    b.run_us(50);
    EXPECT_EQ(b.read(regs::kIcr), 0U) << "one interrupt";
    b.write(regs::kTadv, 10);
  }
}

}  // namespace
}  // namespace longhaul::nic::e1000
