// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/genesis/xmac_bench.h"

namespace longhaul::nic::genesis {
namespace {

using testing::XmacBench;

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t kUnicastBit = 1U << 13;
constexpr std::uint32_t kEnableHash = 0x8000;
constexpr std::uint32_t kPauseModes = 0x0206'0000;

// ---- registers and reset

TEST(Xmac, ARegisterIsAHalfwordInFourBytes) {
  XmacBench b;
  b.init();
  b.write32(xm::kMode, 0x0206'cf80);
  EXPECT_EQ(b.bank.read(0x2248), 0xcf80U);
  EXPECT_EQ(b.bank.read(0x224c), 0x0206U);
  b.bank.write(0x2060, 0xabcd'0130);
  EXPECT_EQ(b.bank.read(0x2060), 0x0130U) << "the upper half is not there";
  EXPECT_EQ(b.bank.read(0x2210), 0x0000U);
  EXPECT_EQ(b.bank.read(0x2214), 0x125aU);
  EXPECT_EQ(b.bank.read(0x2218), 0x5634U);
}

TEST(Xmac, ResetValues) {
  XmacBench b;
  b.xmac.set_reset(false);
  struct Row {
    std::uint32_t x, value;
  };
  const Row rows[] = {{0x000, 0},    {0x010, 0x8100}, {0x024, 15}, {0x030, 0}, {0x044, 0xffff}, {0x068, 0x8001},
                      {0x06a, 0xc2}, {0x06c, 0x100},  {0x074, 1},  {0x076, 0}, {0x118, 512},    {0x11a, 1024},
                      {0x124, 0},    {0x126, 0},      {0x200, 0},  {0x108, 0}};
  for (const Row& row : rows) EXPECT_EQ(b.read(row.x), row.value) << std::hex << row.x;
}

TEST(Xmac, StartsInResetDarkAndDeaf) {
  XmacBench b;
  EXPECT_TRUE(b.xmac.in_reset());
  EXPECT_FALSE(b.far.mac.carrier());
  b.write(xm::kMmuCmd, 3);
  b.write32(xm::kMode, 0x4f80);
  b.write(xm::kImsk, 0);
  b.write_address(xm::kSa, XmacBench::kMe);
  b.phy_write(4, 0x20);
  EXPECT_EQ(b.phy_read(0), 0);
  EXPECT_EQ(b.read(xm::kMmuCmd), 0U);
  EXPECT_EQ(b.read32(xm::kMode), 0U);
  EXPECT_EQ(b.read(xm::kImsk), 0xffffU);
  EXPECT_EQ(b.read(xm::kSa + 2), 0U);
  EXPECT_FALSE(b.xmac.interrupt());
  b.write(xm::kStatCmd, 0x33);
  EXPECT_EQ(b.read(xm::kStatCmd), 0U) << "the driver waits for it";
  b.xmac.set_reset(false);
  EXPECT_EQ(b.phy_read(4), 0x01e0);
  b.run(kNs);
  EXPECT_TRUE(b.far.mac.carrier());
}

TEST(Xmac, ResetTakesEverythingBack) {
  XmacBench b;
  b.up(XmacBench::kMode | 8);
  b.write(xm::kImsk, 0xf7ff);
  b.phy_write(4, 0x20);
  b.takes = false;
  b.arrive(XmacBench::frame(100));
  EXPECT_TRUE(b.xmac.rx_waits());
  b.xmac.set_reset(true);
  EXPECT_FALSE(b.xmac.rx_waits());
  EXPECT_EQ(b.receive_flushes, 1);
  EXPECT_EQ(b.read(xm::kMmuCmd), 0U);
  EXPECT_EQ(b.read(xm::kImsk), 0xffffU);
  EXPECT_EQ(b.read32(xm::kMode), 0U);
  EXPECT_EQ(b.read(xm::kRxHiWm), 1024U);
  EXPECT_EQ(b.read(xm::kSa + 2), 0U);
  EXPECT_FALSE(b.xmac.interrupt());
  b.run(kNs);
  EXPECT_FALSE(b.far.mac.carrier());
  b.xmac.set_reset(false);
  EXPECT_EQ(b.phy_read(4), 0x01e0);
  b.run(XmacBench::kNegotiationPs + kNs);
  b.write(xm::kMmuCmd, 3);
  b.takes = true;
  b.arrive(XmacBench::frame(100));
  EXPECT_EQ(b.taken(), 0U) << "promiscuous mode and the address are forgotten";
}

TEST(Xmac, ResetForgetsTheStationsAddress) {
  XmacBench b;
  b.up();
  b.xmac.set_reset(true);
  b.run(kMs);
  b.xmac.set_reset(false);
  b.run(XmacBench::kNegotiationPs + kNs);
  b.write32(xm::kMode, XmacBench::kMode);
  b.write(xm::kMmuCmd, 3);
  b.arrive(XmacBench::frame(100));
  EXPECT_EQ(b.taken(), 0U);
}

TEST(Xmac, ResetForgetsThePhyAccess) {
  XmacBench b;
  b.init();
  EXPECT_EQ(b.phy_read(4), 0x01e0);
  b.xmac.set_reset(true);
  EXPECT_EQ(b.read(xm::kPhyData), 0U);
  b.xmac.set_reset(false);
  EXPECT_EQ(b.read(xm::kPhyData), 0U);
  EXPECT_EQ(b.read(xm::kPhyData), 0x1140U) << "register 0";
}

TEST(Xmac, ResetForgetsCausesAndPauses) {
  XmacBench b;
  b.up();
  b.write(xm::kGpPort, 0x20);
  b.far.mac.send_pause(0xffff);
  b.run(kUs);
  EXPECT_TRUE(b.mac.paused());
  b.xmac.set_reset(true);
  EXPECT_FALSE(b.mac.paused());
  EXPECT_EQ(b.read(xm::kIsrc), 0x0800U);
  b.run(kMs);
  b.up();
  EXPECT_EQ(b.read(xm::kIsrc), 0x80U);
}

TEST(Xmac, ResetWithAnEmptyFifoFlushesNothing) {
  XmacBench b;
  b.up();
  b.xmac.set_reset(true);
  b.xmac.set_reset(true);
  EXPECT_EQ(b.receive_flushes, 0);
}

// ---- link

TEST(Xmac, LinkComesAsTheDriverSeesIt) {
  XmacBench b;
  EXPECT_EQ(b.read(xm::kGpPort), 1U);
  b.init();
  EXPECT_EQ(b.read(xm::kGpPort), 0x40U) << "light, and negotiation under way";
  b.phy_write(4, 0x01e0);
  b.phy_write(0, 0x1200);
  b.run(XmacBench::kNegotiationPs);
  EXPECT_EQ(b.phy_read(1) & 0x20, 0);
  b.run(1);
  EXPECT_EQ(b.read(xm::kGpPort), 0U);
  EXPECT_EQ(b.phy_read(1) & 0x24, 0x24);
  EXPECT_EQ(b.phy_read(5), 0x41e0);
  EXPECT_EQ(b.phy_read(16), 0xa0);
  EXPECT_EQ(b.read(xm::kIsrc), 0x80U) << "negotiation done";
}

TEST(Xmac, PhyDataIsThereAtTheSecondRead) {
  XmacBench b;
  b.init();
  EXPECT_EQ(b.phy_read(4), 0x01e0);
  b.write(xm::kPhyAddr, 2);
  EXPECT_EQ(b.read(xm::kPhyData), 0x01e0U) << "of the access before";
  EXPECT_EQ(b.read(xm::kPhyData), 0xd41cU);
  EXPECT_EQ(b.read(xm::kPhyData), 0xd41cU);
  EXPECT_EQ(b.phy_read(0x100 | 2), 0xffff) << "nobody has address 1";
  b.phy_write(0x100 | 4, 0x20);
  EXPECT_EQ(b.phy_read(4), 0x01e0);
  EXPECT_EQ(b.read(xm::kMmuCmd) & 0x0800, 0U) << "never busy";
}

TEST(Xmac, TheFirstOfTwoStatusReadsShowsThePast) {
  XmacBench b;
  b.up();
  b.phy_read(1);
  EXPECT_EQ(b.phy_read(1) & 4, 4);
  b.link.set_up(false);
  b.link.set_up(true);
  b.run(kNs);
  EXPECT_EQ(b.phy_read(1) & 4, 0);
  EXPECT_EQ(b.read(xm::kPhyData) & 4, 0U) << "the same access";
  EXPECT_EQ(b.phy_read(1) & 4, 4);
}

TEST(Xmac, LossOfLightIsALevelOfTheInterrupt) {
  XmacBench b;
  b.up();
  b.read(xm::kIsrc);
  b.write(xm::kImsk, 0xf7fb);
  EXPECT_FALSE(b.xmac.interrupt());
  EXPECT_EQ(b.changes, 0);
  b.link.set_up(false);
  EXPECT_TRUE(b.xmac.interrupt());
  EXPECT_EQ(b.changes, 1);
  EXPECT_EQ(b.read(xm::kGpPort) & 1, 1U);
  EXPECT_EQ(b.read(xm::kIsrc), 0x4800U);
  EXPECT_EQ(b.read(xm::kIsrc), 0x0800U) << "stays while the light is off";
  EXPECT_TRUE(b.xmac.interrupt());
  b.write(xm::kImsk, 0xffff);
  EXPECT_FALSE(b.xmac.interrupt());
  EXPECT_EQ(b.changes, 2);
  b.write(xm::kImsk, 0xf7ff);
  EXPECT_TRUE(b.xmac.interrupt());
  b.link.set_up(true);
  b.run(kNs);
  EXPECT_FALSE(b.xmac.interrupt());
  EXPECT_EQ(b.read(xm::kIsrc), 0U);
  EXPECT_EQ(b.changes, 4);
}

TEST(Xmac, ReturnOfLightNegotiatesWithoutTheDriver) {
  XmacBench b;
  b.up();
  b.link.set_up(false);
  EXPECT_EQ(b.phy_read(1) & 0x20, 0);
  b.run(kSecond);
  b.link.set_up(true);
  b.run(kNs);
  EXPECT_EQ(b.phy_read(1) & 0x20, 0);
  EXPECT_EQ(b.read(xm::kGpPort), 0x40U);
  b.arrive(XmacBench::frame(100));
  EXPECT_EQ(b.taken(), 0U) << "not before negotiation is over";
  b.run(XmacBench::kNegotiationPs);
  EXPECT_EQ(b.phy_read(1) & 0x20, 0x20);
  EXPECT_EQ(b.read(xm::kMmuCmd), 3U) << "still enabled";
  b.arrive(XmacBench::frame(100));
  EXPECT_EQ(b.taken(), 1U);
}

TEST(Xmac, ASilentPartnerGivesALinkOnlyByForce) {
  XmacBench b(LinkPartner::kSilent);
  b.up();
  b.run(kSecond);
  b.send(XmacBench::frame(100, XmacBench::kFar));
  b.run(kMs);
  EXPECT_EQ(b.far.received, 0U);
  b.phy_write(0, 0x0100);
  b.run(kMs);
  EXPECT_EQ(b.far.received, 1U);
}

TEST(Xmac, APartnerWithoutPauseIsSeenInTheRegisters) {
  XmacBench b(LinkPartner::kNoPause);
  b.up();
  EXPECT_EQ(b.phy_read(5), 0x4020);
  EXPECT_EQ(b.phy_read(16), 0x20);
}

TEST(Xmac, LatchedCausesClearOnReadAndObeyTheMask) {
  XmacBench b;
  b.up();
  b.read(xm::kIsrc);
  b.write(xm::kGpPort, 0x20);
  EXPECT_FALSE(b.xmac.interrupt());
  b.write(xm::kImsk, 0xefff);
  EXPECT_TRUE(b.xmac.interrupt());
  EXPECT_EQ(b.read(xm::kIsrc), 0x1000U);
  EXPECT_FALSE(b.xmac.interrupt());
  EXPECT_EQ(b.read(xm::kIsrc), 0U);
  EXPECT_EQ(b.changes, 2);
  b.arrive(XmacBench::frame(100));
  EXPECT_EQ(b.read(xm::kIsrc), 1U);
  b.send(XmacBench::frame(100));
  EXPECT_EQ(b.read(xm::kIsrc), 2U);
}

// ---- reception

TEST(Xmac, AGoodFrameComesWhenItsLastBitHas) {
  XmacBench b;
  b.up();
  const FrameRef frame = XmacBench::frame(98);
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
  XmacBench b;
  b.up(XmacBench::kMode, 0x100);
  const FrameRef frame = XmacBench::frame(98);
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
  XmacBench b;
  b.up(0);
  const auto comes = [&b](const MacAddress& to) {
    b.arrive(XmacBench::frame(100, to));
    return b.taken() == 1;
  };
  EXPECT_TRUE(comes(test::kBroadcast));
  EXPECT_FALSE(comes(XmacBench::kMe));
  b.write32(xm::kMode, 0x4000);
  EXPECT_TRUE(comes(XmacBench::kMe));
  EXPECT_FALSE(comes(test::station(3)));
  EXPECT_FALSE(comes(XmacBench::kGroup));
  b.write32(xm::kMode, 0x4000 | kEnableHash);
  EXPECT_FALSE(comes(XmacBench::kGroup));
  const std::uint32_t bit = RxFilter::hash_of(XmacBench::kGroup);
  b.write(xm::kHsm + bit / 16 * 2, 1U << bit % 16);
  EXPECT_TRUE(comes(XmacBench::kGroup));
  EXPECT_FALSE(comes(test::station(3)));
  b.write32(xm::kMode, 0x2000);
  EXPECT_FALSE(comes(test::station(3)));
  b.write_address(xm::kExm + 8 * 15, test::station(3));
  EXPECT_TRUE(comes(test::station(3)));
  b.write32(xm::kMode, 0x4010);
  EXPECT_FALSE(comes(test::kBroadcast));
  b.write32(xm::kMode, 0x4040);
  EXPECT_FALSE(comes(XmacBench::kMe));
  b.write32(xm::kMode, 0x8020);
  EXPECT_FALSE(comes(XmacBench::kGroup));
  b.write32(xm::kMode, 0x0008);
  EXPECT_TRUE(comes(test::station(4)));
  EXPECT_EQ(b.xmac.filtered.value(), 9U);
}

TEST(Xmac, EachFaultNeedsItsBitOfMode) {
  XmacBench b;
  b.up();
  struct Row {
    FrameRef frame;
    std::uint32_t wanted, status;
  };
  const Row rows[] = {{XmacBench::damaged(XmacBench::frame(98)), 0x100, 94U << 18 | kUnicastBit | 6},
                      {XmacBench::frame(50), 0x800, 46U << 18 | kUnicastBit | 0x12},
                      {XmacBench::frame(1600), 0x200, 1596U << 18 | kUnicastBit | 0x0a},
                      {XmacBench::frame(200, XmacBench::kMe, 100), 0x400, 196U << 18 | kUnicastBit | 0x240},
                      {XmacBench::damaged(XmacBench::frame(1600)), 0x300, 1596U << 18 | kUnicastBit | 0x0e}};
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
  XmacBench b;
  test::TapRecord outer;
  test::TapRecord inner;
  b.mac.drops.listen(&outer);
  b.xmac.drops.listen(&inner);
  b.up();
  b.arrive(XmacBench::damaged(XmacBench::frame(98)));
  b.arrive(XmacBench::frame(1600));
  EXPECT_EQ(b.taken(), 2U);
  EXPECT_EQ(outer.entries.size() + inner.entries.size(), 0U);
  b.write32(xm::kMode, 0x4000);
  b.arrive(XmacBench::damaged(XmacBench::frame(98)));
  b.arrive(XmacBench::frame(98, test::station(77)));
  EXPECT_EQ(inner.count(observe::FrameFate::kDropped, "damaged or of a wrong length"), 1U);
  EXPECT_EQ(inner.count(observe::FrameFate::kDropped, "address"), 1U);
}

TEST(Xmac, RxCmdSaysWhatIsNoError) {
  XmacBench b;
  b.up(XmacBench::kMode, 0x10);
  b.arrive(XmacBench::frame(200, XmacBench::kMe, 100));
  b.arrive(XmacBench::frame(9018));
  EXPECT_EQ(b.statuses(), (Words{196U << 18 | kUnicastBit | 0x242, 9014U << 18 | kUnicastBit | 0x0a}));
  b.write(xm::kRxCmd, 0x190);
  b.arrive(XmacBench::frame(200, XmacBench::kMe, 100));
  b.arrive(XmacBench::frame(9018));
  EXPECT_EQ(b.statuses(), (Words{196U << 18 | kUnicastBit | 0x240, 9014U << 18 | kUnicastBit | 0x08}));
}

TEST(Xmac, TagsAreShownAndTheirTypeIsARegister) {
  XmacBench b;
  b.up();
  b.arrive(XmacBench::frame(1522, XmacBench::kMe, 0x8100));
  EXPECT_EQ(b.statuses(), (Words{1518U << 18 | 1U << 16 | kUnicastBit}));
  b.write(xm::k1lVlanTag, 0x9100);
  b.arrive(XmacBench::frame(1522, XmacBench::kMe, 0x8100));
  EXPECT_EQ(b.statuses(), (Words{1518U << 18 | kUnicastBit | 0x0a}));
}

TEST(Xmac, FramesBeyondTheLengthFieldAreDropped) {
  XmacBench b;
  b.up(XmacBench::kMode, XmacBench::kRxCmd | 0x80);
  b.arrive(XmacBench::frame(16383));
  EXPECT_EQ(b.statuses(), (Words{16379U << 18 | kUnicastBit | 8}));
  b.arrive(XmacBench::frame(16384));
  EXPECT_EQ(b.taken(), 0U);
  EXPECT_EQ(b.xmac.rejected.value(), 1U);
}

TEST(Xmac, NothingIsReceivedUntilTheReceiverIsEnabled) {
  XmacBench b;
  b.init();
  b.run(XmacBench::kNegotiationPs);
  b.arrive(XmacBench::frame(100));
  EXPECT_EQ(b.taken(), 0U);
  EXPECT_EQ(b.mac.rx_off.value(), 1U);
  b.write(xm::kMmuCmd, 1);
  b.arrive(XmacBench::frame(100));
  EXPECT_EQ(b.taken(), 0U);
  EXPECT_EQ(b.mac.rx_off.value(), 2U);
  b.write(xm::kMmuCmd, 2);
  b.arrive(XmacBench::frame(100));
  EXPECT_EQ(b.taken(), 1U);
}

TEST(Xmac, FifoHoldsEightKibWithAStatusWordEach) {
  XmacBench b;
  b.up();
  b.write(xm::kImsk, 0xfff7);
  b.takes = false;
  // 1514 bytes are 379 words, and one of status: 5 x 1520 = 7600 of 8192; then 588 bytes and a status word fill it up.
  for (int i = 0; i < 5; ++i) b.arrive(XmacBench::frame(1518));
  b.arrive(XmacBench::frame(593));
  EXPECT_EQ(b.xmac.overflows.value(), 1U);
  EXPECT_TRUE(b.xmac.interrupt());
  EXPECT_EQ(b.read(xm::kIsrc) & 8, 8U);
  EXPECT_FALSE(b.xmac.interrupt());
  b.arrive(XmacBench::frame(592));
  EXPECT_EQ(b.xmac.overflows.value(), 1U);
  b.arrive(XmacBench::frame(64));
  EXPECT_EQ(b.xmac.overflows.value(), 2U);
  EXPECT_EQ(b.counter(0x334), 2U);
  b.take();
  b.arrive(XmacBench::frame(1518));
  EXPECT_EQ(b.xmac.overflows.value(), 2U) << "room was given back";
  while (b.xmac.rx_waits()) b.take();
  EXPECT_EQ(b.taken(), 7U);
}

TEST(Xmac, AFrameLongerThanTheFifoPassesIfItFindsItEmpty) {
  XmacBench b;
  b.up(XmacBench::kMode, XmacBench::kRxCmd | 0x80);
  b.takes = false;
  b.arrive(XmacBench::frame(9018));
  EXPECT_TRUE(b.xmac.rx_waits());
  b.arrive(XmacBench::frame(64));
  EXPECT_EQ(b.xmac.overflows.value(), 1U);
  b.take();
  b.arrive(XmacBench::frame(64));
  b.arrive(XmacBench::frame(9018));
  EXPECT_EQ(b.xmac.overflows.value(), 2U);
}

TEST(Xmac, FlushEmptiesTheReceiveFifo) {
  XmacBench b;
  b.up();
  b.takes = false;
  for (const std::uint32_t reg : {xm::kMode, xm::kGpPort}) {
    b.arrive(XmacBench::frame(1518));
    EXPECT_TRUE(b.xmac.rx_waits());
    if (reg == xm::kMode) {
      b.write32(xm::kMode, XmacBench::kMode | 1);
    } else {
      b.write32(xm::kGpPort, 8);
    }
    EXPECT_FALSE(b.xmac.rx_waits());
  }
  EXPECT_EQ(b.receive_flushes, 2);
  EXPECT_EQ(b.read32(xm::kMode), XmacBench::kMode) << "the command clears itself";
  EXPECT_EQ(b.read32(xm::kGpPort), 0U);
  EXPECT_EQ(b.transmit_flushes, 1) << "GP_PORT's reset flushes both";
  for (int i = 0; i < 5; ++i) b.arrive(XmacBench::frame(1518));
  EXPECT_EQ(b.xmac.overflows.value(), 0U) << "its room is free again";
  b.write32(xm::kMode, XmacBench::kMode | 2);
  EXPECT_EQ(b.transmit_flushes, 2);
  EXPECT_EQ(b.receive_flushes, 2);
  EXPECT_EQ(b.read32(xm::kMode), XmacBench::kMode);
}

TEST(Xmac, CommandsOfGpPortAreNotRepeatedByAWriteBesideThem) {
  XmacBench b;
  b.up();
  b.read(xm::kIsrc);
  b.write(xm::kGpPort, 0x20);
  EXPECT_EQ(b.read(xm::kIsrc), 0x1000U);
  b.bank.write(0x2080, 0, 0xff00);
  EXPECT_EQ(b.read(xm::kIsrc), 0U);
}

TEST(Xmac, GpPortsMacResetEndsAPause) {
  XmacBench b;
  b.up();
  b.far.mac.send_pause(0xffff);
  b.run(kUs);
  b.send(XmacBench::frame(100, XmacBench::kFar));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.received, 0U);
  b.write(xm::kGpPort, 8);
  b.xmac.kick_tx();
  b.run(10 * kUs);
  EXPECT_EQ(b.far.received, 1U);
}

// ---- transmission

TEST(Xmac, FramesWaitForTheTransmitterAndForNegotiation) {
  XmacBench b;
  b.init();
  b.write(xm::kMmuCmd, 3);
  b.send(XmacBench::frame(100, XmacBench::kFar));
  b.run(XmacBench::kNegotiationPs - 2 * kNs);
  EXPECT_EQ(b.queued(), 1U);
  b.run(2 * kNs);
  EXPECT_EQ(b.queued(), 0U);
  b.run(108 * 8 * kNs);
  ASSERT_EQ(b.far.received, 1U);
  b.write(xm::kMmuCmd, 2);
  b.send(XmacBench::frame(100, XmacBench::kFar));
  b.run(kMs);
  EXPECT_EQ(b.queued(), 1U);
  b.write(xm::kMmuCmd, 3);
  b.run(12 * kNs + 108 * 8 * kNs);
  EXPECT_EQ(b.far.received, 2U);
}

TEST(Xmac, SentFramesArePaddedAndPaced) {
  XmacBench b;
  b.up();
  const std::uint64_t from = now_ps();
  b.send(XmacBench::frame(40, XmacBench::kFar));
  b.send(XmacBench::frame(1518, XmacBench::kFar));
  b.run(kMs);
  ASSERT_EQ(b.far.arrivals.size(), 2U);
  EXPECT_EQ(b.far.arrivals[0].frame->size(), 60U);
  EXPECT_EQ(b.far.arrivals[0].at_ps, from + 72 * 8 * kNs);
  EXPECT_EQ(b.far.arrivals[1].at_ps, from + (84 + 1526) * 8 * kNs);
}

TEST(Xmac, LossOfLightHoldsFramesUntilItIsNegotiatedAgain) {
  XmacBench b;
  b.up();
  b.link.set_up(false);
  b.send(XmacBench::frame(100, XmacBench::kFar));
  b.run(kMs);
  b.link.set_up(true);
  b.run(XmacBench::kNegotiationPs - kNs);
  EXPECT_EQ(b.queued(), 1U);
  b.run(kUs);
  EXPECT_EQ(b.far.received, 1U);
}

// ---- PAUSE

TEST(Xmac, ReceivedPauseHoldsTheTransmitterUnlessItIsIgnored) {
  XmacBench b;
  b.up();
  b.far.mac.send_pause(1000);
  b.run(kUs);
  b.send(XmacBench::frame(100, XmacBench::kFar));
  b.run(100 * kUs);
  EXPECT_EQ(b.far.received, 0U) << "1000 quanta are 512 us";
  b.write(xm::kMmuCmd, 0x403);
  b.run(2 * kUs);
  EXPECT_EQ(b.far.received, 1U);
  b.far.mac.send_pause(1000);
  b.run(kUs);
  b.send(XmacBench::frame(100, XmacBench::kFar));
  b.run(2 * kUs);
  EXPECT_EQ(b.far.received, 2U);
  EXPECT_EQ(b.taken(), 0U) << "PAUSE frames go no further";
  EXPECT_EQ(b.counter(0x318), 2U);
}

TEST(Xmac, MacControlFramesPassWhereModeSaysSoAndPauseIsObeyedAllTheSame) {
  XmacBench b;
  b.up(XmacBench::kMode | 0x1008);
  b.far.mac.send_pause(1000);
  b.run(kUs);
  EXPECT_EQ(b.statuses(), (Words{60U << 18 | 1U << 14 | 1}));
  EXPECT_TRUE(b.mac.paused());
  b.arrive(XmacBench::frame(64, XmacBench::kMe, 0x8808));
  EXPECT_EQ(b.statuses(), (Words{60U << 18 | kUnicastBit | 1}));
  b.write32(xm::kMode, XmacBench::kMode | 8);
  b.arrive(XmacBench::frame(64, XmacBench::kMe, 0x8808));
  b.arrive(XmacBench::damaged(XmacBench::frame(64, XmacBench::kMe, 0x8808)));
  EXPECT_EQ(b.taken(), 0U);
}

TEST(Xmac, WatermarksOfTheFifoSendXoffAndXon) {
  XmacBench b;
  b.up();
  b.write(xm::kMacPtime, 0x1234);
  b.write32(xm::kMode, XmacBench::kMode | kPauseModes);
  b.takes = false;
  b.write(xm::kRxLoWm, 397);
  // The high mark of 1450 words is 5800 B, the low one of 397 words 1588 B.
  for (int i = 0; i < 3; ++i) b.arrive(XmacBench::frame(1518));
  b.arrive(XmacBench::frame(1236));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 0U) << "5796 B";
  b.take();
  b.arrive(XmacBench::frame(1524));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 1U) << "5800 B";
  EXPECT_EQ(b.far.mac.pause_ends_ps() > now_ps(), true);
  b.arrive(XmacBench::frame(64));
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
  XmacBench b;
  b.up();
  b.write(xm::kMacPtime, 0xffff);
  b.write32(xm::kMode, XmacBench::kMode | kPauseModes);
  b.write(xm::kRxCmd, 0x0190);  // skge's for jumbo frames: LENERR_OK, BIG_PK_OK, STRIP_FCS
  b.takes = false;
  b.arrive(XmacBench::frame(4018));
  b.xmac.rx_leaves(true);
  b.arrive(XmacBench::frame(4018));
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
  XmacBench b;
  b.up();
  b.write(xm::kRxCmd, 0x0190);
  b.takes = false;
  b.arrive(XmacBench::frame(9018));
  b.xmac.rx_leaves(true);
  b.arrive(XmacBench::frame(9018));
  EXPECT_EQ(b.xmac.overflows.value(), 0U);
  b.arrive(XmacBench::frame(64));
  EXPECT_EQ(b.xmac.overflows.value(), 1U) << "the second one does not leave";
  b.take();
  b.take();
  EXPECT_EQ(b.received.size(), 2U);
  b.arrive(XmacBench::frame(64));
  EXPECT_TRUE(b.xmac.rx_waits());
}

TEST(Xmac, AFlushOfTheFifoSendsXon) {
  XmacBench b;
  b.up();
  b.write(xm::kMacPtime, 0xffff);
  b.write32(xm::kMode, XmacBench::kMode | kPauseModes);
  b.takes = false;
  for (int i = 0; i < 5; ++i) b.arrive(XmacBench::frame(1518));
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value(), 1U);
  b.write(xm::kMode, XmacBench::kMode | 1);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xon.value(), 1U);
}

