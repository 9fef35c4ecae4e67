// SPDX-License-Identifier: Apache-2.0
// The offload engine in the chip: its messages as a driver writes and reads them.
#include <gmock/gmock.h>

#include "models/nic/terminator/offload/tp_mib.h"
#include "tests/unit/models/nic/terminator/offload_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Offload, AnActiveOpenNamesTheTidAndTellsOfTheHandshake) {
  OffloadFixture b;
  b.post(b.act_open());
  b.run_us(20);
  ASSERT_THAT(b.segments(), ElementsAre("S 0"));
  auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_TRUE(news[0].offload);
  EXPECT_EQ(news[0].opcode, 0x06U) << "CPL_ACT_OPEN_RPL";
  EXPECT_EQ(news[0].tid, b.kAtid);
  EXPECT_EQ(news[0].word(16), 0U) << "new_tid";
  EXPECT_EQ(news[0].bytes[23], 0U) << "status";
  b.arrive(tcp::kSyn | tcp::kAck, 0, 1);
  b.run_us(20);
  news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x17U) << "CPL_ACT_ESTABLISH";
  EXPECT_EQ(news[0].tid, 0U);
  EXPECT_EQ(news[0].half(4), toe::rig::kPort);
  EXPECT_EQ(news[0].half(6), toe::rig::kOtherPort);
  EXPECT_EQ(news[0].word(8), 0x0a000001U);
  EXPECT_EQ(news[0].word(12), 0x0a000002U);
  EXPECT_EQ(news[0].word(16), b.kAtid) << "tos_tid";
  EXPECT_EQ(news[0].word(28), b.kPeerIsn);
}

TEST(Offload, DataOfTheHostAreSegmentsAndTheirAckIsTold) {
  OffloadFixture b;
  b.connect();
  b.post_pieces({b.tx_data(0, 2000), b.pattern(0, 700), b.pattern(700, 1300)});
  b.run_us(20);
  EXPECT_THAT(b.segments(), ElementsAre("A 1+1460 ack 1")) << "the first window is one segment";
  const ByteVector payload(b.last_frame.end() - 1460, b.last_frame.end());
  EXPECT_EQ(payload, b.pattern(0, 1460));
  EXPECT_EQ(b.nic->tx().fill.value(), 0U);
  b.arrive(tcp::kAck, 1, 1461);
  b.run_us(20);
  EXPECT_THAT(b.segments(), ElementsAre("PA 1461+540 ack 1"));
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0xb0U) << "CPL_TX_DATA_ACK";
  EXPECT_EQ(news[0].word(4), b.engine().fields(0)->snd_una);
}

TEST(Offload, ReceivedDataFillABufferBehindTheirHeader) {
  OffloadFixture b;
  b.connect();
  b.arrive(tcp::kAck | tcp::kPsh, 1, 1, 1000);
  b.run_us(20);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_TRUE(news[0].offload);
  EXPECT_EQ(news[0].opcode, 0xa0U) << "CPL_RX_DATA";
  EXPECT_EQ(news[0].word(4), 1000U) << "len";
  EXPECT_EQ(news[0].word(8), b.kPeerIsn + 1) << "seq";
  ASSERT_THAT(news[0].bytes, SizeIs(1016));
  EXPECT_EQ(ByteVector(news[0].bytes.begin() + 16, news[0].bytes.end()), b.pattern(0, 1000));
  EXPECT_EQ(b.engine().payload_memory().rx_pages.value(), 0U) << "free after the transfer";
  EXPECT_EQ(b.engine().fields(0)->unread, 1000U);
  ByteVector credits = b.bytes_of(0xa3, 0, 8);  // CPL_RX_DATA_ACK
  b.put(credits, 4, 1000);
  b.post(credits, 1);
  b.run_us(20);
  EXPECT_EQ(b.engine().fields(0)->unread, 0U);
}

