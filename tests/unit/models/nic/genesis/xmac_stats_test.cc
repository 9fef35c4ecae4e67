// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac_stats.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/unit/models/nic/genesis/xmac_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using testing::XmacFixture;

/// Snaps, and expects these counters; all others that skge reads, and those of sizes, are zero.
void expect_counters(XmacFixture& b, const std::map<std::uint32_t, std::uint32_t>& expected) {
  const std::vector<std::uint32_t> all = {
      0x280, 0x284, 0x288, 0x28c, 0x290, 0x294, 0x298, 0x2a0, 0x2a8, 0x2ac, 0x2b0, 0x2b4, 0x2c0,
      0x2d0, 0x2d4, 0x2d8, 0x2dc, 0x2e0, 0x2e4, 0x300, 0x304, 0x308, 0x30c, 0x310, 0x314, 0x318,
      0x334, 0x338, 0x340, 0x34c, 0x350, 0x354, 0x368, 0x36c, 0x370, 0x374, 0x378, 0x37c};
  b.write(xm::kStatCmd, 0x30);
  EXPECT_EQ(b.read(xm::kStatCmd), 0U) << "done at once";
  for (const std::uint32_t x : all) {
    const auto found = expected.find(x);
    EXPECT_EQ(b.read32(x), found == expected.end() ? 0 : found->second) << std::hex << x;
  }
}

TEST(XmacStats, ReceivedFramesCountByKindAndOctets) {
  XmacFixture b;
  b.up(XmacFixture::kMode | 8);
  b.arrive(XmacFixture::frame(64));
  b.arrive(XmacFixture::frame(1518));
  b.arrive(XmacFixture::frame(100, XmacFixture::kGroup));
  for (int i = 0; i < 3; ++i) b.arrive(XmacFixture::frame(300, test::kBroadcast));
  expect_counters(b, {{0x300, 6},
                      {0x308, 64 + 1518 + 100 + 900},
                      {0x30c, 3},
                      {0x310, 1},
                      {0x314, 2},
                      {0x368, 1},
                      {0x36c, 1},
                      {0x374, 3},
                      {0x37c, 1}});
}

TEST(XmacStats, SentFramesCountByKindWithPaddingAndFcs) {
  XmacFixture b;
  b.up();
  b.send(XmacFixture::frame(40, XmacFixture::kFar));
  b.send(XmacFixture::frame(1518, XmacFixture::kFar));
  b.send(XmacFixture::frame(9018, XmacFixture::kFar));
  b.send(XmacFixture::frame(100, XmacFixture::kGroup));
  b.send(XmacFixture::frame(300, test::kBroadcast));
  b.run(kMs);
  EXPECT_EQ(b.far.received, 5U);
  expect_counters(b, {{0x280, 5},
                      {0x288, 64 + 1518 + 9018 + 100 + 300},
                      {0x28c, 1},
                      {0x290, 1},
                      {0x294, 3},
                      {0x298, 1},
                      {0x2d0, 1},
                      {0x2d4, 1},
                      {0x2dc, 1},
                      {0x2e4, 2}});
}

TEST(XmacStats, SizesFallIntoTheirBins) {
  XmacFixture b;
  b.up();
  struct Bin {
    std::uint32_t smallest, largest, received, sent;
  };
  const Bin bins[] = {{64, 64, 0x368, 0x2d0},    {65, 127, 0x36c, 0x2d4},
                      {128, 255, 0x370, 0x2d8},  {256, 511, 0x374, 0x2dc},
                      {512, 1023, 0x378, 0x2e0}, {1024, 1518, 0x37c, 0x2e4}};
  for (const Bin& bin : bins) {
    for (const std::uint32_t octets : {bin.smallest, bin.largest}) {
      b.arrive(XmacFixture::frame(octets));
      b.send(XmacFixture::frame(octets));
    }
  }
  b.run(kMs);
  for (const Bin& bin : bins) {
    EXPECT_EQ(b.counter(bin.received), 2U) << bin.largest;
    EXPECT_EQ(b.counter(bin.sent), 2U) << bin.largest;
  }
}

