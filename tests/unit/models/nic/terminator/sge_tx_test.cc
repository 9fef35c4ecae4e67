// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <numeric>

#include "tests/unit/models/nic/terminator/terminator_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using namespace regs;  // NOLINT: names of the registers
using longhaul::testing::good_packet;
using longhaul::testing::make_packet;
using longhaul::testing::PacketSpec;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint8_t kL4Sum = 0x10;  // CPL_TX_PKT with l4_csum_dis = 0

TEST(SgeTx, APacketGoesToEspiAndItsDescriptorComesBackWithTheSleep) {
  TerminatorFixture b;
  b.open();
  const std::size_t before = b.bus.seen.size();
  const ByteVector packet = b.packet(600);
  b.queue_pieces({b.with_cpl(packet)});
  b.ring();
  b.run_us(10);
  EXPECT_THAT(b.sent_frames(), ElementsAre(packet));
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(1));
  EXPECT_FALSE(responses[0].has_data());
  EXPECT_EQ(responses[0].credits(0), 1U);
  EXPECT_EQ(responses[0].credits(1), 0U);
  EXPECT_EQ(responses[0].sleeping(), kSgDoorbellFields.cmdq0_enable.mask());
  // Descriptors, the packet in 512 B reads, descriptors again, the response.
  std::vector<std::uint32_t> lengths;
  for (std::size_t i = before; i < b.bus.seen.size(); ++i) lengths.push_back(b.bus.seen[i].bytes);
  EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), 0U), 128U + 608U + 128U + 8U);
  EXPECT_EQ(b.read(kSgCmd0ptr), 0x10001U);
  EXPECT_EQ(b.nic->tx().fill.value(), 0U);
  EXPECT_EQ(b.nic->tx().engine().state.state(), Engine::kIdleState);
}

TEST(SgeTx, PiecesAreJoined) {
  TerminatorFixture b;
  b.open();
  const ByteVector packet = b.packet(9000);
  b.queue_pieces({b.with_cpl({packet.begin(), packet.begin() + 66}),
                  {packet.begin() + 66, packet.begin() + 4162},
                  {packet.begin() + 4162, packet.begin() + 8258},
                  {packet.begin() + 8258, packet.end()}});
  b.ring();
  b.run_us(40);
  EXPECT_THAT(b.sent_frames(), ElementsAre(packet));
  EXPECT_EQ(b.responses().at(0).credits(0), 4U);
}

TEST(SgeTx, ElidedPayloadStaysElided) {
  TerminatorFixture b;
  b.open();
  ByteVector packet(4000, 0);
  std::copy_n(b.packet(66).begin(), 66, packet.begin());
  const auto split = [&](std::ptrdiff_t at) {
    return std::vector<ByteVector>{b.with_cpl({packet.begin(), packet.begin() + at}),
                                   {packet.begin() + at, packet.end()}};
  };
  b.queue_pieces(split(66));
  b.queue_pieces(split(2000));
  b.queue_pieces({b.with_cpl(packet)});
  b.ring();
  b.run_us(60);
  for (int i = 0; i < 3; ++i) {
    const FrameRef frame = b.nic->path().take_frame();
    EXPECT_LT(frame->stored(), 1000U) << i;
    EXPECT_EQ(ByteVector(frame->data(), frame->data() + frame->size()), packet) << i;
  }
}

TEST(SgeTx, ElidedBytesBeforeOthersAreZero) {
  TerminatorFixture b;
  b.open();
  ByteVector packet(4000, 0);
  std::copy_n(b.packet(66).begin(), 66, packet.begin());
  packet.back() = 1;
  b.queue_pieces(
      {b.with_cpl({packet.begin(), packet.begin() + 2000}), {packet.begin() + 2000, packet.end()}});
  b.ring();
  b.run_us(40);
  EXPECT_THAT(b.sent_frames(), ElementsAre(packet));
}

TEST(SgeTx, ADescriptorNeedsBothGenerationBits) {
  TerminatorFixture b;
  b.open();
  b.queue_pieces({b.with_cpl(b.packet(100))});
  const std::uint32_t at = b.command_at(0, 0);
  const std::uint32_t flags = b.word(at + 12);
  b.put_word(at + 12, flags & ~1U);
  b.ring();
  b.run_us(10);
  EXPECT_THAT(b.sent_frames(), IsEmpty());
  EXPECT_EQ(b.responses().at(0).sleeping(), 1U);
  b.put_word(at + 12, flags);
  b.run_us(10);
  EXPECT_THAT(b.sent_frames(), IsEmpty()) << "it sleeps until the doorbell";
  b.ring();
  b.run_us(10);
  EXPECT_THAT(b.sent_frames(), SizeIs(1));
}