TEST(Xmac, XoffAsksForTheTimeInItsRegisterFromTheStationsAddress) {
  XmacBench b;
  b.far.mac.set_pass_control(true, false);
  b.up();
  b.write(xm::kMacPtime, 0x1234);
  b.write(xm::kMode + 2, 0x0010);
  EXPECT_EQ(b.read(xm::kMode + 2), 0U) << "the command clears itself";
  b.run(kUs);
  ASSERT_EQ(b.far.arrivals.size(), 1U);
  const std::uint8_t* bytes = b.far.arrivals[0].frame->data();
  EXPECT_EQ(std::memcmp(bytes + 6, XmacBench::kMe.data(), 6), 0);
  EXPECT_EQ(read_be16(bytes + 16), 0x1234);
}

TEST(Xmac, WatermarksSendNothingWithoutTheirModes) {
  XmacBench b;
  b.up();
  b.write(xm::kMacPtime, 0xffff);
  b.takes = false;
  for (int i = 0; i < 6; ++i) b.arrive(XmacBench::frame(1518));
  while (b.xmac.rx_waits()) b.take();
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value() + b.far.mac.rx_xon.value(), 0U);
}

TEST(Xmac, TheRamBuffersRequestSendsOnItsEdges) {
  XmacBench b;
  b.up();
  b.write(xm::kMacPtime, 0xffff);
  b.xmac.set_ram_pause(true);
  b.xmac.set_ram_pause(false);
  b.run(10 * kUs);
  EXPECT_EQ(b.far.mac.rx_xoff.value() + b.far.mac.rx_xon.value(), 0U) << "not without its mode";
  b.write32(xm::kMode, XmacBench::kMode | 0x0200'0000);
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
