// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/models/nic/dp83820/dp83820_fixture.h"

namespace longhaul::nic::dp83820 {
namespace {

using namespace regs;  // NOLINT: names of the registers
using longhaul::testing::be16;
using longhaul::testing::make_packet;
using longhaul::testing::PacketSpec;
using longhaul::testing::plain_checksum;
using ::testing::ElementsAre;

constexpr std::size_t kIp = 14;
constexpr std::size_t kL4 = 34;

/// A sum that is right over what it covers, itself included, is zero.
bool ip_sum_is_right(const ByteVector& f) { return plain_checksum(f, kIp, kL4) == 0; }
bool l4_sum_is_right(const ByteVector& f) {
  const std::uint32_t length = be16(f, kIp + 2) - 20;
  ByteVector pseudo(f.begin() + kIp + 12, f.begin() + kL4);
  longhaul::testing::append(
      pseudo, {0, f.at(kIp + 9), static_cast<int>(length >> 8), static_cast<int>(length & 0xff)});
  pseudo.insert(pseudo.end(), f.begin() + kL4, f.begin() + kL4 + length);
  return plain_checksum(pseudo, 0, pseudo.size()) == 0;
}

TEST(Dp83820Tx, AFrameGoesOutAndItsDescriptorComesBack) {
  Dp83820Fixture b;
  b.open();
  const std::size_t before = b.bus.seen.size();
  const ByteVector packet = b.to_me(600);
  b.send({packet});
  EXPECT_NE(b.read(kCr) & kCrFields.txe, 0U);
  b.run_us(20);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].bytes, packet);
  EXPECT_EQ(b.tx_status(0), cmdsts::kOk | cmdsts::kIntr | 600U);
  EXPECT_EQ(b.read(kTxdp), b.tx_at(1)) << "it waits at the next descriptor";
  EXPECT_EQ(b.read(kCr) & kCrFields.txe, 0U);
  EXPECT_TRUE(b.inta());
  EXPECT_EQ(b.read(kIsr), kIsrFields.tx_ok | kIsrFields.tx_desc | kIsrFields.tx_idle);
  // Descriptor, two bursts of at most 512 B, status, and the next descriptor.
  std::vector<std::uint32_t> lengths;
  for (std::size_t i = before; i < b.bus.seen.size(); ++i) lengths.push_back(b.bus.seen[i].bytes);
  EXPECT_THAT(lengths, ElementsAre(24U, 512U, 88U, 4U, 24U));
  EXPECT_EQ(b.nic->tx().fifo_fill.value(), 0U);
  EXPECT_EQ(b.nic->tx().engine().state.state(), Engine::kIdleState);
}

TEST(Dp83820Tx, PiecesAreJoinedAndShortFramesPadded) {
  Dp83820Fixture b;
  b.open();
  const ByteVector packet = b.to_me(50);
  b.send({{packet.begin(), packet.begin() + 14},
          {packet.begin() + 14, packet.begin() + 15},
          {packet.begin() + 15, packet.end()}});
  b.run_us(20);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  ByteVector padded = packet;
  padded.resize(60);
  EXPECT_EQ(b.wire.sent[0].bytes, padded);
  EXPECT_EQ(b.tx_status(0), cmdsts::kMore | 14U) << "OK is of the last one";
  EXPECT_EQ(b.tx_status(2), cmdsts::kOk | cmdsts::kIntr | 35U);
}

TEST(Dp83820Tx, AListWithoutSuccessorGoesOnFromItsLink) {
  Dp83820Fixture b;
  b.open();
  const ByteVector packet = b.to_me(100);
  std::copy(packet.begin(), packet.end(), b.bus.memory.begin() + b.kTxData);
  b.describe(b.tx_at(0), 0, b.kTxData, cmdsts::kOwn | 100, 0);
  b.write(kCr, kCrFields.txe);
  b.run_us(20);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.read(kTxdp), b.tx_at(0));
  b.write(kCr, kCrFields.txe);
  b.run_us(20);
  EXPECT_EQ(b.wire.sent.size(), 1U) << "the link is still null";
  b.describe(b.tx_at(5), 0, b.kTxData, cmdsts::kOwn | 80, 0);
  b.put_word(b.tx_at(0), b.tx_at(5));
  b.write(kCr, kCrFields.txe);
  b.run_us(20);
  EXPECT_EQ(b.wire.sent.size(), 2U);
}

TEST(Dp83820Tx, SumsAreComputedInWhole) {
  Dp83820Fixture b;
  b.open();
  for (const bool tcp : {true, false}) {
    PacketSpec spec;
    spec.tcp = tcp;
    spec.payload = 301;
    ByteVector packet = make_packet(spec);
    packet[kL4 + (tcp ? 16 : 6)] = 0xab;  // Linux leaves the pseudo header's sum there
    b.send({packet}, extsts::kIp | (tcp ? extsts::kTcp : extsts::kUdp));
    b.run_us(20);
    const ByteVector& sent = b.wire.sent.back().bytes;
    EXPECT_TRUE(ip_sum_is_right(sent));
    EXPECT_TRUE(l4_sum_is_right(sent)) << (tcp ? "TCP" : "UDP");
  }
}

TEST(Dp83820Tx, WithoutBeingAskedItChangesNothing) {
  Dp83820Fixture b;
  b.open();
  const ByteVector packet = make_packet({});
  b.send({packet});
  b.write(kVtcr, 0);
  b.send({packet}, extsts::kIp | extsts::kTcp);
  b.run_us(20);
  ASSERT_EQ(b.wire.sent.size(), 2U);
  EXPECT_EQ(b.wire.sent[0].bytes, packet);
}

