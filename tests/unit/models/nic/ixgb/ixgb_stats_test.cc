// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

TEST(IxgbStats, CountersClearWhenReadAndLoseNothing) {
  IxgbFixture b;
  b.up({});
  for (int i = 0; i < 3; ++i) b.receive(good_packet());
  const std::uint32_t frame = static_cast<std::uint32_t>(good_packet().size()) + 4;
  EXPECT_EQ(b.read(0x2038), 3 * frame);  // GORCL latches GORCH
  b.receive(good_packet());
  EXPECT_EQ(b.read(0x203c), 0U);
  EXPECT_EQ(b.read(0x2038), frame) << "what came between the two readings is still there";
  EXPECT_EQ(b.read(0x203c), 0U);
  EXPECT_EQ(b.statistic(0x2008), 4U);
  EXPECT_EQ(b.statistic(0x2008), 0U);
  EXPECT_EQ(b.statistic(0x2020), 4U) << "UPRC";
}

TEST(IxgbStats, TotalsIncludePauseFramesAndGoodOnesDoNot) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.flow_control = true;
  b.up(settings);
  b.receive(ByteVector{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0x08, 0, 1, 0, 0});
  b.receive(good_packet());
  const std::uint64_t frame = good_packet().size() + 4;
  EXPECT_EQ(b.statistic(0x2000), 2U) << "TPR";
  EXPECT_EQ(b.statistic(0x2040), frame + 64) << "TOR";
  EXPECT_EQ(b.statistic(0x2008), 1U) << "GPRC";
  EXPECT_EQ(b.statistic(0x2038), frame) << "GORC";
  EXPECT_EQ(b.read(0x21b8), 1U) << "XONRXC";
  EXPECT_EQ(b.statistic(0x2000), 0U);
}

TEST(IxgbStats, BroadcastCountsAsMulticastOnlyInAllMulticastMode) {
  IxgbFixture b;
  b.up({});
  PacketSpec spec;
  spec.to = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  b.receive(good_packet(spec));
  EXPECT_EQ(b.statistic(0x2010), 1U) << "BPRC";
  EXPECT_EQ(b.statistic(0x2018), 0U) << "MPRC";
  b.write(regs::kRctl, b.read(regs::kRctl) | regs::kRctlFields.mpe);
  b.receive(good_packet(spec));
  // The driver subtracts in this mode.
  EXPECT_EQ(b.statistic(0x2010), 1U);
  EXPECT_EQ(b.statistic(0x2018), 1U);
}

}  // namespace
}  // namespace longhaul::nic::ixgb