TEST(Offload, AServerAsksItsDriver) {
  OffloadFixture b;
  b.post(b.pass_open(1));  // CPL_CONN_POLICY_ASK
  b.run_us(20);
  auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x02U) << "CPL_PASS_OPEN_RPL";
  EXPECT_EQ(news[0].tid, b.kStid);
  EXPECT_EQ(news[0].bytes[23], 0U);
  b.arrive(tcp::kSyn, 0, 0);
  b.run_us(20);
  EXPECT_THAT(b.segments(), IsEmpty());
  news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x0eU) << "CPL_PASS_ACCEPT_REQ";
  EXPECT_EQ(news[0].word(16), b.kStid);
  EXPECT_EQ(news[0].half(6), toe::rig::kOtherPort);
  EXPECT_EQ(news[0].word(40), b.kPeerIsn);
  ByteVector accept = b.bytes_of(0x04, news[0].tid, 24);  // CPL_PASS_ACCEPT_RPL
  b.put(accept, 16, b.kOpt0h);
  b.put(accept, 20, b.kOpt0l);
  b.post(accept);
  b.run_us(20);
  EXPECT_THAT(b.segments(), ElementsAre("SA 0 ack 1"));
  b.arrive(tcp::kAck, 1, 1);
  b.run_us(20);
  news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x03U) << "CPL_PASS_ESTABLISH";
  EXPECT_EQ(news[0].word(16), b.kStid);
  b.post(b.bytes_of(0x09, b.kStid, 8));  // CPL_CLOSE_LISTSRV_REQ
  b.run_us(20);
  news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x0aU) << "CPL_CLOSE_LISTSRV_RPL";
  EXPECT_EQ(news[0].bytes[7], 0U);
}

TEST(Offload, ARejectedSynIsReset) {
  OffloadFixture b;
  b.post(b.pass_open(1));
  b.run_us(20);
  b.arrive(tcp::kSyn, 0, 0);
  b.run_us(20);
  const std::uint32_t tid = b.messages().back().tid;
  ByteVector reject = b.bytes_of(0x04, tid, 24);
  reject[23] = 1;  // CPL_PASS_OPEN_REJECT
  b.post(reject);
  b.run_us(20);
  ASSERT_THAT(b.segments(), SizeIs(1));
  EXPECT_EQ(b.last_frame[47] & tcp::kRst, tcp::kRst);
  EXPECT_EQ(b.engine().connections(), 0U);
}

TEST(Offload, BothEndsClose) {
  OffloadFixture b;
  b.connect();
  b.arrive(tcp::kFin | tcp::kAck, 1, 1);
  b.run_us(20);
  EXPECT_THAT(b.opcodes(b.messages()), ElementsAre(0x0dU)) << "CPL_PEER_CLOSE";
  b.post(b.bytes_of(0x07, 0, 8));  // CPL_CLOSE_CON_REQ
  b.run_us(20);
  b.arrive(tcp::kAck, 2, 2);
  b.run_us(20);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x08U) << "CPL_CLOSE_CON_RPL";
  EXPECT_EQ(news[0].word(12), b.kPeerIsn + 2) << "rcv_nxt";
  EXPECT_EQ(b.engine().connections(), 0U);
}

