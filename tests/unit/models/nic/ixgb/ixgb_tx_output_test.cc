// SPDX-License-Identifier: Apache-2.0
// The output side of the transmit unit (ixgb_tx_output.cc): what leaves, in which form, and when.
#include <gtest/gtest.h>

#include "models/nic/ixgb/ixgb_tx.h"
#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

class IxgbTxChecksum : public ::testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(IxgbTxChecksum, IsInsertedAcrossBuffers) {
  IxgbFixture b;
  b.up({});
  IxgbFixture::SendOptions options;
  options.checksum = true;
  options.pieces = {66, 1, 500};
  options.spec.v6 = std::get<0>(GetParam());
  options.spec.tcp = std::get<1>(GetParam());
  options.spec.payload = 1001;
  ByteVector packet = make_packet(options.spec);
  if (!options.spec.v6) write_be16(packet, 24, plain_checksum(packet, 14, 34));
  write_be16(packet, l4_field(options.spec), pseudo_sum(options.spec, packet, true));
  b.send(packet, options);
  b.run_us(10);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_TRUE(checksums_right(options.spec, b.wire.sent[0].bytes));
  ByteVector sent = b.wire.sent[0].bytes;
  write_be16(sent, l4_field(options.spec), be16(packet, l4_field(options.spec)));
  EXPECT_EQ(sent, packet) << "and nothing else changed";
}

TEST_P(IxgbTxChecksum, ZeroIsSentAsOnesByUdpOnly) {
  IxgbFixture b;
  b.up({});
  IxgbFixture::SendOptions options;
  options.checksum = true;
  options.spec.v6 = std::get<0>(GetParam());
  options.spec.tcp = std::get<1>(GetParam());
  options.spec.payload = 100;
  ByteVector packet = make_packet(options.spec);
  if (!options.spec.v6) write_be16(packet, 24, plain_checksum(packet, 14, 34));
  write_be16(packet, l4_field(options.spec), pseudo_sum(options.spec, packet, true));
  // A payload word that takes what the sum of the rest lacks to all ones makes the checksum zero.
  const std::size_t word = packet.size() - 2;
  write_be16(packet, word, 0);
  write_be16(packet, word, plain_checksum(packet, l4_at(options.spec), packet.size()));
  b.send(packet, options);
  b.run_us(10);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(be16(b.wire.sent[0].bytes, l4_field(options.spec)), options.spec.tcp ? 0U : 0xffffU);
}
INSTANTIATE_TEST_SUITE_P(All, IxgbTxChecksum,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool()));

TEST(IxgbTxOutput, BackToBackFramesFillTheWire) {
  IxgbFixture b;
  b.config_write(0xe6, 2, 0x2e);  // 4 KB reads
  b.up({9000});
  b.bus.request_delay = sc_core::sc_time(20, sc_core::SC_NS);
  PacketSpec spec;
  spec.payload = 8948;
  for (int i = 0; i < 40; ++i) b.send(make_packet(spec));
  b.run_us(400);
  ASSERT_EQ(b.wire.sent.size(), 40U);
  const std::uint64_t frame_ps = (9014 + 24) * 800;
  for (std::size_t i = 5; i < 40; ++i)
    EXPECT_EQ(b.wire.sent[i].at_ps - b.wire.sent[i - 1].at_ps, frame_ps) << i;
}

TEST(IxgbTxOutput, PaceHoldsFramesApart) {
  IxgbFixture b;
  b.up({});
  b.write(regs::kPap, 0x00020000);  // 2 Gb/s
  for (int i = 0; i < 5; ++i) b.send(make_packet({}));
  b.run_us(50);
  ASSERT_EQ(b.wire.sent.size(), 5U);
  const std::uint64_t bytes = b.wire.sent[0].bytes.size() + 24;
  for (std::size_t i = 1; i < 5; ++i)
    EXPECT_EQ(b.wire.sent[i].at_ps - b.wire.sent[i - 1].at_ps, bytes * 4000);
}

TEST(IxgbTxOutput, ReceivedPauseHoldsTheTransmitterAndShowsInStatus) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.flow_control = true;
  b.up(settings);
  ByteVector pause = {0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 0x08, 0, 1, 0x01, 0x00};
  b.receive(pause);
  const std::uint64_t start = now_ps();
  EXPECT_NE(b.read(regs::kStatus) & regs::kStatusFields.txoff, 0U);
  b.send(make_packet({}));
  b.run_us(50);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].at_ps - start, 256ULL * 51'200);
  EXPECT_EQ(b.read(regs::kStatus) & regs::kStatusFields.txoff, 0U);
  EXPECT_EQ(b.read(0x21c8), 1U) << "XOFFRXC";
  EXPECT_EQ(b.read(0x2198), 1U) << "PFRC";
  EXPECT_EQ(b.read(0x2198), 0U) << "cleared by reading";
}