TEST(SgeTx, TheGenerationChangesAtTheEndOfTheQueue) {
  TerminatorFixture b;
  b.open();
  std::uint32_t credits = 0;
  for (std::uint32_t i = 0; i < 2 * b.kCommandEntries + 10; i += 10) {
    for (std::uint32_t j = 0; j < 10; ++j)
      b.queue_pieces({b.with_cpl(b.packet(60 + (i + j) % 512))});
    b.ring();
    b.run_us(20);
    const auto frames = b.sent_frames();
    ASSERT_THAT(frames, SizeIs(10)) << i;
    for (std::uint32_t j = 0; j < 10; ++j) ASSERT_EQ(frames[j], b.packet(60 + (i + j) % 512));
    for (const auto& response : b.responses()) credits += response.credits(0);
  }
  EXPECT_EQ(credits, b.sent[0]);
  EXPECT_EQ(b.read(kSgCmd0ptr), 0x10000U | b.sent[0] % b.kCommandEntries);
}

TEST(SgeTx, AResponseReturnsAtMost31Credits) {
  TerminatorFixture b;
  b.open();
  b.write(kSgControl, b.control & ~kSgControlFields.response_queue_enable);
  for (std::uint32_t i = 0; i < 40; ++i) b.queue_pieces({b.with_cpl(b.packet(60))});
  b.ring();
  b.run_us(100);
  EXPECT_THAT(b.sent_frames(), SizeIs(40));
  EXPECT_THAT(b.responses(), IsEmpty());
  b.write(kSgControl, b.control);
  b.run_us(1);
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(2));
  EXPECT_EQ(responses[0].credits(0), 31U);
  EXPECT_EQ(responses[0].sleeping(), 0U) << "the sleep comes with the last credits";
  EXPECT_EQ(responses[1].credits(0), 9U);
  EXPECT_EQ(responses[1].sleeping(), 1U);
}

TEST(SgeTx, FinishedDescriptorsMakeAResponseOfTheirOwn) {
  TerminatorFixture b(nlohmann::json{{"credit_return", 4}});
  b.open();
  for (std::uint32_t i = 0; i < 10; ++i) b.queue_pieces({b.with_cpl(b.packet(1500))});
  b.ring();
  b.run_us(60);
  std::vector<std::uint32_t> credits;
  for (const auto& response : b.responses()) credits.push_back(response.credits(0));
  EXPECT_THAT(credits, ElementsAre(4U, 4U, 2U));
}

TEST(SgeTx, ADoorbellWithoutDescriptorsTellsOfTheSleepOnceMore) {
  TerminatorFixture b;
  b.open();
  b.ring();
  b.run_us(2);
  ASSERT_THAT(b.responses(), SizeIs(1));
  b.ring();
  b.run_us(2);
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(1)) << "sge_tx_reclaim_cb() relies on it";
  EXPECT_EQ(responses[0].sleeping(), 1U);
}

TEST(SgeTx, Queue1SleepsInSilenceIfControlSaysSo) {
  TerminatorFixture b(nlohmann::json{{"credit_return", 1}});
  b.open();
  b.queue_pieces({b.with_cpl(b.packet(200))}, 1);
  b.ring(kSgDoorbellFields.cmdq1_enable);
  b.run_us(10);
  EXPECT_THAT(b.sent_frames(), SizeIs(1));
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(1));
  EXPECT_EQ(responses[0].credits(1), 1U);
  EXPECT_EQ(responses[0].sleeping(), 0U);
}

TEST(SgeTx, QueuesTakeTurnsPacketByPacket) {
  TerminatorFixture b;
  b.open();
  for (std::uint8_t i = 0; i < 3; ++i) {
    b.queue_pieces({b.with_cpl(b.packet(3000, i))}, 0);
    b.queue_pieces({b.with_cpl(b.packet(3000, static_cast<std::uint8_t>(i + 100)))}, 1);
  }
  b.ring(3);
  b.run_us(60);
  std::vector<int> marks;
  for (const ByteVector& frame : b.sent_frames()) marks.push_back(frame[0] - 1);
  EXPECT_THAT(marks, ElementsAre(0, 100, 1, 101, 2, 102));
}

TEST(SgeTx, PacketsThatTheChipCannotHoldAreDiscarded) {
  TerminatorFixture b;
  b.open();
  b.describe(0, b.kTxData, 16385, 2 | 4 | 8);
  b.queue_pieces({b.with_cpl(b.packet(70))});
  b.ring();
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), ElementsAre(b.packet(70)));
  EXPECT_EQ(b.responses().at(0).credits(0), 2U);
  EXPECT_EQ(b.read(kSgIntCause), kSgIntFields.packet_too_big.mask());
  EXPECT_EQ(b.nic->tx().too_big.value(), 1U);
  EXPECT_EQ(b.nic->tx().discarded.value(), 1U);
  EXPECT_NE(b.read(kPlCause) & kPlIntrFields.pl_intr_sge_err, 0U);
  b.write(kSgIntCause, kSgIntFields.packet_too_big);
  EXPECT_EQ(b.read(kPlCause) & kPlIntrFields.pl_intr_sge_err, 0U);
}