TEST(Offload, StatisticsOfTcpAreReadWordByWordAndStartAgainWithTp) {
  OffloadFixture b;
  b.connect();
  b.post_pieces({b.tx_data(0, 1000), b.pattern(0, 1000)});
  b.run_us(20);
  b.arrive(tcp::kAck, 1, 1001);
  b.run_us(20);
  const auto statistics = [&] {
    b.write(regs::kTpMibIndex, mib::kActiveOpens);
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = mib::kActiveOpens; i < mib::kWords; ++i)
      words.push_back(b.read(regs::kTpMibData));
    return words;
  };
  // Opens (active, passive), failed ones, resets, RSTs, established. Then received, sent, resent
  // and damaged segments, two words each. Then the least and the largest RTO.
  EXPECT_THAT(statistics(), ElementsAre(1, 0, 0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 0, 0, 250, 64'000));
  EXPECT_EQ(b.read(regs::kTpMibData), 0U) << "behind the end";
  b.write(regs::kTpReset, regs::kTpResetFields.tp_reset);
  EXPECT_THAT(statistics(), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 250, 64'000));
}

TEST(Offload, AResetOfThePeerIsToldWithItsReason) {
  OffloadFixture b;
  b.connect();
  b.arrive(tcp::kRst | tcp::kAck, 1, 1);
  b.run_us(20);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x0bU) << "CPL_ABORT_REQ";
  EXPECT_EQ(news[0].bytes[9], 20U) << "CPL_ERR_CONN_RESET";
  EXPECT_EQ(b.engine().connections(), 1U) << "until the driver answers";
  b.post(b.bytes_of(0x0c, 0, 16));  // CPL_ABORT_RPL
  b.run_us(20);
  EXPECT_EQ(b.engine().connections(), 0U);
}

TEST(Offload, TheDriverAborts) {
  OffloadFixture b;
  b.connect();
  b.post(b.bytes_of(0x0b, 0, 16));  // CPL_ABORT_REQ, CPL_ABORT_SEND_RST
  b.run_us(20);
  ASSERT_THAT(b.segments(), SizeIs(1));
  EXPECT_EQ(b.last_frame[47] & tcp::kRst, tcp::kRst);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x0cU) << "CPL_ABORT_RPL";
  EXPECT_EQ(news[0].bytes[9], 0U);
}

TEST(Offload, FieldsAndTablesCanBeRead) {
  OffloadFixture b;
  b.connect();
  b.post(b.bytes_of(0x24, 0, 8));  // CPL_GET_TCB
  ByteVector l2t = b.bytes_of(0xc6, 0, 8);
  l2t[7] = 5;
  b.post(l2t);
  ByteVector smt = b.bytes_of(0xc9, 0, 8);
  smt[5] = 1U << 4;
  b.post(smt);
  b.run_us(20);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(3));
  EXPECT_EQ(news[0].opcode, 0x25U);
  ASSERT_THAT(news[0].bytes, SizeIs(8 + 128));
  EXPECT_EQ(news[0].word(8 + 4), b.engine().fields(0)->snd_una);
  EXPECT_EQ(news[1].word(4) & 0x7ffU, 5U);
  EXPECT_TRUE(std::equal(toe::rig::kThereMac.begin(), toe::rig::kThereMac.end(),
                         news[1].bytes.begin() + 10));
  EXPECT_TRUE(
      std::equal(toe::rig::kHereMac.begin(), toe::rig::kHereMac.end(), news[2].bytes.begin() + 18));
}

TEST(Offload, AFieldIsWrittenUnderItsMask) {
  OffloadFixture b;
  b.connect();
  ByteVector field = b.bytes_of(0x27, 0, 16);  // CPL_SET_TCB_FIELD
  field[7] = static_cast<std::uint8_t>(toe::TcbField::kReceiveBuffer);
  b.put(field, 8, 0xffff);
  b.put(field, 12, 0x11'ffff);
  b.post(field);
  b.run_us(20);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].opcode, 0x28U);
  EXPECT_EQ(news[0].bytes[7], 0U);
  b.arrive(tcp::kAck | tcp::kPsh, 1, 1, 1000);
  b.arrive(tcp::kAck | tcp::kPsh, 1001, 1, 1000);
  b.run_us(200'000);
  b.segments();
  EXPECT_EQ(read_be16(&b.last_frame[48]), 0xffff - 2000) << "the window";
}

TEST(Offload, AFieldThatIsNotThereIsRefused) {
  OffloadFixture b;
  b.connect();
  ByteVector field = b.bytes_of(0x27, 0, 16);
  field[7] = 99;
  b.post(field);
  b.run_us(20);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].bytes[7], 99U) << "CPL_ERR_GENERAL";
}