TEST(XmacStats, FaultsHaveTheirCountersAndAreNotGood) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(50));
  b.arrive(XmacFixture::damaged(XmacFixture::frame(50)));
  b.arrive(XmacFixture::frame(1600));
  for (int i = 0; i < 3; ++i) b.arrive(XmacFixture::damaged(XmacFixture::frame(1600)));
  for (int i = 0; i < 4; ++i) b.arrive(XmacFixture::damaged(XmacFixture::frame(500)));
  expect_counters(b, {{0x34c, 2}, {0x350, 1}, {0x338, 3}, {0x354, 4}});
}

TEST(XmacStats, FaultsCountWhateverModeAndFilterSay) {
  XmacFixture b;
  b.up(0);
  b.arrive(XmacFixture::damaged(XmacFixture::frame(500)));
  b.arrive(XmacFixture::frame(50, test::station(77)));
  expect_counters(b, {{0x34c, 1}, {0x354, 1}});
}

TEST(XmacStats, LengthErrorsThatAreFineAreGoodFramesToo) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(200, XmacFixture::kMe, 100));
  expect_counters(b, {{0x300, 1}, {0x308, 200}, {0x314, 1}, {0x340, 1}, {0x370, 1}});
}

TEST(XmacStats, BigPacketsThatAreFineAreNotLong) {
  XmacFixture b;
  b.up(XmacFixture::kMode, XmacFixture::kRxCmd | 0x80);
  b.arrive(XmacFixture::frame(9018));
  expect_counters(b, {{0x300, 1}, {0x308, 9018}, {0x314, 1}, {0x37c, 1}});
}

TEST(XmacStats, FramesForOthersAreNotCounted) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(100, test::station(77)));
  expect_counters(b, {});
}

TEST(XmacStats, FramesLostToAFullFifoAreOverflowsAndNothingElse) {
  XmacFixture b;
  b.up();
  b.takes = false;
  for (int i = 0; i < 8; ++i) b.arrive(XmacFixture::frame(1518));
  expect_counters(b, {{0x300, 5}, {0x308, 5 * 1518}, {0x314, 5}, {0x334, 3}, {0x37c, 5}});
}

TEST(XmacStats, PauseFramesHaveTheirOwnCounters) {
  XmacFixture b;
  b.up();
  b.far.mac.send_pause(10);
  b.run(10 * kUs);
  b.far.mac.send_pause(0);
  b.run(10 * kUs);
  b.write(xm::kMacPtime, 5);
  b.write(xm::kMode + 2, 0x10);
  b.run(10 * kUs);
  expect_counters(b, {{0x318, 2}, {0x2a0, 1}});
}

TEST(XmacStats, MacControlFramesArePausesAndOthers) {
  XmacFixture b;
  b.up();
  b.far.mac.send_pause(10);
  b.run(10 * kUs);
  b.arrive(XmacFixture::frame(64, XmacFixture::kMe, 0x8808));
  EXPECT_EQ(b.counter(0x31c), 2U);
  b.write(xm::kStatCmd, 2);
  EXPECT_EQ(b.counter(0x31c), 0U);
  b.write(xm::kMode + 2, 0x10);
  b.run(10 * kUs);
  EXPECT_EQ(b.counter(0x2a4), 1U);
}

TEST(XmacStats, ASnapshotStaysUntilTheNext) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.read32(0x314), 0U);
  EXPECT_EQ(b.counter(0x314), 1U);
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.read32(0x314), 1U);
  EXPECT_EQ(b.read32(0x314), 1U) << "reading does not clear";
  EXPECT_EQ(b.counter(0x314), 2U);
}

TEST(XmacStats, EachDirectionSnapsAlone) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(100));
  b.send(XmacFixture::frame(100));
  b.run(10 * kUs);
  b.write(xm::kStatCmd, 0x20);
  EXPECT_EQ(b.read32(0x314), 1U);
  EXPECT_EQ(b.read32(0x294), 0U);
  b.write(xm::kStatCmd, 0x10);
  EXPECT_EQ(b.read32(0x294), 1U);
}

