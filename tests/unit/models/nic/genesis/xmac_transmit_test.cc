// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/genesis/xmac_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using testing::kPauseModes;
using testing::kUnicastBit;
using testing::Words;
using testing::XmacFixture;

// ---- transmission

TEST(Xmac, FramesWaitForTheTransmitterAndForNegotiation) {
  XmacFixture b;
  b.init();
  b.write(xm::kMmuCmd, 3);
  b.send(XmacFixture::frame(100, XmacFixture::kFar));
  b.run(XmacFixture::kNegotiationPs - 2 * kNs);
  EXPECT_EQ(b.queued(), 1U);
  b.run(2 * kNs);
  EXPECT_EQ(b.queued(), 0U);
  b.run(108 * 8 * kNs);
  ASSERT_EQ(b.far.received, 1U);
  b.write(xm::kMmuCmd, 2);
  b.send(XmacFixture::frame(100, XmacFixture::kFar));
  b.run(kMs);
  EXPECT_EQ(b.queued(), 1U);
  b.write(xm::kMmuCmd, 3);
  b.run(12 * kNs + 108 * 8 * kNs);
  EXPECT_EQ(b.far.received, 2U);
}

TEST(Xmac, SentFramesArePaddedAndPaced) {
  XmacFixture b;
  b.up();
  const std::uint64_t from = now_ps();
  b.send(XmacFixture::frame(40, XmacFixture::kFar));
  b.send(XmacFixture::frame(1518, XmacFixture::kFar));
  b.run(kMs);
  ASSERT_EQ(b.far.arrivals.size(), 2U);
  EXPECT_EQ(b.far.arrivals[0].frame->size(), 60U);
  EXPECT_EQ(b.far.arrivals[0].at_ps, from + 72 * 8 * kNs);
  EXPECT_EQ(b.far.arrivals[1].at_ps, from + (84 + 1526) * 8 * kNs);
}

TEST(Xmac, LossOfLightHoldsFramesUntilItIsNegotiatedAgain) {
  XmacFixture b;
  b.up();
  b.link.set_up(false);
  b.send(XmacFixture::frame(100, XmacFixture::kFar));
  b.run(kMs);
  b.link.set_up(true);
  b.run(XmacFixture::kNegotiationPs - kNs);
  EXPECT_EQ(b.queued(), 1U);
  b.run(kUs);
  EXPECT_EQ(b.far.received, 1U);
}

// ---- PAUSE

TEST(Xmac, ReceivedPauseHoldsTheTransmitterUnlessItIsIgnored) {
  XmacFixture b;
  b.up();
  b.far.mac.send_pause(1000);
  b.run(kUs);
  b.send(XmacFixture::frame(100, XmacFixture::kFar));
  b.run(100 * kUs);
  EXPECT_EQ(b.far.received, 0U) << "1000 quanta are 512 us";
  b.write(xm::kMmuCmd, 0x403);
  b.run(2 * kUs);
  EXPECT_EQ(b.far.received, 1U);
  b.far.mac.send_pause(1000);
  b.run(kUs);
  b.send(XmacFixture::frame(100, XmacFixture::kFar));
  b.run(2 * kUs);
  EXPECT_EQ(b.far.received, 2U);
  EXPECT_EQ(b.taken(), 0U) << "PAUSE frames go no further";
  EXPECT_EQ(b.counter(0x318), 2U);
}

TEST(Xmac, MacControlFramesPassWhereModeSaysSoAndPauseIsObeyedAllTheSame) {
  XmacFixture b;
  b.up(XmacFixture::kMode | 0x1008);
  b.far.mac.send_pause(1000);
  b.run(kUs);
  EXPECT_EQ(b.statuses(), (Words{60U << 18 | 1U << 14 | 1}));
  EXPECT_TRUE(b.mac.paused());
  b.arrive(XmacFixture::frame(64, XmacFixture::kMe, 0x8808));
  EXPECT_EQ(b.statuses(), (Words{60U << 18 | kUnicastBit | 1}));
  b.write32(xm::kMode, XmacFixture::kMode | 8);
  b.arrive(XmacFixture::frame(64, XmacFixture::kMe, 0x8808));
  b.arrive(XmacFixture::damaged(XmacFixture::frame(64, XmacFixture::kMe, 0x8808)));
  EXPECT_EQ(b.taken(), 0U);
}