TEST(Offload, MessagesThatMakeNoSenseAreCountedAndLeaveNothingBehind) {
  OffloadFixture b;
  b.post(b.bytes_of(0x2a, 0, 16));                       // no opcode
  b.post(b.bytes_of(0x05, 0, 12));                       // cut
  b.post_pieces({b.tx_data(0, 100), b.pattern(0, 99)});  // another length
  b.post(b.tx_data(0, 0));                               // nothing
  b.post(b.bytes_of(0xb1, 0, 8));
  b.run_us(20);
  EXPECT_EQ(b.nic->path().unhandled_messages.value(), 5U);
  EXPECT_EQ(b.nic->tx().fill.value(), 0U);
  b.send_data(0, 100);  // to a connection that is not there
  b.run_us(20);
  EXPECT_EQ(b.engine().probes.bad_messages.value(), 1U);
  EXPECT_THAT(b.messages(), IsEmpty());
}

TEST(Offload, DataThatWaitForPayloadMemoryDoNotHoldTheOtherQueue) {
  OffloadFixture b(nlohmann::json{{"pm_size", "1MiB"}, {"pm_reserved", "0B"}});
  b.connect();
  std::uint64_t sent = 0;
  while (b.nic->tx().fill.value() == 0) {  // the far end acknowledges nothing
    b.send_data(sent, 12000);
    sent += 12000;
    b.run_us(30);
    ASSERT_LT(sent, 2'000'000U);
  }
  for (int i = 0; i < 6; ++i) {
    b.send_data(sent, 12000);
    sent += 12000;
  }
  b.run_us(30);
  EXPECT_LE(b.nic->tx().fill.value(), units::KiB(32).count);
  b.messages();
  b.post(b.bytes_of(0x24, 0, 8), 1);
  b.run_us(30);
  EXPECT_THAT(b.opcodes(b.messages()), ElementsAre(0x25U)) << "CPL_GET_TCB_RPL";
}

TEST(Offload, AFrameWithoutAnOwnerGoesToTheDriver) {
  OffloadFixture b;
  const ByteVector packet = b.packet(600);
  ASSERT_TRUE(b.receive(packet));
  b.run_us(20);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_FALSE(news[0].offload);
  EXPECT_EQ(news[0].opcode, 0xadU);
  EXPECT_EQ(ByteVector(news[0].bytes.begin() + 8, news[0].bytes.end()), packet);
  b.post(b.with_cpl(packet));
  b.run_us(20);
  EXPECT_THAT(b.sent_frames(), ElementsAre(packet));
  EXPECT_EQ(b.engine().probes.tx_from_host.value(), 1U);
}

TEST(Offload, OffloadDisableTakesTheEngineOutOfThePath) {
  OffloadFixture b;
  b.connect();
  b.write(regs::kTpInConfig, regs::kTpInConfigFields.offload_disable);
  b.arrive(tcp::kAck | tcp::kPsh, 1, 1, 1000);
  b.post(b.with_cpl(b.packet(600)));
  b.send_data(0, 100);
  b.run_us(20);
  EXPECT_THAT(b.opcodes(b.messages()), ElementsAre(0xadU)) << "the segment, as CPL_RX_PKT";
  EXPECT_THAT(b.sent_frames(), ElementsAre(b.packet(600)));
  EXPECT_EQ(b.engine().probes.tx_from_host.value(), 0U);
  EXPECT_EQ(b.nic->path().unhandled_messages.value(), 1U);
}

TEST(Offload, ATpResetForgetsConnectionsAndItsMessages) {
  OffloadFixture b(nlohmann::json{{"pm_size", "1MiB"}, {"pm_reserved", "0B"}});
  b.connect();
  for (std::uint64_t sent = 0; b.nic->tx().fill.value() == 0; sent += 12000) {
    b.send_data(sent, 12000);
    b.run_us(30);
  }
  b.write(regs::kTpReset, regs::kTpResetFields.tp_reset);
  b.run_us(30);
  EXPECT_EQ(b.nic->tx().fill.value(), 0U);
  EXPECT_EQ(b.engine().connections(), 0U);
  EXPECT_EQ(b.engine().payload_memory().tx_pages.value(), 0U);
  b.messages();
  b.segments();
  b.connect();
}

