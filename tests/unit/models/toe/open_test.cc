// SPDX-License-Identifier: Apache-2.0
// Connections of the offload engine begin: by the host, by a server, or not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/toe/rig.h"

namespace longhaul::toe::rig {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ToeOpen : public EngineFixture {
 protected:
  void SetUp() override {
    run(kMs);
    ASSERT_THAT(news(), ElementsAre("L2tReply 0", "SmtReply 0"));
  }
  void listen(Policy policy, std::uint16_t port = kPort, Stid stid = 3) {
    PassOpenRequest request;
    request.stid = stid;
    request.port = port;
    request.policy = policy;
    request.options = options;
    offer(request);
    run(kMs);
    ASSERT_EQ(news().back(), "PassOpenReply stid " + std::to_string(stid));
  }
  static Ends from(std::uint16_t port) {
    Ends ends = kEnds;
    ends.peer_port = port;
    return ends;
  }
};

TEST_F(ToeOpen, TheHostOpensAndHearsOfItsTidAndOfTheHandshake) {
  offer(ActOpenRequest{7, kEnds, options});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("ActOpenReply atid 7 tid 0"));
  EXPECT_THAT(sent(), ElementsAre("S 0"));
  const tcp::Segment& syn = frames.back().parsed.segment;
  EXPECT_EQ(syn.options.mss, 1460);
  EXPECT_EQ(syn.options.window_scale, 0);
  EXPECT_TRUE(syn.options.timestamps);
  EXPECT_FALSE(syn.options.sack_permitted);
  arrive(tcp::kSyn | tcp::kAck, 0, 1);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("Established active 7 tid 0 mss 1460"));
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 1"));
  const auto& message = std::get<Established>(messages.back());
  EXPECT_EQ(message.snd_isn, isn);
  EXPECT_EQ(message.rcv_isn, kPeerIsn);
  EXPECT_EQ(engine.fields(0)->state, tcp::State::kEstablished);
}

TEST_F(ToeOpen, TheHostsOptionsAreThoseOfTheSyn) {
  options.mtu_index = 1;
  options.window_scale = 6;
  options.receive_buffer = 2'000'000;
  options.tos = 0x10;
  offer(ActOpenRequest{7, kEnds, options});
  run(kMs);
  const Inbound& syn = frames.back().parsed;
  EXPECT_EQ(syn.segment.options.mss, 536);
  EXPECT_EQ(syn.segment.options.window_scale, 6);
  EXPECT_EQ(syn.segment.window, 65535);
  EXPECT_EQ(syn.tos, 0x10);
}

TEST_F(ToeOpen, ARefusedConnectionFreesItsTid) {
  offer(ActOpenRequest{7, kEnds, options});
  run(kMs);
  arrive(tcp::kRst | tcp::kAck, 0, 1);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("ActOpenReply atid 7 tid 0",
                                  "ActOpenReply atid 7 tid 0 the peer reset the connection"));
  EXPECT_EQ(engine.connections(), 0U);
  EXPECT_EQ(engine.tcp_counts.attempt_fails.value(), 1U);
  EXPECT_EQ(engine.tcp_counts.estab_resets.value(), 0U);
}

TEST_F(ToeOpen, AnUnansweredSynIsSentAgainAndTimesOut) {
  offer(ActOpenRequest{7, kEnds, options});
  run(3600 * kSecond);
  EXPECT_THAT(news(), ElementsAre("ActOpenReply atid 7 tid 0",
                                  "ActOpenReply atid 7 tid 0 the SYN was not answered"));
  ASSERT_EQ(frames.size(), 8U);  // 7 retries
  // INIT_SRTT is 3 s, in ticks of 2^15 clocks; doubled up to 64 s.
  const auto gap = [&](std::size_t i) {
    return static_cast<double>(frames[i].at_ps - frames[i - 1].at_ps) / kSecond;
  };
  EXPECT_NEAR(gap(1), 3, 0.001);
  EXPECT_NEAR(gap(2), 6, 0.001);
  EXPECT_NEAR(gap(6), 64, 0.001);
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeOpen, TheSameEndsCannotBeOpenedTwice) {
  open_actively();
  offer(ActOpenRequest{8, kEnds, options});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("ActOpenReply atid 8 tid 0 the connection or port is in use"));
  EXPECT_EQ(engine.connections(), 1U);
}

TEST_F(ToeOpen, AFullTcamRefusesAndCounts) {
  for (std::uint16_t i = 0; i < 5; ++i) offer(ActOpenRequest{i, from(1000 + i), options});
  run(kMs);
  EXPECT_EQ(news().back(), "ActOpenReply atid 4 tid 0 the TCAM is full");
  EXPECT_EQ(engine.probes.table_full.value(), 1U);
  EXPECT_EQ(engine.connections(), 4U);
}

TEST_F(ToeOpen, ASynForAFullTcamIsLostAndItsRepetitionIsAccepted) {
  listen(Policy::kAsk);
  for (std::uint16_t i = 0; i < 4; ++i) offer(ActOpenRequest{i, from(1000 + i), options});
  run(kMs);
  news();
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  EXPECT_THAT(news(), IsEmpty());
  EXPECT_EQ(engine.probes.table_full.value(), 1U);
  offer(AbortRequest{2});
  run(kMs);
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("AbortReply tid 2", "PassAcceptRequest stid 3 tid 2"));
}