TEST(SgeTx, A16KilobyteDescriptorIsRead) {
  TerminatorFixture b;
  b.open();
  b.queue_pieces({b.with_cpl(b.packet(16376))});
  b.ring();
  b.run_us(60);
  EXPECT_THAT(b.sent_frames(), ElementsAre(b.packet(16376)));
}

TEST(SgeTx, DescriptorsThatMakeNoPacketAreAMismatch) {
  TerminatorFixture b;
  b.open();
  b.describe(0, b.kTxData, 100, 2 | 8);  // no begin
  b.describe(0, b.kTxData, 100, 2 | 4);  // no end
  b.queue_pieces({b.with_cpl(b.packet(80))});
  b.describe(0, b.kTxData, 7, 2 | 4 | 8);  // no room for a CPL header
  b.ring();
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), ElementsAre(b.packet(80)));
  EXPECT_EQ(b.read(kSgIntCause), kSgIntFields.packet_mismatch.mask());
  EXPECT_EQ(b.nic->tx().mismatched.value(), 3U);
  std::uint32_t credits = 0;
  for (const auto& response : b.responses()) credits += response.credits(0);
  EXPECT_EQ(credits, 4U);
  EXPECT_EQ(b.nic->tx().fill.value(), 0U);
}

TEST(SgeTx, TcpChecksumsAreInsertedOnRequest) {
  TerminatorFixture b;
  b.open();
  const PacketSpec spec;
  ByteVector partial = good_packet(spec);
  partial.at(longhaul::testing::l4_field(spec)) ^= 0x5a;
  b.queue_pieces({b.with_cpl(partial, kL4Sum)});
  b.queue_pieces({b.with_cpl(partial)});
  b.ring();
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), ElementsAre(good_packet(spec), partial));
}

TEST(SgeTx, OnlyChecksumsThatTpIsSetToAreInserted) {
  TerminatorFixture b;
  b.open();
  PacketSpec udp;
  udp.tcp = false;
  const ByteVector without = make_packet(udp);
  b.queue_pieces({b.with_cpl(without, 0)});
  b.ring();
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), ElementsAre(without)) << "cxgb sets TCP_CSUM only";
  b.write(kTpGlobalConfig,
          b.read(kTpGlobalConfig) | kTpGlobalConfigFields.udp_csum | kTpGlobalConfigFields.ip_csum);
  b.queue_pieces({b.with_cpl(without, 0)});
  b.ring();
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), ElementsAre(good_packet(udp)));
}

TEST(SgeTx, ATagIsInserted) {
  TerminatorFixture b;
  b.open();
  PacketSpec spec;
  const ByteVector plain = good_packet(spec);
  spec.vlan = 0x6123;
  b.queue_pieces({b.with_cpl(plain, 0x70, 0x6123)});
  b.ring();
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), ElementsAre(good_packet(spec)));
}

TEST(SgeTx, MessagesOfAnOffloadAreCountedAndGivenBack) {
  TerminatorFixture b;
  b.open();
  ByteVector open_request(36, 0);
  open_request[0] = 0x05;  // CPL_ACT_OPEN_REQ
  b.queue_pieces({open_request});
  ByteVector lso = b.with_cpl(b.packet(3000));
  lso[0] = 0xb6;  // CPL_TX_PKT_LSO, which a T1B does not have
  b.queue_pieces({lso});
  b.ring();
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), IsEmpty());
  EXPECT_EQ(b.nic->path().unhandled_messages.value(), 2U);
  EXPECT_EQ(b.responses().at(0).credits(0), 2U);
  EXPECT_EQ(b.nic->tx().fill.value(), 0U);
}

TEST(SgeTx, ReadsWaitForRoomInThePacketMemory) {
  TerminatorFixture b(nlohmann::json{{"tx_buffer", "20KiB"}});
  b.open();
  for (std::uint32_t i = 0; i < 4; ++i) b.queue_pieces({b.with_cpl(b.packet(9000))});
  b.ring();
  b.run_us(100);
  EXPECT_EQ(b.nic->tx().fill.value(), 2U * 9008);
  EXPECT_EQ(b.nic->tx().engine().state.state(), Engine::kBlockedState);
  EXPECT_THAT(b.sent_frames(), SizeIs(2));
  b.run_us(100);
  EXPECT_THAT(b.sent_frames(), SizeIs(2));
}

TEST(SgeTx, AStoppedSgeGoesOnWhereItWas) {
  TerminatorFixture b;
  b.open();
  b.queue_pieces({b.with_cpl(b.packet(100))});
  b.ring();
  b.run_us(10);
  EXPECT_THAT(b.sent_frames(), SizeIs(1));
  b.responses();
  b.write(kSgControl, 0);  // t1_sge_stop()
  b.queue_pieces({b.with_cpl(b.packet(200))});
  b.ring();
  b.run_us(10);
  EXPECT_THAT(b.sent_frames(), IsEmpty());
  b.write(kSgControl, b.control);
  b.run_us(10);
  EXPECT_THAT(b.sent_frames(), ElementsAre(b.packet(200)));
  EXPECT_EQ(b.responses().at(0).credits(0), 1U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
