// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/genesis/xmac_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using testing::XmacFixture;

// ---- registers and reset

TEST(Xmac, ARegisterIsAHalfwordInFourBytes) {
  XmacFixture b;
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
  XmacFixture b;
  b.xmac.set_reset(false);
  struct Row {
    std::uint32_t x, value;
  };
  const Row rows[] = {{0x000, 0},      {0x010, 0x8100}, {0x024, 15},   {0x030, 0},
                      {0x044, 0xffff}, {0x068, 0x8001}, {0x06a, 0xc2}, {0x06c, 0x100},
                      {0x074, 1},      {0x076, 0},      {0x118, 512},  {0x11a, 1024},
                      {0x124, 0},      {0x126, 0},      {0x200, 0},    {0x108, 0}};
  for (const Row& row : rows) EXPECT_EQ(b.read(row.x), row.value) << std::hex << row.x;
}

TEST(Xmac, StartsInResetDarkAndDeaf) {
  XmacFixture b;
  EXPECT_TRUE(b.xmac.in_reset());
  EXPECT_FALSE(b.far.mac.carrier());
  b.write(xm::kMmuCmd, 3);
  b.write32(xm::kMode, 0x4f80);
  b.write(xm::kImsk, 0);
  b.write_address(xm::kSa, XmacFixture::kMe);
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
  XmacFixture b;
  b.up(XmacFixture::kMode | 8);
  b.write(xm::kImsk, 0xf7ff);
  b.phy_write(4, 0x20);
  b.takes = false;
  b.arrive(XmacFixture::frame(100));
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
  b.run(XmacFixture::kNegotiationPs + kNs);
  b.write(xm::kMmuCmd, 3);
  b.takes = true;
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.taken(), 0U) << "promiscuous mode and the address are forgotten";
}

TEST(Xmac, ResetForgetsTheStationsAddress) {
  XmacFixture b;
  b.up();
  b.xmac.set_reset(true);
  b.run(kMs);
  b.xmac.set_reset(false);
  b.run(XmacFixture::kNegotiationPs + kNs);
  b.write32(xm::kMode, XmacFixture::kMode);
  b.write(xm::kMmuCmd, 3);
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.taken(), 0U);
}

TEST(Xmac, ResetForgetsThePhyAccess) {
  XmacFixture b;
  b.init();
  EXPECT_EQ(b.phy_read(4), 0x01e0);
  b.xmac.set_reset(true);
  EXPECT_EQ(b.read(xm::kPhyData), 0U);
  b.xmac.set_reset(false);
  EXPECT_EQ(b.read(xm::kPhyData), 0U);
  EXPECT_EQ(b.read(xm::kPhyData), 0x1140U) << "register 0";
}

TEST(Xmac, ResetForgetsCausesAndPauses) {
  XmacFixture b;
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
  XmacFixture b;
  b.up();
  b.xmac.set_reset(true);
  b.xmac.set_reset(true);
  EXPECT_EQ(b.receive_flushes, 0);
}

// ---- link

TEST(Xmac, LinkComesAsTheDriverSeesIt) {
  XmacFixture b;
  EXPECT_EQ(b.read(xm::kGpPort), 1U);
  b.init();
  EXPECT_EQ(b.read(xm::kGpPort), 0x40U) << "light, and negotiation under way";
  b.phy_write(4, 0x01e0);
  b.phy_write(0, 0x1200);
  b.run(XmacFixture::kNegotiationPs);
  EXPECT_EQ(b.phy_read(1) & 0x20, 0);
  b.run(1);
  EXPECT_EQ(b.read(xm::kGpPort), 0U);
  EXPECT_EQ(b.phy_read(1) & 0x24, 0x24);
  EXPECT_EQ(b.phy_read(5), 0x41e0);
  EXPECT_EQ(b.phy_read(16), 0xa0);
  EXPECT_EQ(b.read(xm::kIsrc), 0x80U) << "negotiation done";
}

TEST(Xmac, PhyDataIsThereAtTheSecondRead) {
  XmacFixture b;
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
  XmacFixture b;
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
  XmacFixture b;
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
  XmacFixture b;
  b.up();
  b.link.set_up(false);
  EXPECT_EQ(b.phy_read(1) & 0x20, 0);
  b.run(kSecond);
  b.link.set_up(true);
  b.run(kNs);
  EXPECT_EQ(b.phy_read(1) & 0x20, 0);
  EXPECT_EQ(b.read(xm::kGpPort), 0x40U);
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.taken(), 0U) << "not before negotiation is over";
  b.run(XmacFixture::kNegotiationPs);
  EXPECT_EQ(b.phy_read(1) & 0x20, 0x20);
  EXPECT_EQ(b.read(xm::kMmuCmd), 3U) << "still enabled";
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.taken(), 1U);
}

TEST(Xmac, ASilentPartnerGivesALinkOnlyByForce) {
  XmacFixture b(LinkPartner::kSilent);
  b.up();
  b.run(kSecond);
  b.send(XmacFixture::frame(100, XmacFixture::kFar));
  b.run(kMs);
  EXPECT_EQ(b.far.received, 0U);
  b.phy_write(0, 0x0100);
  b.run(kMs);
  EXPECT_EQ(b.far.received, 1U);
}

TEST(Xmac, APartnerWithoutPauseIsSeenInTheRegisters) {
  XmacFixture b(LinkPartner::kNoPause);
  b.up();
  EXPECT_EQ(b.phy_read(5), 0x4020);
  EXPECT_EQ(b.phy_read(16), 0x20);
}

TEST(Xmac, LatchedCausesClearOnReadAndObeyTheMask) {
  XmacFixture b;
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
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.read(xm::kIsrc), 1U);
  b.send(XmacFixture::frame(100));
  EXPECT_EQ(b.read(xm::kIsrc), 2U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
