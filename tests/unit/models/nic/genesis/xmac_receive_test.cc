// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/genesis/xmac_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using testing::kUnicastBit;
using testing::Words;
using testing::XmacFixture;

constexpr std::uint32_t kEnableHash = 0x8000;

// ---- reception

TEST(Xmac, AGoodFrameComesWhenItsLastBitHas) {
  XmacFixture b;
  b.up();
  const FrameRef frame = XmacFixture::frame(98);
  b.link.b_to_a.transmit(frame);
  b.run((98 + 8) * 8 * kNs);
  EXPECT_EQ(b.received.size(), 0U) << "what happens at the end of a run is not part of it";
  b.run(1);
  ASSERT_EQ(b.received.size(), 1U);
  EXPECT_EQ(b.received[0].bytes, 94U);
  EXPECT_EQ(b.received[0].status, 94U << 18 | kUnicastBit);
  EXPECT_EQ(b.received[0].frame->id(), frame->id()) << "not copied";
}

TEST(Xmac, AnUnstrippedFcsFollowsTheData) {
  XmacFixture b;
  b.up(XmacFixture::kMode, 0x100);
  const FrameRef frame = XmacFixture::frame(98);
  b.arrive(frame);
  ASSERT_EQ(b.received.size(), 1U);
  const Xmac::Received& got = b.received[0];
  EXPECT_EQ(got.bytes, 98U);
  EXPECT_EQ(got.status, 98U << 18 | kUnicastBit);
  ASSERT_EQ(got.frame->size(), 98U);
  EXPECT_EQ(std::memcmp(got.frame->data(), frame->data(), 94), 0);
  const std::uint8_t* fcs = got.frame->data() + 94;
  EXPECT_EQ(fcs[0] | fcs[1] << 8U | fcs[2] << 16U | std::uint32_t{fcs[3]} << 24U, frame->fcs());
  EXPECT_EQ(frame->size(), 94U) << "the wire's frame stays as it is";
}

TEST(Xmac, FilterFollowsItsRegisters) {
  XmacFixture b;
  b.up(0);
  const auto comes = [&b](const MacAddress& to) {
    b.arrive(XmacFixture::frame(100, to));
    return b.taken() == 1;
  };
  EXPECT_TRUE(comes(test::kBroadcast));
  EXPECT_FALSE(comes(XmacFixture::kMe));
  b.write32(xm::kMode, 0x4000);
  EXPECT_TRUE(comes(XmacFixture::kMe));
  EXPECT_FALSE(comes(test::station(3)));
  EXPECT_FALSE(comes(XmacFixture::kGroup));
  b.write32(xm::kMode, 0x4000 | kEnableHash);
  EXPECT_FALSE(comes(XmacFixture::kGroup));
  const std::uint32_t bit = RxFilter::hash_of(XmacFixture::kGroup);
  b.write(xm::kHsm + bit / 16 * 2, 1U << bit % 16);
  EXPECT_TRUE(comes(XmacFixture::kGroup));
  EXPECT_FALSE(comes(test::station(3)));
  b.write32(xm::kMode, 0x2000);
  EXPECT_FALSE(comes(test::station(3)));
  b.write_address(xm::kExm + 8 * 15, test::station(3));
  EXPECT_TRUE(comes(test::station(3)));
  b.write32(xm::kMode, 0x4010);
  EXPECT_FALSE(comes(test::kBroadcast));
  b.write32(xm::kMode, 0x4040);
  EXPECT_FALSE(comes(XmacFixture::kMe));
  b.write32(xm::kMode, 0x8020);
  EXPECT_FALSE(comes(XmacFixture::kGroup));
  b.write32(xm::kMode, 0x0008);
  EXPECT_TRUE(comes(test::station(4)));
  EXPECT_EQ(b.xmac.filtered.value(), 9U);
}