TEST(XmacStats, EachDirectionClearsAlone) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(100));
  b.send(XmacFixture::frame(100));
  b.far.mac.send_pause(0);
  b.run(10 * kUs);
  b.write(xm::kStatCmd, 2);
  EXPECT_EQ(b.read(xm::kStatCmd), 0U);
  EXPECT_EQ(b.counter(0x314), 0U);
  EXPECT_EQ(b.counter(0x318), 0U);
  EXPECT_EQ(b.counter(0x294), 1U);
  b.write(xm::kMode + 2, 0x10);
  b.run(10 * kUs);
  EXPECT_EQ(b.counter(0x2a0), 1U);
  b.write(xm::kStatCmd, 1);
  EXPECT_EQ(b.counter(0x294), 0U);
  EXPECT_EQ(b.counter(0x2a0), 0U);
}

TEST(XmacStats, CopyingShowsCountersAsTheyGrow) {
  XmacFixture b;
  b.up();
  b.write(xm::kStatCmd, 8);
  EXPECT_EQ(b.read(xm::kStatCmd), 8U);
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.read32(0x314), 1U);
  b.write(xm::kStatCmd, 0);
  b.arrive(XmacFixture::frame(100));
  EXPECT_EQ(b.read32(0x314), 1U) << "as it was when copying ended";
  b.write(xm::kStatCmd, 4);
  EXPECT_EQ(b.read(xm::kStatCmd), 4U);
  b.send(XmacFixture::frame(100));
  EXPECT_EQ(b.read32(0x294), 1U);
  b.write(xm::kStatCmd, 0);
  b.send(XmacFixture::frame(100));
  b.run(10 * kUs);
  EXPECT_EQ(b.read32(0x294), 1U);
}

TEST(XmacStats, GpPortsResetClearsBothDirections) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(100));
  b.send(XmacFixture::frame(100));
  b.run(10 * kUs);
  b.write32(xm::kGpPort, 4);
  EXPECT_EQ(b.read32(xm::kGpPort), 0U);
  expect_counters(b, {});
}

TEST(XmacStats, MacResetClearsSnapshotsToo) {
  XmacFixture b;
  b.up();
  b.arrive(XmacFixture::frame(100));
  b.counter(0x314);
  b.xmac.set_reset(true);
  EXPECT_EQ(b.read32(0x314), 0U);
  expect_counters(b, {});
}

TEST(XmacStats, MacResetEndsCopying) {
  XmacFixture b;
  b.up();
  b.write(xm::kStatCmd, 0x0c);
  b.xmac.set_reset(true);
  b.run(kMs);
  b.up();
  EXPECT_EQ(b.read(xm::kStatCmd), 0U);
  b.arrive(XmacFixture::frame(100));
  b.send(XmacFixture::frame(100));
  b.run(10 * kUs);
  EXPECT_EQ(b.read32(0x314), 0U);
  EXPECT_EQ(b.read32(0x294), 0U);
}

TEST(XmacStats, OctetsCarryIntoTheHighWord) {
  RegisterBank bank{0x4000};
  EthMac mac{"mac"};
  XmacStats stats{bank, mac};
  for (std::uint32_t i = 0; i < 3; ++i) stats.received(Cast::kUnicast, 0x8000'0000U);
  stats.sent(Cast::kUnicast, 0xffff'ffffU);
  stats.sent(Cast::kUnicast, 1);
  stats.command(0x30);
  const auto at = [&bank](std::uint32_t x) {
    return bank.read(0x2000 + 2 * x) | bank.read(0x2004 + 2 * x) << 16U;
  };
  EXPECT_EQ(at(0x304), 1U);
  EXPECT_EQ(at(0x308), 0x8000'0000U);
  EXPECT_EQ(at(0x284), 1U);
  EXPECT_EQ(at(0x288), 0U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
