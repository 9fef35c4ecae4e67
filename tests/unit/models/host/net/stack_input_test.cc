// SPDX-License-Identifier: Apache-2.0
// What becomes of packets that no connection waits for: who is answered with a RST (RFC
// 9293, 3.10.7.1), who is dropped, as what.
#include "models/host/net/stack.h"
#include "tests/unit/models/host/net/raw_frames.h"

namespace longhaul::host {
namespace {

using testing::ip;
using testing::Program;
using testing::RawFrame;

struct StackInputTest : testing::NetTest {
  static tcp::Segment segment(std::uint8_t flags, std::uint32_t length = 0) {
    tcp::Segment segment;
    segment.seq = 1000;
    segment.ack = (flags & tcp::kAck) != 0 ? 5000 : 0;
    segment.flags = flags;
    segment.window = 100;
    segment.length = length;
    return segment;
  }
  static RawFrame to_b(const tcp::Segment& segment, bool ipv6 = false) {
    return testing::tcp_frame(segment, address(1, 4000, ipv6), address(2, 5001, ipv6));
  }
  /// The segments that b sends to these frames of a's.
  std::vector<tcp::Packet> answers(const std::vector<RawFrame>& frames) {
    if (a == nullptr) build();
    b->device.capture = true;
    testing::send_raw(*this, *a, frames);
    run_until(100 * kMs);
    std::vector<tcp::Packet> result;
    for (const RawFrame& frame : b->device.captured) {
      if (testing::is_tcp_frame(frame)) result.push_back(testing::tcp_packet(frame));
    }
    return result;
  }
  std::uint64_t dropped() const {
    return b->stack.drop_malformed.value() + b->stack.drop_checksum.value() +
           b->stack.drop_address.value();
  }
};

TEST_F(StackInputTest, ASynToAPortWhereNobodyListensIsReset) {
  for (const tcp::Packet& reset : answers({to_b(segment(tcp::kSyn))})) {
    EXPECT_EQ(reset.segment.flags, tcp::kRst | tcp::kAck);
    EXPECT_EQ(reset.segment.seq, 0U);
    EXPECT_EQ(reset.segment.ack, 1001U);
    EXPECT_EQ(reset.endpoints.source, ip("10.0.0.2").host);
    EXPECT_EQ(reset.endpoints.destination, ip("10.0.0.1").host);
    EXPECT_EQ(reset.endpoints.source_port, 5001);
    EXPECT_EQ(reset.endpoints.destination_port, 4000);
  }
  EXPECT_EQ(b->stack.resets_out.value(), 1U);
  EXPECT_EQ(b->stack.segments_in.value(), 1U);
  EXPECT_EQ(b->stack.input_backlog.highest(), 0U) << "from a softirq nothing waits";
  EXPECT_EQ(dropped(), 0U);
  expect_no_leak();
}

TEST_F(StackInputTest, AnAckOfNoConnectionIsResetAtItsOwnNumber) {
  const auto resets = answers({to_b(segment(tcp::kAck, 10)), to_b(segment(tcp::kAck), true)});
  ASSERT_EQ(resets.size(), 2U);
  for (const tcp::Packet& reset : resets) {
    EXPECT_EQ(reset.segment.flags, tcp::kRst);
    EXPECT_EQ(reset.segment.seq, 5000U);
  }
  EXPECT_NE(resets[0].endpoints.ipv6, resets[1].endpoints.ipv6);
  expect_no_leak();
}

TEST_F(StackInputTest, WithoutAnAckTheResetAcknowledgesAllOfIt) {
  const auto resets = answers({to_b(segment(tcp::kFin, 10))});
  ASSERT_EQ(resets.size(), 1U);
  EXPECT_EQ(resets[0].segment.flags, tcp::kRst | tcp::kAck);
  EXPECT_EQ(resets[0].segment.ack, 1000U + 10 + 1);
}

TEST_F(StackInputTest, AResetIsNeverAnswered) {
  EXPECT_TRUE(answers({to_b(segment(tcp::kRst)), to_b(segment(tcp::kRst | tcp::kAck)),
                       to_b(segment(tcp::kRst | tcp::kSyn))})
                  .empty());
  EXPECT_EQ(b->stack.segments_in.value(), 3U);
  EXPECT_EQ(b->stack.resets_out.value(), 0U);
  expect_no_leak();
}

TEST_F(StackInputTest, OnlyASynAloneOpensAConnection) {
  build();
  program(*b, "server", [&](Program& self) {
    const auto listener = b->stack.tcp_socket();
    listener->listen(self, 5001, 5);
    const Process::Syscall call(self);
    self.sleep(1000 * kMs);
  });
  const auto got = answers({to_b(segment(tcp::kAck)), to_b(segment(tcp::kSyn | tcp::kAck)),
                            to_b(segment(tcp::kSyn | tcp::kRst)), to_b(segment(tcp::kSyn))});
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(got[0].segment.flags, tcp::kRst);
  EXPECT_EQ(got[1].segment.flags, tcp::kRst);
  EXPECT_EQ(got[2].segment.flags, tcp::kSyn | tcp::kAck);
  EXPECT_EQ(got[2].segment.ack, 1001U);
  EXPECT_EQ(b->stack.resets_out.value(), 2U);
  EXPECT_EQ(b->stack.open_connections.highest(), 1U);
}

TEST_F(StackInputTest, SegmentsForOtherStationsAreDropped) {
  const Address from = address(1, 4000);
  EXPECT_TRUE(answers({testing::tcp_frame(segment(tcp::kSyn), from, address(3)),
                       testing::tcp_frame(segment(tcp::kSyn), address(1, 4000, true),
                                          address(3, 5001, true))})
                  .empty());
  EXPECT_EQ(b->stack.drop_address.value(), 2U);
  EXPECT_EQ(b->stack.segments_in.value(), 0U);
  expect_no_leak();
}

TEST_F(StackInputTest, AnAdapterThatVouchesForChecksumsIsBelieved) {
  RawFrame wrong = to_b(segment(tcp::kAck, 10));
  wrong.back() ^= 1U;
  EXPECT_EQ(answers({wrong}).size(), 1U);
  EXPECT_EQ(dropped(), 0U);
}

TEST_F(StackInputTest, OtherwiseBothChecksumsAreLookedAt) {
  params.device.features.checksum_rx = false;
  std::vector<RawFrame> wrong(3, to_b(segment(tcp::kAck, 10)));
  wrong[0].back() ^= 1U;
  wrong[1][14 + 8] ^= 1U;
  EXPECT_EQ(answers(wrong).size(), 1U) << "the third is good";
  EXPECT_EQ(b->stack.drop_checksum.value(), 2U);
  EXPECT_EQ(dropped(), 2U);
  expect_no_leak();
}

TEST_F(StackInputTest, WhatIsNoKnownProtocolIsMalformed) {
  RawFrame experiment = to_b(segment(tcp::kAck));
  write_be16(experiment.data() + 12, 0x88b5);
  RawFrame udp = to_b(segment(tcp::kAck));
  udp[14 + 9] = 17;
  RawFrame udp6 = to_b(segment(tcp::kAck), true);
  udp6[14 + 6] = 17;
  RawFrame truncated = to_b(segment(tcp::kAck));
  truncated.resize(truncated.size() - 1);
  RawFrame runt = to_b(segment(tcp::kAck));
  runt.resize(14 + 19);
  EXPECT_TRUE(answers({experiment, udp, udp6, truncated, runt}).empty());
  EXPECT_EQ(b->stack.drop_malformed.value(), 5U);
  EXPECT_EQ(dropped(), 5U);
  expect_no_leak();
}

TEST_F(StackInputTest, EveryPacketCostsIpsShare) {
  params.kernel.softirq_cycles.value = 0;
  params.net.ip_receive_cycles.value = 1'300;
  RawFrame experiment = to_b(segment(tcp::kAck));
  write_be16(experiment.data() + 12, 0x88b5);
  answers({experiment, experiment, to_b(segment(tcp::kRst, 100))});
  EXPECT_EQ(b->cpus[0]->spent(cpu::CoreState::kSoftirq), 3 * 1'300 * kNs);
}

TEST_F(StackInputTest, WhatTheAdapterHasNotSummedCostsTheProcessorItsBytes) {
  params.kernel.softirq_cycles.value = 0;
  params.net.ip_receive_cycles.value = 1'300;
  params.device.features.checksum_rx = false;
  answers({to_b(segment(tcp::kRst, 100))});
  const std::uint64_t a_byte = b->cpus[0]->core.unit_cost_ps(cpu::WorkKind::kByteChecksummed);
  EXPECT_EQ(b->cpus[0]->spent(cpu::CoreState::kSoftirq), 1'300 * kNs + (20 + 100) * a_byte);
}

TEST_F(StackInputTest, AHandlersPacketsWaitForTheSoftirqOfItsProcessor) {
  params.device.napi = false;
  params.processors = 2;
  params.kernel.softirq_cycles.value = 0;
  params.net.ip_receive_cycles.value = 1'300;
  RawFrame experiment = to_b(segment(tcp::kAck));
  write_be16(experiment.data() + 12, 0x88b5);
  answers({experiment, experiment});
  EXPECT_EQ(b->stack.input_backlog.value(), 0U);
  EXPECT_EQ(b->stack.input_backlog.highest(), 2U) << "while the handler is at work";
  EXPECT_EQ(b->cpus[1]->spent(cpu::CoreState::kSoftirq), 2 * 1'300 * kNs) << "the device's";
  EXPECT_EQ(b->stack.drop_malformed.value(), 2U);
  expect_no_leak();
}

TEST_F(StackInputTest, WhatAHandlerBringsBeyondTheQueueIsLost) {
  params.device.napi = false;
  params.net.input_queue_packets.value = 1;
  EXPECT_TRUE(answers({to_b(segment(tcp::kRst)), to_b(segment(tcp::kRst))}).empty());
  EXPECT_EQ(b->stack.drop_input_queue.value(), 1U);
  EXPECT_EQ(b->stack.segments_in.value(), 1U);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host