TEST(Offload, AFullReceiveFifoLeavesFramesInEspi) {
  OffloadFixture b(nlohmann::json{{"rx_fifo", "16KiB"}});
  b.connect();
  const FrameRef frame = b.segment(tcp::kAck, 1, 1, 1460);
  int taken = 0;
  while (b.nic->path().take_received(frame, sc_core::sc_time_stamp())) ++taken;
  EXPECT_GT(taken, 8);
  EXPECT_EQ(b.engine().probes.rx_overflows.value(), 0U);
  b.run_us(30);
  EXPECT_TRUE(b.nic->path().take_received(frame, sc_core::sc_time_stamp()));
}

TEST(Offload, WithoutBuffersTheEngineWaits) {
  OffloadFixture b;
  b.connect();
  b.write(regs::kSgControl, b.control & ~regs::kSgControlFields.fl0_enable.mask() &
                                ~regs::kSgControlFields.fl1_enable.mask());
  for (std::uint32_t i = 0; i < 30; ++i) {
    b.arrive(tcp::kAck | tcp::kPsh, 1 + i * 1460, 1, 1460);
    b.run_us(5);
  }
  EXPECT_LE(b.nic->rx().fill.value(), units::KiB(32).count);
  b.write(regs::kSgControl, b.control);
  b.messages();
  b.run_us(60);
  std::uint32_t bytes = 0;
  for (const auto& message : b.messages()) {
    ASSERT_EQ(message.opcode, 0xa0U);
    ASSERT_EQ(message.word(8), b.kPeerIsn + 1 + bytes) << "in order";
    bytes += message.word(4);
  }
  EXPECT_EQ(bytes, 30 * 1460U);
}

TEST(Offload, TheChipsResetDropsDataOnTheirWay) {
  OffloadFixture b;
  b.connect();
  b.arrive(tcp::kAck | tcp::kPsh, 1, 1, 1460);
  b.config_write(regs::config::kPower + 4U, 2, 3);  // D3hot
  b.config_write(regs::config::kPower + 4U, 2, 0);
  b.run_us(30);
  EXPECT_EQ(b.engine().connections(), 0U);
  EXPECT_EQ(b.engine().payload_memory().rx_pages.value(), 0U);
  EXPECT_EQ(b.nic->rx().fill.value(), 0U);
}

TEST(Offload, TheSeparatorOfModulationEventsIsAFieldOfARegister) {
  OffloadFixture b;
  b.write(regs::kTpTimerSeparator, 1125U << 1);  // 9 us of 125 MHz
  b.connect();
  b.send_data(0, 14600);
  std::vector<std::uint64_t> at;
  for (std::uint32_t acked = 1460; acked < 14600; acked += 1460) {
    b.run_us(40);
    b.segments();
    b.arrive(tcp::kAck, 1, 1 + acked);
  }
  b.segments();
  for (int us = 0; us < 100; ++us) {
    b.run_us(1);
    if (!b.segments().empty()) at.push_back(now_ps());
  }
  for (std::size_t i = 1; i < at.size(); ++i) EXPECT_GE(at[i] - at[i - 1], 8'000'000U);
}

TEST(Offload, AnN110KnowsNoSuchMessage) {
  TerminatorFixture b;
  b.open();
  EXPECT_EQ(b.nic->path().offload(), nullptr);
  b.queue_pieces({OffloadFixture::act_open()});
  b.ring();
  b.run_us(20);
  EXPECT_EQ(b.nic->path().unhandled_messages.value(), 1U);
  EXPECT_EQ(b.nic->tx().fill.value(), 0U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
