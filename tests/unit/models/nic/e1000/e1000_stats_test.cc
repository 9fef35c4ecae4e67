// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000_stats.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/e1000/e1000_fixture.h"

namespace longhaul::nic::e1000 {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

TEST(E1000Stats, ReceivedFramesFallIntoTheirSizes) {
  E1000Fixture b;
  b.up({});
  struct Bin {
    std::uint32_t smallest, largest, reg;
  };
  const Bin bins[] = {{64, 64, 0x405c},   {65, 127, 0x4060},   {128, 255, 0x4064},
                      {256, 511, 0x4068}, {512, 1023, 0x406c}, {1024, 1522, 0x4070}};
  std::uint64_t octets = 0;
  for (const Bin& bin : bins) {
    for (const std::uint32_t size : {bin.smallest, bin.largest}) {
      ByteVector bytes(size - 4, 0);
      const PacketSpec spec = E1000Fixture::to_me();
      std::copy(spec.to.begin(), spec.to.end(), bytes.begin());
      bytes[12] = 0x90;
      b.receive(bytes);
      b.run_us(5);
      octets += size;
    }
  }
  for (const Bin& bin : bins) EXPECT_EQ(b.read(bin.reg), 2U) << std::hex << bin.reg;
  EXPECT_EQ(b.read(0x4074), 12U) << "GPRC";
  EXPECT_EQ(b.statistic(0x4088), octets) << "GORC";
  EXPECT_EQ(b.read(0x40d0), 12U) << "TPR";
  EXPECT_EQ(b.statistic(0x40c0), octets) << "TOR";
  EXPECT_EQ(b.read(0x4074), 0U) << "cleared by reading";
  EXPECT_EQ(b.statistic(0x40c0), 0U);
}

TEST(E1000Stats, SentFramesCountWithPaddingAndFcsByKind) {
  E1000Fixture b;
  b.up({});
  ByteVector small(40, 0);
  std::fill_n(small.begin(), 6, 0xff);
  b.send(small);
  ByteVector group(1000, 0);
  group[0] = 1;
  b.send(group);
  b.run_us(50);
  EXPECT_EQ(b.read(0x4080), 2U) << "GPTC";
  EXPECT_EQ(b.read(0x40d4), 2U) << "TPT";
  EXPECT_EQ(b.statistic(0x4090), 64U + 1004) << "GOTC";
  EXPECT_EQ(b.read(0x40d8), 1U) << "PTC64";
  EXPECT_EQ(b.read(0x40e8), 1U) << "PTC1023";
  EXPECT_EQ(b.read(0x40f0), 1U) << "MPTC";
  EXPECT_EQ(b.read(0x40f4), 1U) << "BPTC";
}

TEST(E1000Stats, BroadcastIsNoMulticastAndPauseOnlyInTheTotals) {
  E1000Fixture b;
  b.up({});
  PacketSpec spec;
  spec.to = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  b.receive(good_packet(spec));
  b.receive(ByteVector{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0x08, 0, 1, 0, 0});
  b.run_us(5);
  EXPECT_EQ(b.read(0x4078), 1U) << "BPRC";
  EXPECT_EQ(b.read(0x407c), 0U) << "MPRC";
  EXPECT_EQ(b.read(0x4074), 1U) << "GPRC";
  EXPECT_EQ(b.read(0x40d0), 2U) << "TPR";
  EXPECT_EQ(b.statistic(0x40c0), good_packet(spec).size() + 4 + 64) << "TOR";
  EXPECT_EQ(b.read(0x4048), 1U) << "XONRXC";
}

TEST(E1000Stats, ShortAndDamagedFramesHaveTheirCounters) {
  E1000Fixture b;
  b.up({});
  const auto runt = [] {
    FrameRef ref = Frame::allocate(40);
    std::memset(ref.writable().data(), 0, 40);
    return ref;
  };
  b.receive(runt());
  FrameRef fragment = runt();
  fragment.writable().flip_bit(100);
  b.receive(fragment);
  EXPECT_EQ(b.read(0x40a4), 1U) << "RUC";
  EXPECT_EQ(b.read(0x40a8), 1U) << "RFC";
}

TEST(E1000Stats, ResetClearsThem) {
  E1000Fixture b;
  b.up({});
  b.receive(good_packet(E1000Fixture::to_me()));
  b.run_us(5);
  b.reset();
  EXPECT_EQ(b.read(0x4074), 0U);
  EXPECT_EQ(b.statistic(0x40c0), 0U);
}

}  // namespace
}  // namespace longhaul::nic::e1000
