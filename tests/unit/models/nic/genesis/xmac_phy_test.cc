// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac_phy.h"

#include <gtest/gtest.h>

#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint64_t kNegotiation = 30 * kMs;

struct PhyFixture {
  explicit PhyFixture(LinkPartner partner = LinkPartner::kAlike)
      : phy(
            "phy", {from_ps(kNegotiation), partner},
            [this] {
              if (std::exchange(passed, phy.passes_frames()) != phy.passes_frames())
                changes.push_back(now_ps());
            },
            [this] { negotiated.push_back(now_ps()); }) {}
  void start() {
    phy.set_reset(false);
    phy.set_signal(true);
  }
  static void run(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }

  bool passed = false;
  std::vector<std::uint64_t> changes;  // of passes_frames()
  std::vector<std::uint64_t> negotiated;
  XmacPhy phy;
};

TEST(XmacPhy, NegotiationTakesItsTimeFromLightOn) {
  PhyFixture b;
  b.phy.set_reset(false);
  b.run(5 * kMs);
  EXPECT_FALSE(b.phy.synchronised());
  b.phy.set_signal(true);
  EXPECT_TRUE(b.phy.synchronised());
  EXPECT_TRUE(b.phy.negotiating());
  EXPECT_FALSE(b.phy.passes_frames());
  EXPECT_EQ(b.phy.read(1) & 0x20, 0);
  b.run(kSecond);
  EXPECT_FALSE(b.phy.negotiating());
  EXPECT_EQ(b.negotiated, (std::vector<std::uint64_t>{35 * kMs}));
  EXPECT_EQ(b.changes, (std::vector<std::uint64_t>{35 * kMs}));
  EXPECT_EQ(b.phy.read(1), 0x0149 | 0x20 | 4);
}

TEST(XmacPhy, LinkStatusLatchesLowUntilItIsRead) {
  PhyFixture b;
  b.start();
  EXPECT_EQ(b.phy.read(1), 0x0149) << "the past";
  EXPECT_EQ(b.phy.read(1), 0x014d);
  b.phy.set_signal(false);
  b.phy.set_signal(true);
  EXPECT_EQ(b.phy.read(1), 0x0149);
  EXPECT_EQ(b.phy.read(1), 0x014d);
  b.phy.set_signal(false);
  EXPECT_EQ(b.phy.read(1), 0x0149);
  EXPECT_EQ(b.phy.read(1), 0x0149);
}

TEST(XmacPhy, ResetValuesOfItsRegisters) {
  PhyFixture b;
  b.start();
  EXPECT_EQ(b.phy.read(0), 0x1140);
  EXPECT_EQ(b.phy.read(2), 0xd41c);
  EXPECT_EQ(b.phy.read(3), 0x0002);
  EXPECT_EQ(b.phy.read(4), 0x01e0);
  EXPECT_EQ(b.phy.read(5), 0);
  EXPECT_EQ(b.phy.read(15), 0xc000);
  EXPECT_EQ(b.phy.read(16), 0);
  EXPECT_EQ(b.phy.read(31), 0);
}

struct Resolution {
  LinkPartner partner;
  std::uint16_t advertised, heard, resolved;
};

void negotiates_to(const Resolution& r) {
  PhyFixture b(r.partner);
  b.start();
  b.phy.write(4, r.advertised);
  b.phy.write(0, 0x1200);
  b.run(kSecond);
  EXPECT_EQ(b.phy.read(5), r.heard);
  EXPECT_EQ(b.phy.read(16), r.resolved);
}

TEST(XmacPhy, APartnerAlikeSaysWhatThisEndSays) {
  negotiates_to({LinkPartner::kAlike, 0x01e0, 0x41e0, 0x00a0});
}
TEST(XmacPhy, SymmetricPauseIsResolvedBothWays) {
  negotiates_to({LinkPartner::kAlike, 0x00a0, 0x40a0, 0x00a0});
}
TEST(XmacPhy, TwoThatOnlySendAgreeOnNoPause) {
  negotiates_to({LinkPartner::kAlike, 0x0120, 0x4120, 0x0020});
}
TEST(XmacPhy, HalfDuplexAloneIsResolvedAsThat) {
  negotiates_to({LinkPartner::kAlike, 0x0040, 0x4040, 0x0040});
}
TEST(XmacPhy, APartnerWithoutPauseIsHeardSo) {
  negotiates_to({LinkPartner::kNoPause, 0x01e0, 0x4020, 0x0020});
}
TEST(XmacPhy, NothingInCommonIsAMismatch) {
  negotiates_to({LinkPartner::kNoPause, 0x0040, 0x4020, 0x0010});
}