TEST(Xmac, EachFaultNeedsItsBitOfMode) {
  XmacFixture b;
  b.up();
  struct Row {
    FrameRef frame;
    std::uint32_t wanted, status;
  };
  const Row rows[] = {
      {XmacFixture::damaged(XmacFixture::frame(98)), 0x100, 94U << 18 | kUnicastBit | 6},
      {XmacFixture::frame(50), 0x800, 46U << 18 | kUnicastBit | 0x12},
      {XmacFixture::frame(1600), 0x200, 1596U << 18 | kUnicastBit | 0x0a},
      {XmacFixture::frame(200, XmacFixture::kMe, 100), 0x400, 196U << 18 | kUnicastBit | 0x240},
      {XmacFixture::damaged(XmacFixture::frame(1600)), 0x300, 1596U << 18 | kUnicastBit | 0x0e}};
  for (const Row& row : rows) {
    b.write32(xm::kMode, 0x4000 | row.wanted);
    b.arrive(row.frame);
    EXPECT_EQ(b.statuses(), (Words{row.status})) << std::hex << row.wanted;
    for (std::uint32_t bit = 0x80; bit <= 0x800; bit <<= 1U) {
      if ((row.wanted & bit) == 0) continue;
      b.write32(xm::kMode, 0x4f80 & ~bit);
      b.arrive(row.frame);
      EXPECT_EQ(b.taken(), 0U) << std::hex << bit;
    }
  }
  EXPECT_EQ(b.xmac.rejected.value(), 6U);
}

TEST(Xmac, WhatReachesMemoryIsNotReportedAsDropped) {
  XmacFixture b;
  test::TapRecord outer;
  test::TapRecord inner;
  b.mac.drops.listen(&outer);
  b.xmac.drops.listen(&inner);
  b.up();
  b.arrive(XmacFixture::damaged(XmacFixture::frame(98)));
  b.arrive(XmacFixture::frame(1600));
  EXPECT_EQ(b.taken(), 2U);
  EXPECT_EQ(outer.entries.size() + inner.entries.size(), 0U);
  b.write32(xm::kMode, 0x4000);
  b.arrive(XmacFixture::damaged(XmacFixture::frame(98)));
  b.arrive(XmacFixture::frame(98, test::station(77)));
  EXPECT_EQ(inner.count(observe::FrameFate::kDropped, "damaged or of a wrong length"), 1U);
  EXPECT_EQ(inner.count(observe::FrameFate::kDropped, "address"), 1U);
}

TEST(Xmac, RxCmdSaysWhatIsNoError) {
  XmacFixture b;
  b.up(XmacFixture::kMode, 0x10);
  b.arrive(XmacFixture::frame(200, XmacFixture::kMe, 100));
  b.arrive(XmacFixture::frame(9018));
  EXPECT_EQ(b.statuses(),
            (Words{196U << 18 | kUnicastBit | 0x242, 9014U << 18 | kUnicastBit | 0x0a}));
  b.write(xm::kRxCmd, 0x190);
  b.arrive(XmacFixture::frame(200, XmacFixture::kMe, 100));
  b.arrive(XmacFixture::frame(9018));
  EXPECT_EQ(b.statuses(),
            (Words{196U << 18 | kUnicastBit | 0x240, 9014U << 18 | kUnicastBit | 0x08}));
}

TEST(Xmac, TagsAreShownAndTheirTypeIsARegister) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(1522, XmacFixture::kMe, 0x8100));
  EXPECT_EQ(b.statuses(), (Words{1518U << 18 | 1U << 16 | kUnicastBit}));
  b.write(xm::k1lVlanTag, 0x9100);
  b.arrive(XmacFixture::frame(1522, XmacFixture::kMe, 0x8100));
  EXPECT_EQ(b.statuses(), (Words{1518U << 18 | kUnicastBit | 0x0a}));
}

TEST(Xmac, FramesBeyondTheLengthFieldAreDropped) {
  XmacFixture b;
  b.up(XmacFixture::kMode, XmacFixture::kRxCmd | 0x80);
  b.arrive(XmacFixture::frame(16383));
  EXPECT_EQ(b.statuses(), (Words{16379U << 18 | kUnicastBit | 8}));
  b.arrive(XmacFixture::frame(16384));
  EXPECT_EQ(b.taken(), 0U);
  EXPECT_EQ(b.xmac.rejected.value(), 1U);
}

TEST(Xmac, NothingIsReceivedUntilTheReceiverIsEnabled) {
  XmacFixture b;
  b.init();
  b.run(XmacFixture::kNegotiationPs);
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.taken(), 0U);
  EXPECT_EQ(b.mac.rx_off.value(), 1U);
  b.write(xm::kMmuCmd, 1);
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.taken(), 0U);
  EXPECT_EQ(b.mac.rx_off.value(), 2U);
  b.write(xm::kMmuCmd, 2);
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.taken(), 1U);
}

