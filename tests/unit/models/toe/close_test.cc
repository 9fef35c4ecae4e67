// SPDX-License-Identifier: Apache-2.0
// Connections of the offload engine end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/toe/rig.h"

namespace longhaul::toe::rig {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint8_t kFinAck = tcp::kFin | tcp::kAck;

class ToeClose : public EngineFixture {
 protected:
  void SetUp() override { open_actively(); }
  tcp::State state() { return engine.fields(0)->state; }
};

TEST_F(ToeClose, TheHostClosesFirstAndTheTidIsFreeAfterTimeWait) {
  EXPECT_EQ(engine.tcp_counts.active_opens.value(), 1U);
  EXPECT_EQ(engine.tcp_counts.established.value(), 1U);
  offer(CloseRequest{0});
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("FA 1 ack 1"));
  arrive(tcp::kAck, 1, 2);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("CloseReply tid 0"));
  EXPECT_EQ(std::get<CloseReply>(messages.back()).snd_nxt, isn + 2);
  EXPECT_EQ(engine.tcp_counts.established.value(), 0U);
  EXPECT_EQ(state(), tcp::State::kFinWait2);
  arrive(kFinAck, 1, 2);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 2 ack 2"));
  EXPECT_THAT(news(), ElementsAre("PeerClose tid 0"));
  EXPECT_EQ(state(), tcp::State::kTimeWait);
  run(498 * kMs);
  EXPECT_EQ(engine.connections(), 1U);
  run(10 * kMs);  // TP_2MSL is half a second
  EXPECT_EQ(engine.connections(), 0U);
  EXPECT_EQ(engine.tcp_counts.estab_resets.value(), 0U);
  EXPECT_THAT(news(), IsEmpty());
}

TEST_F(ToeClose, ARepeatedFinInTimeWaitIsAcknowledgedAgain) {
  offer(CloseRequest{0});
  run(kMs);
  arrive(kFinAck, 1, 2);
  run(100 * kMs);
  sent();
  arrive(kFinAck, 1, 2);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 2 ack 2"));
  run(480 * kMs);
  EXPECT_EQ(engine.connections(), 1U);  // the time starts again
  run(100 * kMs);
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeClose, ThePeerClosesFirstAndTheTidIsFreeAtOnce) {
  arrive(kFinAck, 1, 1);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("PeerClose tid 0"));
  EXPECT_EQ(std::get<PeerClose>(messages.back()).rcv_nxt, kPeerIsn + 2);
  offer(CloseRequest{0});
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 2", "FA 1 ack 2"));
  arrive(tcp::kAck, 2, 2);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("CloseReply tid 0"));
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeClose, DataFlowAfterAHalfClose) {
  offer(CloseRequest{0});
  run(kMs);
  arrive(tcp::kAck, 1, 2);
  run(50 * kSecond);
  arrive(tcp::kAck | tcp::kPsh, 1, 2, 500);
  run(50 * kSecond);  // each segment starts the 60 s of FIN-WAIT-2 again
  arrive(kFinAck, 501, 2, 100);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("CloseReply tid 0", "RxData tid 0 bytes 500 push",
                                  "RxData tid 0 bytes 100", "PeerClose tid 0"));
}

TEST_F(ToeClose, ThePeersHalfCloseLetsTheHostSend) {
  arrive(kFinAck, 1, 1);
  run(kMs);
  offer(TxData{0, piece(5, 0, 700)});
  offer(CloseRequest{0});
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 2", "PA 1+700 ack 2", "FA 701 ack 2"));
  arrive(tcp::kAck, 2, 702);
  run(kMs);
  EXPECT_THAT(news(),
              ElementsAre("PeerClose tid 0", "TxDataAck tid 0 bytes 700", "CloseReply tid 0"));
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeClose, FinWait2EndsAfterAMinuteOfSilence) {
  offer(CloseRequest{0});
  run(kMs);
  arrive(tcp::kAck, 1, 2);
  run(61 * kSecond);
  EXPECT_THAT(news(), ElementsAre("CloseReply tid 0", "Aborted tid 0 the peer did not close"));
  offer(AbortedReply{0});
  run(kMs);
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeClose, TheFinOfAFullWindowFollowsTheDataByModulation) {
  offer(TxData{0, piece(5, 0, 3000)});
  offer(CloseRequest{0});
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1+1460 ack 1"));
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1461+1460 ack 1", "FPA 2921+80 ack 1"));
}

TEST_F(ToeClose, TheHostAborts) {
  offer(TxData{0, piece(5, 0, 3000)});
  run(kMs);
  sent();
  offer(AbortRequest{0});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("AbortReply tid 0"));
  EXPECT_THAT(sent(), ElementsAre("RA 1461 ack 1"));
  EXPECT_EQ(engine.connections(), 0U);
  EXPECT_EQ(engine.payload_memory().tx_pages.value(), 0U);
  EXPECT_EQ(engine.tcp_counts.estab_resets.value(), 1U);
  EXPECT_EQ(engine.tcp_counts.resets_sent.value(), 1U);
  EXPECT_EQ(engine.tcp_counts.established.value(), 0U);
  // Data that the host sent before it knew are ignored; the connection's segments are the host's.
  offer(TxData{0, piece(5, 0, 100)});
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  EXPECT_EQ(engine.probes.bad_messages.value(), 1U);
  EXPECT_EQ(news().back(), "RxPacket bytes 60");
}