TEST(Dp83820Tx, ATagIsInserted) {
  Dp83820Fixture b;
  b.open();
  const ByteVector packet = b.to_me(100);
  b.send({packet}, extsts::kTagged | 0x0520);  // tag 0x2005, its first byte below
  b.run_us(20);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  const ByteVector& sent = b.wire.sent[0].bytes;
  EXPECT_EQ(sent.size(), 104U);
  EXPECT_EQ(be16(sent, 12), 0x8100U);
  EXPECT_EQ(be16(sent, 14), 0x2005U);
  EXPECT_EQ(be16(sent, 16), 0x88b5U);
}

TEST(Dp83820Tx, APacketLargerThanTheFifoIsAnError) {
  Dp83820Fixture b;
  b.open();
  b.send({b.to_me(9000)});
  b.run_us(200);
  EXPECT_TRUE(b.wire.sent.empty());
  EXPECT_NE(b.tx_status(0) & cmdsts::kError, 0U);
  EXPECT_NE(b.read(kIsr) & kIsrFields.tx_err, 0U);
  EXPECT_EQ(b.nic->tx().fifo_fill.value(), 0U);
  b.send({b.to_me(200)});
  b.run_us(20);
  EXPECT_EQ(b.wire.sent.size(), 1U);
}

TEST(Dp83820Tx, TheFifoHoldsTheBusBackWhileTheWireIsStopped) {
  Dp83820Fixture b;
  b.open();
  b.set_carrier(false);
  for (int i = 0; i < 8; ++i) b.send({b.to_me(1514)});
  b.run_us(200);
  EXPECT_LE(b.nic->tx().fifo_fill.value(), 8192U);
  EXPECT_GT(b.nic->tx().fifo_fill.value(), 8192U - 512);
  EXPECT_EQ(b.nic->tx().engine().state.state(), Engine::kBlockedState);
  b.set_carrier(true);
  b.run_us(200);
  EXPECT_EQ(b.wire.sent.size(), 8U);
  EXPECT_EQ(b.nic->tx().fifo_fill.value(), 0U);
}

TEST(Dp83820Tx, AnAbortOnTheBusIsToldAndTheFrameIsGone) {
  Dp83820Fixture b;
  b.open();
  b.bus.hole_begin = 15U << 20;
  b.describe(b.tx_at(0), b.tx_at(1), 15U << 20, cmdsts::kOwn | 100, 0);
  b.put_word(b.tx_at(1) + 16, 0);
  b.write(kCr, kCrFields.txe);
  b.run_us(20);
  EXPECT_TRUE(b.wire.sent.empty());
  EXPECT_NE(b.tx_status(0) & cmdsts::kError, 0U);
  EXPECT_NE(b.read(kIsr) & kIsrFields.rmabt, 0U);
  b.write(kTxdp, 15U << 20);
  b.write(kCr, kCrFields.txe);
  b.run_us(20);
  EXPECT_EQ(b.read(kCr) & kCrFields.txe, 0U) << "a list that cannot be read rests";
  EXPECT_EQ(b.nic->tx().discarded.value(), 1U);
}

TEST(Dp83820Tx, AResetForgetsEverything) {
  Dp83820Fixture b;
  b.open();
  b.set_carrier(false);
  for (int i = 0; i < 8; ++i) b.send({b.to_me(1514)});
  b.run_us(200);
  b.write(kCr, kCrFields.txr);
  EXPECT_NE(b.read(kIsr) & kIsrFields.tx_rcmp, 0U);
  EXPECT_EQ(b.nic->tx().fifo_fill.value(), 0U);
  b.set_carrier(true);
  b.run_us(100);
  EXPECT_TRUE(b.wire.sent.empty());
  b.write(kTxdp, b.tx_at(b.tx_next));
  b.send({b.to_me(100)});
  b.run_us(100);
  EXPECT_EQ(b.wire.sent.size(), 1U);
}

TEST(Dp83820Tx, LoopbackReceivesWhatIsSent) {
  Dp83820Fixture b;
  b.open();
  b.write(kTxcfg, b.read(kTxcfg) | kTxcfgFields.mlb);
  const ByteVector packet = b.to_me(200);
  b.send({packet});
  b.run_us(50);
  EXPECT_TRUE(b.wire.sent.empty());
  EXPECT_EQ(b.received(0), packet);
}

TEST(Dp83820Tx, DescriptorsOf32BitsHaveNoUpperHalves) {
  Dp83820Fixture b;
  b.open();
  b.write(kCfg, b.kCfg & ~(kCfgFields.m64addr | kCfgFields.extsts_en));
  const ByteVector packet = b.to_me(100);
  std::copy(packet.begin(), packet.end(), b.bus.memory.begin() + b.kTxData);
  b.put_word(b.tx_at(0), 0);
  b.put_word(b.tx_at(0) + 4, b.kTxData);
  b.put_word(b.tx_at(0) + 8, cmdsts::kOwn | 100);
  b.write(kCr, kCrFields.txe);
  b.run_us(20);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].bytes, packet);
  EXPECT_EQ(b.word(b.tx_at(0) + 8), cmdsts::kOk | 100U);
}

}  // namespace
}  // namespace longhaul::nic::dp83820