TEST_F(ToeOpen, AnEmptyEntryOfTheStationsIsToldToTheHost) {
  options.l2t_index = 9;
  offer(ActOpenRequest{7, kEnds, options});
  options.l2t_index = 0;
  options.smt_index = 3;
  offer(ActOpenRequest{8, kEnds, options});
  options.smt_index = 0;
  options.mtu_index = 200;
  offer(ActOpenRequest{9, kEnds, options});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("ActOpenReply atid 7 tid 0 the next station is unknown",
                                  "ActOpenReply atid 8 tid 0 the next station is unknown",
                                  "ActOpenReply atid 9 tid 0 an index or a value is out of range"));
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(ToeOpen, AServerAsksTheHostAndAcceptsWithItsOptions) {
  listen(Policy::kAsk);
  peer_options.window_scale = 5;
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("PassAcceptRequest stid 3 tid 0"));
  EXPECT_THAT(sent(), IsEmpty());
  const auto& request = std::get<PassAcceptRequest>(messages.back());
  EXPECT_TRUE(request.ends == kEnds);
  EXPECT_EQ(request.options.mss, 1460);
  EXPECT_EQ(request.options.window_scale, 5);
  EXPECT_EQ(request.source, kThereMac);
  EXPECT_EQ(request.rcv_isn, kPeerIsn);
  // The peer is impatient, and the host is not asked twice.
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  EXPECT_THAT(news(), IsEmpty());
  offer(PassAcceptReply{0, true, options});
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("SA 0 ack 1"));
  arrive(tcp::kAck, 1, 1);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("Established passive 3 tid 0 mss 1460"));
}

TEST_F(ToeOpen, AServerAcceptsByItself) {
  listen(Policy::kAuto);
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  EXPECT_THAT(news(), IsEmpty());
  EXPECT_THAT(sent(), ElementsAre("SA 0 ack 1"));
  arrive(tcp::kAck, 1, 1);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("Established passive 3 tid 0 mss 1460"));
}

TEST_F(ToeOpen, AnEndedHandshakeOfAnAutomaticServerIsNoNews) {
  listen(Policy::kAuto);
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  arrive(tcp::kRst, 1, 0);
  run(kMs);
  EXPECT_THAT(news(), IsEmpty());
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeOpen, AnEndedHandshakeThatTheHostHasAcceptedIsToldToIt) {
  listen(Policy::kAsk);
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  offer(PassAcceptReply{0, true, options});
  run(kMs);
  arrive(tcp::kRst, 1, 0);
  run(kMs);
  EXPECT_EQ(news().back(), "Aborted tid 0 the peer reset the connection");
  EXPECT_EQ(engine.connections(), 1U);  // until the host has answered
  offer(AbortedReply{0});
  run(kMs);
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeOpen, AServerThatDeniesAnswersByARst) {
  listen(Policy::kDeny);
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].parsed.segment.flags, tcp::kRst | tcp::kAck);
  EXPECT_EQ(frames[0].parsed.segment.ack, kPeerIsn + 1);
  EXPECT_EQ(frames[0].parsed.origin.destination, kThereMac);
  EXPECT_EQ(engine.connections(), 0U);
}

TEST_F(ToeOpen, AFullBacklogOfTheHostRejectsWithARst) {
  // A host whose backlog has two places: the third SYN is rejected, the others go on.
  listen(Policy::kAsk);
  for (std::uint16_t i = 0; i < 3; ++i) arrive(tcp::kSyn, 0, 0, 0, from(1000 + i));
  run(kMs);
  EXPECT_THAT(news(),
              ElementsAre("PassAcceptRequest stid 3 tid 0", "PassAcceptRequest stid 3 tid 1",
                          "PassAcceptRequest stid 3 tid 2"));
  offer(PassAcceptReply{0, true, options});
  offer(PassAcceptReply{1, true, options});
  offer(PassAcceptReply{2, false, {}});
  run(kMs);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[2].parsed.segment.flags, tcp::kRst | tcp::kAck);
  EXPECT_EQ(engine.connections(), 2U);
}

TEST_F(ToeOpen, AClosedServerAcceptsNothingAndItsConnectionsStay) {
  listen(Policy::kAuto);
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  arrive(tcp::kAck, 1, 1);
  offer(CloseServerRequest{3});
  run(kMs);
  EXPECT_THAT(news(),
              ElementsAre("Established passive 3 tid 0 mss 1460", "CloseServerReply stid 3"));
  arrive(tcp::kSyn, 0, 0, 0, from(77));
  offer(CloseServerRequest{3});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("RxPacket bytes 60",
                                  "CloseServerReply stid 3 an index or a value is out of range"));
  EXPECT_EQ(engine.fields(0)->state, tcp::State::kEstablished);
}

TEST_F(ToeOpen, AnAcceptForEmptyTablesEndsTheConnection) {
  listen(Policy::kAsk);
  arrive(tcp::kSyn, 0, 0);
  run(kMs);
  options.l2t_index = 5;
  offer(PassAcceptReply{0, true, options});
  run(kMs);
  EXPECT_EQ(news().back(), "Aborted tid 0 the next station is unknown");
  offer(AbortedReply{0});
  run(kMs);
  EXPECT_EQ(engine.connections(), 0U);
}

struct ToeOpenSmallMemory : EngineFixture {
  static ToeParams params() {
    ToeParams p = small_params();
    p.cm_size.value = {4096};  // 16 connections
    p.tcam_entries.value = 64;
    return p;
  }
  ToeOpenSmallMemory() : EngineFixture(params()) {}
};
TEST_F(ToeOpenSmallMemory, FullContextMemoryRefusesAndCounts) {
  for (std::uint16_t i = 0; i < 17; ++i) {
    Ends ends = kEnds;
    ends.peer_port = 1000 + i;
    offer(ActOpenRequest{i, ends, options});
  }
  run(kMs);
  EXPECT_EQ(news().back(), "ActOpenReply atid 16 tid 0 context memory is full");
  EXPECT_EQ(engine.probes.no_memory.value(), 1U);
}

}  // namespace
}  // namespace longhaul::toe::rig
