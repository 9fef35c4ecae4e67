// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

TEST(IxgbReset, InMidTrafficLeavesNoStaleTransferAndWorksAgain) {
  for (std::uint64_t at_ns : {200, 390, 700, 1500, 3333, 9000}) {
    SCOPED_TRACE(at_ns);
    static std::unique_ptr<IxgbFixture> fixture;  // elaborate once
    if (!fixture) fixture = std::make_unique<IxgbFixture>();
    IxgbFixture& b = *fixture;
    IxgbFixture::Settings settings;
    settings.mtu = 9000;
    b.up(settings);
    PacketSpec big;
    big.payload = 8000;
    IxgbFixture::SendOptions tso;
    tso.mss = 1448;
    tso.spec.payload = 30'000;
    for (int i = 0; i < 5; ++i) {
      b.send(make_packet(big));
      b.send(make_packet(tso.spec), tso);
      b.receive(good_packet(big));
    }
    b.run_ns(at_ns);
    b.write(regs::kCtrl0, regs::kCtrl0Fields.rst);
    const std::size_t transactions = b.bus.seen.size();
    const std::vector<std::uint8_t> memory_then = b.bus.memory;
    b.run_us(200);
    EXPECT_EQ(b.bus.seen.size(), transactions) << "nothing starts after a reset";
    // A write that was on the bus may end; no descriptor changes after it.
    EXPECT_TRUE(b.nic->dma().idle());
    EXPECT_FALSE(b.nic->interrupt_moderator().level());
    b.reset();
    b.up(settings);
    b.wire.sent.clear();
    b.send(make_packet(big));
    b.receive(good_packet(big));
    b.run_us(50);
    ASSERT_EQ(b.wire.sent.size(), 1U);
    EXPECT_EQ(b.wire.sent[0].bytes, make_packet(big));
    const auto got = b.clean_rx();
    ASSERT_EQ(got.size(), 1U);
    EXPECT_EQ(got[0].bytes, good_packet(big));
    b.reset();
  }
}

TEST(IxgbReset, StoppingTheUnitsLetsThePacketInHandFinish) {
  IxgbFixture b;
  b.up({});
  for (int i = 0; i < 10; ++i) b.send(make_packet({}));
  b.run_ns(450);  // the first data read is under way
  b.write(regs::kTctl, b.read(regs::kTctl) & ~regs::kTctlFields.en);
  b.write(regs::kRctl, b.read(regs::kRctl) & ~regs::kRctlFields.en);
  b.receive(good_packet());
  b.run_us(50);
  EXPECT_GE(b.wire.sent.size(), 1U);
  EXPECT_LT(b.wire.sent.size(), 10U);
  EXPECT_EQ(b.clean_rx().size(), 0U);
  b.write(regs::kTctl, b.read(regs::kTctl) | regs::kTctlFields.en);
  b.run_us(50);
  EXPECT_EQ(b.wire.sent.size(), 10U);
}

}  // namespace
}  // namespace longhaul::nic::ixgb