TEST(IxgbTxOutput, RoomOfAFrameIsFreeWhenItsLastByteHasLeft) {
  struct Waits final : observe::SpanListener {
    std::vector<std::uint64_t> ends;
    void on_span(const observe::SpanTap&, std::uint64_t, std::uint64_t end, const char*,
                 std::uint64_t, std::uint64_t) override {
      ends.push_back(end);
    }
  } waits;
  IxgbFixture b;
  b.up({16114});
  b.nic->tx().room_waits.listen(&waits);
  PacketSpec spec;
  spec.payload = 16114 - 52;  // two of 16128 B fit into 32 KB
  for (int i = 0; i < 3; ++i) b.send(make_packet(spec));
  b.run_us(100);
  ASSERT_EQ(b.wire.sent.size(), 3U);
  // Preamble, frame and FCS of the first, at 0.8 ns a byte.
  EXPECT_EQ(waits.ends, std::vector<std::uint64_t>({b.wire.sent[0].at_ps + (8 + 16128 + 4) * 800}));
}

TEST(IxgbTxOutput, PaceOfTheWanPhyHoldsFramesToItsPayloadRate) {
  IxgbFixture b;
  b.config_write(0xe6, 2, 0x2e);  // 4 KB reads
  b.up({9000});
  b.bus.request_delay = sc_core::sc_time(20, sc_core::SC_NS);
  b.write(regs::kPap, 0x000f0000);
  PacketSpec spec;
  spec.payload = 8948;
  for (int i = 0; i < 20; ++i) b.send(make_packet(spec));
  b.run_us(200);
  ASSERT_EQ(b.wire.sent.size(), 20U);
  // 9.58464 Gb/s of SONET payload in blocks of 66 bits for 64; the wire of the fixture itself is
  // faster.
  const double frame_ps = (9014 + 24) * 8e3 / (9.58464 * 64 / 66);
  for (std::size_t i = 5; i < 20; ++i) {
    EXPECT_NEAR(static_cast<double>(b.wire.sent[i].at_ps - b.wire.sent[i - 1].at_ps), frame_ps, 1.0)
        << i;
  }
}

TEST(IxgbTxOutput, APacketWhoseDataAreFasterThanTheEngineLeavesWhenThatIsThrough) {
  IxgbFixture b(nlohmann::json{{"tx_kib_clocks", 200}});
  b.up({});
  PacketSpec spec;
  spec.payload = 1400;
  const ByteVector packet = make_packet(spec);
  const std::uint64_t start = now_ps();
  b.send(packet);
  b.run_us(10);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  // Descriptor fetch, 16 clocks, 1.25 ns a byte (the three reads are back long before), latency.
  EXPECT_EQ(b.wire.sent[0].at_ps - start, 340'000 + 16 * 6400 + packet.size() * 1250 + 200'000);
}

TEST(IxgbTxOutput, ABadPacketWhoseDataAreFasterThanTheEngineHoldsUpNobody) {
  IxgbFixture b(nlohmann::json{{"tx_kib_clocks", 200}});
  b.up({});
  PacketSpec spec;
  spec.payload = 1400;
  b.bus.hole_begin = IxgbFixture::kTxData + 0x100000;
  b.tx_data = b.bus.hole_begin;
  b.send(make_packet(spec));
  b.tx_data = IxgbFixture::kTxData;
  b.send(make_packet(spec));
  b.run_us(20);
  EXPECT_EQ(b.nic->tx().discarded.value(), 1U);
  EXPECT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.clean_tx(), 2U);
}

TEST(IxgbTxOutput, FramesLeaveInTheOrderOfTheirDescriptorsWhateverTheOrderOfTheirData) {
  IxgbFixture b(nlohmann::json{{"tx_reads_ahead", 16}});
  b.config_write(0xe6, 2, 0x7e);  // 32 splits outstanding
  b.up({});
  int read = 0;
  b.bus.read_delay = [&read] {
    return sc_core::sc_time(read++ % 2 == 0 ? 3000 : 300, sc_core::SC_NS);
  };
  std::vector<ByteVector> packets;
  for (std::uint16_t i = 0; i < 12; ++i) {
    PacketSpec spec;
    spec.payload = 100U + i;
    packets.push_back(make_packet(spec));
    b.send(packets.back());
  }
  b.run_us(100);
  ASSERT_EQ(b.wire.sent.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(b.wire.sent[i].bytes, packets[i]) << i;
}

}  // namespace
}  // namespace longhaul::nic::ixgb