TEST_F(ToeClose, TheHostAbortsSilently) {
  offer(AbortRequest{0, false});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("AbortReply tid 0"));
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(ToeClose, AResetIsToldAndTheTidStaysUntilTheHostHasAnswered) {
  arrive(tcp::kAck, 1, 1, 400);  // not yet given to the host
  arrive(tcp::kRst, 401, 0);
  run(kMs);
  EXPECT_THAT(news(),
              ElementsAre("RxData tid 0 bytes 400", "Aborted tid 0 the peer reset the connection"));
  EXPECT_EQ(engine.connections(), 1U);
  // Messages that were under way.
  offer(TxData{0, piece(5, 0, 100)});
  offer(AbortRequest{0});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("AbortReply tid 0 the connection had ended already"));
  offer(AbortedReply{0});
  run(kMs);
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeClose, AResetThatIsNotExactIsChallenged) {
  arrive(tcp::kRst, 100, 0);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 1"));
  EXPECT_THAT(news(), IsEmpty());
  EXPECT_EQ(state(), tcp::State::kEstablished);
}

TEST_F(ToeClose, ATidIsUsedAgainAndOldBytesOfTheHostDoNotTouchIt) {
  host_frees = false;
  host_credits = false;
  arrive(tcp::kAck | tcp::kPsh, 1, 1, 400);
  run(kMs);
  const auto old = std::get<RxData>(messages.back());
  offer(AbortRequest{0});
  run(kMs);
  EXPECT_EQ(engine.payload_memory().rx_pages.value(), 0U);
  sent();
  open_actively();
  arrive(tcp::kAck | tcp::kPsh, 1, 1, 300);
  run(kMs);
  EXPECT_EQ(engine.payload_memory().rx_pages.value(), 1U);
  engine.taken(old);
  EXPECT_EQ(engine.payload_memory().rx_pages.value(), 1U);
  engine.taken(std::get<RxData>(messages.back()));
  EXPECT_EQ(engine.payload_memory().rx_pages.value(), 0U);
}

TEST_F(ToeClose, AMessageThatWaitsInTheOtherQueueDoesNotReachTheNextConnection) {
  // The host's close is behind data that wait for the transmit FIFO; its abort overtakes both.
  wire_takes = false;
  for (int i = 0; i < 39; ++i) ASSERT_TRUE(engine.send(piece(0, 0, 1440)));
  offer(TxData{0, piece(5, 0, 700)});
  offer(CloseRequest{0});
  offer(AbortRequest{0, false}, HostQueue::kControl);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("AbortReply tid 0"));
  wire_takes = true;
  offer(ActOpenRequest{7, kEnds, options}, HostQueue::kControl);
  run(kMs);
  frame_ready();
  run(kMs);
  EXPECT_EQ(news().back(), "ActOpenReply atid 7 tid 0");
  EXPECT_EQ(engine.probes.bad_messages.value(), 2U);
  EXPECT_EQ(engine.fields(0)->unsent, 0U);
}

TEST_F(ToeClose, ATidIsNotUsedAgainBeforeTheHostHasItsLastMessage) {
  host_takes = false;
  offer(AbortRequest{0});
  offer(ActOpenRequest{7, kEnds, options});
  run(kMs);
  EXPECT_EQ(engine.connections(), 2U);
  host_takes = true;
  engine.host_ready();
  EXPECT_EQ(engine.connections(), 1U);
  EXPECT_THAT(news(), ElementsAre("AbortReply tid 0", "ActOpenReply atid 7 tid 1"));
}

TEST_F(ToeClose, KeepaliveFindsADeadPeer) {
  offer(AbortRequest{0});
  run(kMs);
  options.keepalive = true;
  open_actively();
  run(7190 * kSecond);
  EXPECT_THAT(sent(), IsEmpty());
  run(20 * kSecond);
  EXPECT_THAT(sent(), ElementsAre("A 0 ack 1"));
  arrive(tcp::kAck, 1, 1);
  run(kSecond);
  news();
  run(7200 * kSecond + 75 * 9 * kSecond);
  EXPECT_EQ(news().back(), "Aborted tid 0 keepalive probes were not answered");
}

TEST_F(ToeClose, AResetOfTheEngineForgetsEverything) {
  offer(TxData{0, piece(5, 0, 3000)});
  run(kMs);
  arrive(tcp::kAck, 1461, 1, 400);
  engine.reset();
  run(kMs);
  EXPECT_EQ(engine.connections(), 0U);
  EXPECT_EQ(engine.payload_memory().tx_pages.value(), 0U);
  EXPECT_EQ(engine.payload_memory().rx_pages.value(), 0U);
  EXPECT_EQ(engine.rx_fill(), 0U);
  sent();
  run(100 * kSecond);
  EXPECT_THAT(sent(), IsEmpty());
  open_actively();
}

}  // namespace
}  // namespace longhaul::toe::rig