TEST(Xmac, WatermarksOfTheFifoSendXoffAndXon) {
  XmacFixture b;
  b.up();
  b.write(xm::kMacPtime, 0x1234);
  b.write32(xm::kMode, XmacFixture::kMode | kPauseModes);
  b.takes = false;
  b.write(xm::kRxLoWm, 397);
  // The high mark of 1450 words is 5800 B, the low one of 397 words 1588 B.
  for (int i = 0; i < 3; ++i) b.arrive(XmacFixture::frame(1518));
  b.arrive(XmacFixture::frame(1236));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 0U) << "5796 B";
  b.take();
  b.arrive(XmacFixture::frame(1524));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 1U) << "5800 B";
  EXPECT_EQ(b.far.mac.pause_ends_ps() > now_ps(), true);
  b.arrive(XmacFixture::frame(64));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 1U) << "once for each crossing";
  b.take();
  b.take();
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xon.value(), 0U) << "2824 B";
  b.take();
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xon.value(), 1U) << "1588 B";
  EXPECT_FALSE(b.far.mac.paused());
  EXPECT_EQ(b.counter(0x2a0), 2U);
}

TEST(Xmac, AFrameThatLeavesCountsForNothing) {
  XmacFixture b;
  b.up();
  b.write(xm::kMacPtime, 0xffff);
  b.write32(xm::kMode, XmacFixture::kMode | kPauseModes);
  b.write(xm::kRxCmd, 0x0190);  // skge's for jumbo frames: LENERR_OK, BIG_PK_OK, STRIP_FCS
  b.takes = false;
  b.arrive(XmacFixture::frame(4018));
  b.xmac.rx_leaves(true);
  b.arrive(XmacFixture::frame(4018));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 0U) << "4020 B";
  b.xmac.rx_leaves(false);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 1U) << "8040 B";
  b.xmac.rx_leaves(true);
  b.take();
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xon.value(), 0U) << "4020 B, and the low mark is 2048 B";
  b.take();
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xon.value(), 1U);
}

TEST(Xmac, AFrameBehindOneThatLeavesFindsRoomForAllOfItsLength) {
  XmacFixture b;
  b.up();
  b.write(xm::kRxCmd, 0x0190);
  b.takes = false;
  b.arrive(XmacFixture::frame(9018));
  b.xmac.rx_leaves(true);
  b.arrive(XmacFixture::frame(9018));
  EXPECT_EQ(b.xmac.overflows.value(), 0U);
  b.arrive(XmacFixture::frame(64));
  EXPECT_EQ(b.xmac.overflows.value(), 1U) << "the second one does not leave";
  b.take();
  b.take();
  EXPECT_EQ(b.received.size(), 2U);
  b.arrive(XmacFixture::frame(64));
  EXPECT_TRUE(b.xmac.rx_waits());
}

TEST(Xmac, AFlushOfTheFifoSendsXon) {
  XmacFixture b;
  b.up();
  b.write(xm::kMacPtime, 0xffff);
  b.write32(xm::kMode, XmacFixture::kMode | kPauseModes);
  b.takes = false;
  for (int i = 0; i < 5; ++i) b.arrive(XmacFixture::frame(1518));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 1U);
  b.write(xm::kMode, XmacFixture::kMode | 1);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xon.value(), 1U);
}

TEST(Xmac, XoffAsksForTheTimeInItsRegisterFromTheStationsAddress) {
  XmacFixture b;
  b.far.mac.set_pass_control(true, false);
  b.up();
  b.write(xm::kMacPtime, 0x1234);
  b.write(xm::kMode + 2, 0x0010);
  EXPECT_EQ(b.read(xm::kMode + 2), 0U) << "the command clears itself";
  b.run(kUs);
  ASSERT_EQ(b.far.arrivals.size(), 1U);
  const std::uint8_t* bytes = b.far.arrivals[0].frame->data();
  EXPECT_EQ(std::memcmp(bytes + 6, XmacFixture::kMe.data(), 6), 0);
  EXPECT_EQ(read_be16(bytes + 16), 0x1234);
}

TEST(Xmac, WatermarksSendNothingWithoutTheirModes) {
  XmacFixture b;
  b.up();
  b.write(xm::kMacPtime, 0xffff);
  b.takes = false;
  for (int i = 0; i < 6; ++i) b.arrive(XmacFixture::frame(1518));
  while (b.xmac.rx_waits()) b.take();
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value() + b.far.mac.rx_xon.value(), 0U);
}

TEST(Xmac, TheRamBuffersRequestSendsOnItsEdges) {
  XmacFixture b;
  b.up();
  b.write(xm::kMacPtime, 0xffff);
  b.xmac.set_ram_pause(true);
  b.xmac.set_ram_pause(false);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value() + b.far.mac.rx_xon.value(), 0U) << "not without its mode";
  b.write32(xm::kMode, XmacFixture::kMode | 0x0200'0000);
  b.xmac.set_ram_pause(true);
  b.xmac.set_ram_pause(true);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 1U);
  b.xmac.set_ram_pause(true);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 1U);
  b.xmac.set_ram_pause(false);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xon.value(), 1U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