TEST(XmacPhy, ASilentPartnerNeverCompletes) {
  PhyFixture b(LinkPartner::kSilent);
  b.start();
  b.phy.write(0, 0x1200);
  b.phy.read(1);
  b.run(10 * kSecond);
  EXPECT_TRUE(b.phy.negotiating());
  EXPECT_EQ(b.phy.read(1), 0x014d);
  EXPECT_EQ(b.phy.read(5), 0);
  EXPECT_FALSE(b.phy.passes_frames());
}

TEST(XmacPhy, ForcedModeIsUpWithLight) {
  PhyFixture b(LinkPartner::kSilent);
  b.start();
  b.phy.write(0, 0x0100);
  EXPECT_TRUE(b.phy.passes_frames());
  EXPECT_FALSE(b.phy.negotiating());
  b.phy.read(1);
  EXPECT_EQ(b.phy.read(1), 0x014d);
  b.phy.set_signal(false);
  EXPECT_FALSE(b.phy.passes_frames());
}

TEST(XmacPhy, ReturnOfLightNegotiatesAnew) {
  PhyFixture b;
  b.start();
  b.run(kSecond);
  b.phy.set_signal(false);
  EXPECT_FALSE(b.phy.passes_frames());
  EXPECT_EQ(b.phy.read(1) & 0x20, 0);
  b.run(kSecond);
  b.phy.set_signal(true);
  EXPECT_EQ(b.phy.read(1) & 0x20, 0);
  b.run(kSecond);
  EXPECT_EQ(b.negotiated, (std::vector<std::uint64_t>{30 * kMs, 2030 * kMs}));
}

TEST(XmacPhy, RestartTakesTheWholeTimeAgain) {
  PhyFixture b;
  b.start();
  b.run(20 * kMs);
  b.phy.write(0, 0x1200);
  EXPECT_EQ(b.phy.read(0), 0x1040) << "clears itself";
  b.run(kSecond);
  EXPECT_EQ(b.negotiated, (std::vector<std::uint64_t>{50 * kMs}));
  b.phy.write(0, 0x1000);
  EXPECT_TRUE(b.phy.passes_frames()) << "nothing changed";
}

TEST(XmacPhy, SoftwareResetBringsTheResetValues) {
  PhyFixture b;
  b.start();
  b.phy.write(4, 0x0020);
  b.phy.write(0, 0x0100);
  b.phy.write(0, 0x8000);
  EXPECT_EQ(b.phy.read(0), 0x1140);
  EXPECT_EQ(b.phy.read(4), 0x01e0);
  EXPECT_TRUE(b.phy.negotiating());
}

TEST(XmacPhy, ResetHoldsItAndIgnoresWrites) {
  PhyFixture b;
  b.start();
  b.run(kSecond);
  b.phy.write(4, 0x0020);
  b.phy.set_reset(true);
  EXPECT_FALSE(b.phy.synchronised());
  EXPECT_FALSE(b.phy.passes_frames());
  b.phy.write(4, 0x0020);
  EXPECT_EQ(b.phy.read(4), 0x01e0);
  b.run(kSecond);
  b.phy.set_reset(false);
  b.run(kSecond);
  EXPECT_EQ(b.negotiated, (std::vector<std::uint64_t>{30 * kMs, 2030 * kMs}));
}

TEST(XmacPhy, PageReceivedClearsOnReading) {
  PhyFixture b;
  b.start();
  EXPECT_EQ(b.phy.read(6), 0);
  b.run(kSecond);
  EXPECT_EQ(b.phy.read(6), 2);
  EXPECT_EQ(b.phy.read(6), 0);
}

TEST(XmacPhy, WritableBitsOfItsRegisters) {
  PhyFixture b;
  b.start();
  b.phy.write(4, 0xffff);
  EXPECT_EQ(b.phy.read(4), 0xb1e0);
  b.phy.write(7, 0x2001);
  EXPECT_EQ(b.phy.read(7), 0x2001);
  b.phy.write(0, 0x7fff);
  EXPECT_EQ(b.phy.read(0), 0x5140);
}

TEST(XmacPhy, ReadOnlyRegistersStay) {
  PhyFixture b;
  b.start();
  b.run(kSecond);
  for (const std::uint32_t address : {1U, 2U, 3U, 5U, 15U, 16U, 20U}) {
    b.phy.read(address);
    const std::uint16_t before = b.phy.read(address);
    b.phy.write(address, 0xa5a5);
    EXPECT_EQ(b.phy.read(address), before) << address;
  }
}

}  // namespace
}  // namespace longhaul::nic::genesis
