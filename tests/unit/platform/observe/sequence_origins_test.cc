// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/sequence_origins.h"

#include <gtest/gtest.h>

#include "platform/observe/tcp_segment.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {
namespace {

using test::ip_frame;
using test::Segment;

FrameRef segment(std::uint32_t sequence, std::uint8_t flags, std::uint16_t from_port = 40000) {
  Segment s;
  s.sequence = sequence;
  s.flags = flags;
  s.from_port = from_port;
  return ip_frame(s);
}

TEST(SequenceOrigins, AreThoseOfTheLastSynThatWasSent) {
  FrameTap sent{"sent", "frames sent"};
  SequenceOrigins origins;
  origins.watch(sent);
  const auto send = [&](const FrameRef& frame, FrameFate fate) {
    sent.report(sc_core::SC_ZERO_TIME, frame, fate);
  };
  const FlowKey flow = transport_header(*segment(0, 0x10))->flow;
  send(segment(70, 0x02), FrameFate::kDropped);
  send(segment(80, 0x10), FrameFate::kSent);
  EXPECT_FALSE(origins.of(flow));
  send(segment(90, 0x02), FrameFate::kSent);
  send(segment(77, 0x02, 40001), FrameFate::kSent);
  EXPECT_EQ(origins.of(flow), 90U);
  send(segment(0xffff'ffff, 0x12), FrameFate::kSent);
  EXPECT_EQ(origins.of(flow), 0xffff'ffffU);
  // The number after the SYN's is 1, across the wrap too; what is on the wire follows.
  EXPECT_EQ(describe_frame(*segment(0, 0x10), origins),
            "TCP ack 0 seq 1 len 0 win 0 ACK 10.0.0.1:40000>10.0.0.2:5001 raw seq 0 ack 0");
}

TEST(SequenceOrigins, TheOldestConnectionIsForgottenWhenThereAreTooMany) {
  FrameTap sent{"sent", "frames sent"};
  SequenceOrigins origins(2);
  origins.watch(sent);
  const auto syn = [&](std::uint32_t sequence, std::uint16_t port) {
    sent.report(sc_core::SC_ZERO_TIME, segment(sequence, 0x02, port), FrameFate::kSent);
    return transport_header(*segment(0, 0x10, port))->flow;
  };
  const FlowKey first = syn(10, 1), second = syn(20, 2);
  syn(11, 1);  // sent again: no new connection
  EXPECT_EQ(origins.of(first), 11U);
  const FlowKey third = syn(30, 3);
  EXPECT_FALSE(origins.of(first));
  EXPECT_EQ(origins.of(second), 20U);
  EXPECT_EQ(origins.of(third), 30U);
}

TEST(SequenceOrigins, AKeyMadeOfEndsIsTheOneOfTheFrame) {
  const auto s = tcp_segment(*segment(0, 0x10));
  EXPECT_EQ(flow_key(s->source, s->source_port, s->destination, s->destination_port),
            transport_header(*segment(0, 0x10))->flow);
}

}  // namespace
}  // namespace longhaul::observe
