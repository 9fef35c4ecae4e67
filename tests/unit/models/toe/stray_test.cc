// SPDX-License-Identifier: Apache-2.0
// Packets that the offload engine's connections do not own, and its tables of stations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/toe/rig.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::toe::rig {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ToeStray : public EngineFixture {
 protected:
  void SetUp() override { open_actively(); }
  void frame(const test::Segment& segment) { engine.frame_received(test::ip_frame(segment)); }
  const Frame& to_host() { return *std::get<RxPacket>(messages.back()).frame; }
};

TEST_F(ToeStray, OtherProtocolsAndFragmentsReachTheHostUnchanged) {
  test::Segment udp;
  udp.protocol = 17;
  udp.payload = 300;
  const FrameRef sent_frame = test::ip_frame(udp);
  engine.frame_received(sent_frame);
  test::Segment fragment;
  fragment.fragment_offset = 1480;
  fragment.payload = 100;
  frame(fragment);
  test::Segment ipv6;
  ipv6.ipv6 = true;
  frame(ipv6);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("RxPacket bytes 342", "RxPacket bytes 134", "RxPacket bytes 74"));
  EXPECT_EQ(std::get<RxPacket>(messages[messages.size() - 3]).frame->id(), sent_frame->id());
  EXPECT_EQ(engine.probes.rx_to_host.value(), 3U);
}

TEST_F(ToeStray, ASegmentWithoutAnOwnerIsTheHosts) {
  Ends other = kEnds;
  other.peer_port = 1;
  arrive(tcp::kAck, 1, 1, 10, other);
  arrive(tcp::kSyn, 0, 0, 0, other);  // no server
  arrive(tcp::kRst, 0, 0, 0, other);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("RxPacket bytes 64", "RxPacket bytes 60", "RxPacket bytes 60"));
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(ToeStray, ADamagedSegmentOfAConnectionIsDroppedAndAnothersIsTheHosts) {
  tcp::Segment segment;
  segment.flags = tcp::kAck | tcp::kPsh;
  segment.seq = kPeerIsn + 1;
  segment.ack = isn + 1;
  segment.window = 1000;
  segment.length = 100;
  FrameRef bad = frame_from(kEnds, segment);
  bad.writable().data()[80] ^= 1;
  engine.frame_received(bad);
  Ends other = kEnds;
  other.peer_port = 1;
  FrameRef others = frame_from(other, segment);
  others.writable().data()[80] ^= 1;
  engine.frame_received(others);
  run(kMs);
  EXPECT_EQ(engine.probes.rx_damaged.value(), 1U);
  EXPECT_THAT(news(), ElementsAre("RxPacket bytes 154"));
}

TEST_F(ToeStray, UrgentDataStayInTheStream) {
  arrive(tcp::kAck | tcp::kPsh | tcp::kUrg, 1, 1, 100);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("RxData tid 0 bytes 100 push"));
  EXPECT_EQ(engine.probes.rx_urgent.value(), 1U);
}

TEST_F(ToeStray, WithoutOffloadEverythingIsTheHosts) {
  engine.enable(false);
  arrive(tcp::kAck | tcp::kPsh, 1, 1, 100);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("RxPacket bytes 154"));
}

TEST_F(ToeStray, TheHostsOwnFramesLeaveUnchangedAndWaitForRoom) {
  const FrameRef own = test::ip_frame({});
  EXPECT_TRUE(engine.send(own));
  ASSERT_EQ(frames.back().frame->id(), own->id());
  wire_takes = false;
  std::uint32_t count = 0;
  test::Segment large;
  large.payload = 1400;
  while (engine.send(test::ip_frame(large))) ++count;
  EXPECT_EQ(count, (65536U - 8192U) / 1456U) << "without the room for answers";
  EXPECT_EQ(send_ready_calls, 0U);
  wire_takes = true;
  frame_ready();
  EXPECT_EQ(send_ready_calls, 1U);
  EXPECT_EQ(frames.size(), count + 3U);  // SYN and ACK of the connection, and the first frame
}