TEST(Xmac, FifoHoldsEightKibWithAStatusWordEach) {
  XmacFixture b;
  b.up();
  b.write(xm::kImsk, 0xfff7);
  b.takes = false;
  // 1514 bytes are 379 words, and one of status: 5 x 1520 = 7600 of 8192; then 588 bytes and a
  // status word fill it up.
  for (int i = 0; i < 5; ++i) b.arrive(XmacFixture::frame(1518));
  b.arrive(XmacFixture::frame(593));
  EXPECT_EQ(b.xmac.overflows.value(), 1U);
  EXPECT_TRUE(b.xmac.interrupt());
  EXPECT_EQ(b.read(xm::kIsrc) & 8, 8U);
  EXPECT_FALSE(b.xmac.interrupt());
  b.arrive(XmacFixture::frame(592));
  EXPECT_EQ(b.xmac.overflows.value(), 1U);
  b.arrive(XmacFixture::frame(64));
  EXPECT_EQ(b.xmac.overflows.value(), 2U);
  EXPECT_EQ(b.counter(0x334), 2U);
  b.take();
  b.arrive(XmacFixture::frame(1518));
  EXPECT_EQ(b.xmac.overflows.value(), 2U) << "room was given back";
  while (b.xmac.rx_waits()) b.take();
  EXPECT_EQ(b.taken(), 7U);
}

TEST(Xmac, AFrameLongerThanTheFifoPassesIfItFindsItEmpty) {
  XmacFixture b;
  b.up(XmacFixture::kMode, XmacFixture::kRxCmd | 0x80);
  b.takes = false;
  b.arrive(XmacFixture::frame(9018));
  EXPECT_TRUE(b.xmac.rx_waits());
  b.arrive(XmacFixture::frame(64));
  EXPECT_EQ(b.xmac.overflows.value(), 1U);
  b.take();
  b.arrive(XmacFixture::frame(64));
  b.arrive(XmacFixture::frame(9018));
  EXPECT_EQ(b.xmac.overflows.value(), 2U);
}

TEST(Xmac, FlushEmptiesTheReceiveFifo) {
  XmacFixture b;
  b.up();
  b.takes = false;
  for (const std::uint32_t reg : {xm::kMode, xm::kGpPort}) {
    b.arrive(XmacFixture::frame(1518));
    EXPECT_TRUE(b.xmac.rx_waits());
    if (reg == xm::kMode) {
      b.write32(xm::kMode, XmacFixture::kMode | 1);
    } else {
      b.write32(xm::kGpPort, 8);
    }
    EXPECT_FALSE(b.xmac.rx_waits());
  }
  EXPECT_EQ(b.receive_flushes, 2);
  EXPECT_EQ(b.read32(xm::kMode), XmacFixture::kMode) << "the command clears itself";
  EXPECT_EQ(b.read32(xm::kGpPort), 0U);
  EXPECT_EQ(b.transmit_flushes, 1) << "GP_PORT's reset flushes both";
  for (int i = 0; i < 5; ++i) b.arrive(XmacFixture::frame(1518));
  EXPECT_EQ(b.xmac.overflows.value(), 0U) << "its room is free again";
  b.write32(xm::kMode, XmacFixture::kMode | 2);
  EXPECT_EQ(b.transmit_flushes, 2);
  EXPECT_EQ(b.receive_flushes, 2);
  EXPECT_EQ(b.read32(xm::kMode), XmacFixture::kMode);
}

TEST(Xmac, CommandsOfGpPortAreNotRepeatedByAWriteBesideThem) {
  XmacFixture b;
  b.up();
  b.read(xm::kIsrc);
  b.write(xm::kGpPort, 0x20);
  EXPECT_EQ(b.read(xm::kIsrc), 0x1000U);
  b.bank.write(0x2080, 0, 0xff00);
  EXPECT_EQ(b.read(xm::kIsrc), 0U);
}

TEST(Xmac, GpPortsMacResetEndsAPause) {
  XmacFixture b;
  b.up();
  b.far.mac.send_pause(0xffff);
  b.run(kUs);
  b.send(XmacFixture::frame(100, XmacFixture::kFar));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.received, 0U);
  b.write(xm::kGpPort, 8);
  b.xmac.kick_tx();
  b.run(10 * kUs);
  EXPECT_EQ(b.far.received, 1U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