TEST_F(ToeStray, AFullReceiveFifoDropsAndCounts) {
  host_takes = false;
  test::Segment large;
  large.protocol = 17;
  large.payload = 1458;  // 1500 B with its headers
  for (int i = 0; i < 300; ++i) frame(large);
  EXPECT_EQ(engine.probes.rx_overflows.value(), 300U - 44U);  // 43 x 1504 B fit, one has left
  EXPECT_EQ(fills.back(), 43U * 1504U);
}

TEST_F(ToeStray, MessagesBeyondAQueueWaitForRoom) {
  std::uint32_t taken = 0;
  while (engine.offer(HostQueue::kControl, L2tRead{0})) ++taken;
  EXPECT_EQ(taken, 64U + 1U);  // one is already in the pipeline
  EXPECT_EQ(queue_ready_calls, 0U);
  run(kMs);
  EXPECT_EQ(queue_ready_calls, 1U);
  EXPECT_EQ(messages.size(), 4U + taken);
}

TEST_F(ToeStray, TablesAreReadBack) {
  offer(L2tWrite{255, {kHereMac, true, 0x6005}});
  offer(L2tRead{255});
  offer(L2tWrite{256, {}});
  offer(L2tRead{100});
  offer(SmtRead{0});
  offer(SmtWrite{16, {}});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("L2tReply 255", "L2tReply 255",
                                  "L2tReply 256 an index or a value is out of range",
                                  "L2tReply 100 an index or a value is out of range", "SmtReply 0",
                                  "SmtReply 16 an index or a value is out of range"));
  const auto& reply = std::get<L2tReply>(messages[messages.size() - 5]);
  EXPECT_EQ(reply.station.address, kHereMac);
  EXPECT_EQ(reply.station.vlan, 0x6005);
  EXPECT_FALSE(engine.set_mtu(0, 67));
  EXPECT_FALSE(engine.set_mtu(8, 1500));
  EXPECT_TRUE(engine.set_mtu(7, 9000));
}

TEST_F(ToeStray, ANextStationMayChangeWhileAConnectionIsOpen) {
  offer(L2tWrite{4, {kThereMac, true, 5}});
  offer(SetTcbField{0, TcbField::kL2tIndex, 4});
  offer(TxData{0, piece(0, 0, 100)});
  run(kMs);
  EXPECT_TRUE(frames.back().parsed.origin.tagged);
  EXPECT_EQ(frames.back().parsed.origin.vlan, 5U);
}

TEST_F(ToeStray, FieldsAndWrongValuesAreAnswered) {
  offer(GetTcb{0});
  offer(GetTcb{3});
  offer(GetTcb{1'000'000});
  offer(SetTcbField{0, TcbField::kNodelay, 2});
  offer(SetTcbField{0, TcbField::kReceiveBuffer, 70000});
  offer(SetTcbField{3, TcbField::kTos, 2});
  run(kMs);
  EXPECT_THAT(news(),
              ElementsAre("TcbReply tid 0", "TcbReply tid 3 an index or a value is out of range",
                          "TcbReply tid 1000000 an index or a value is out of range",
                          "SetTcbReply tid 0 an index or a value is out of range",
                          "SetTcbReply tid 0 an index or a value is out of range",
                          "SetTcbReply tid 3 an index or a value is out of range"));
  const TcbFields fields = std::get<TcbReply>(messages[messages.size() - 6]).fields;
  EXPECT_EQ(fields.state, tcp::State::kEstablished);
  EXPECT_EQ(fields.snd_una, isn + 1);
  EXPECT_EQ(fields.rcv_nxt, kPeerIsn + 1);
  EXPECT_EQ(fields.cwnd, 1460U);
}

TEST_F(ToeStray, MessagesForNoConnectionAreCounted) {
  offer(TxData{2, piece(0, 0, 10)});
  offer(TxData{0, {}});
  offer(RxCredits{1'000'000, 1});
  offer(CloseRequest{3});
  offer(AbortedReply{0});
  offer(PassAcceptReply{0, true, {}});
  offer(AbortRequest{3});
  run(kMs);
  EXPECT_EQ(engine.probes.bad_messages.value(), 7U);
  EXPECT_THAT(news(), ElementsAre("AbortReply tid 3 the connection had ended already"));
}

}  // namespace
}  // namespace longhaul::toe::rig
