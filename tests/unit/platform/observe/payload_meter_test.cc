// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/payload_meter.h"

#include <gtest/gtest.h>

#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {
namespace {

using test::ip_frame;
using test::Segment;

constexpr std::uint8_t kSyn = 0x02;
constexpr std::uint8_t kFinAck = 0x11;

struct MeterOfAnAdapter : ::testing::Test {
  FrameTap received{"received", "frames taken in"};
  FrameTap sent{"sent", "frames sent"};
  PayloadMeter meter{"meter", received, sent};

  static Segment tcp(std::uint32_t sequence, std::uint32_t payload, std::uint8_t flags = 0x10) {
    Segment s;
    s.sequence = sequence;
    s.payload = payload;
    s.flags = flags;
    return s;
  }
  void arrive(const Segment& s, FrameFate fate = FrameFate::kReceived) {
    received.report(sc_core::SC_ZERO_TIME, ip_frame(s), fate);
  }
  void send(const Segment& s) { sent.report(sc_core::SC_ZERO_TIME, ip_frame(s), FrameFate::kSent); }
};

TEST_F(MeterOfAnAdapter, CountsUserDataOnlyAndEachByteOnce) {
  arrive(tcp(99, 0, kSyn));
  arrive(tcp(100, 1000));
  arrive(tcp(2100, 1000));
  arrive(tcp(100, 1000));
  arrive(tcp(1100, 1000));
  arrive(tcp(3100, 0, kFinAck));
  EXPECT_EQ(meter.tcp_received.value(), 3000U);
  EXPECT_EQ(meter.received(), 3000U);
}

TEST_F(MeterOfAnAdapter, DroppedFramesCountWhenTheyComeAgain) {
  arrive(tcp(99, 0, kSyn));
  arrive(tcp(100, 1000), FrameFate::kDropped);
  EXPECT_EQ(meter.received(), 0U);
  arrive(tcp(100, 1000));
  EXPECT_EQ(meter.received(), 1000U);
}

TEST_F(MeterOfAnAdapter, ConnectionsAreApartAndANewOneMayTakeOldPorts) {
  Segment other = tcp(100, 500);
  other.from_port = 40001;
  arrive(tcp(99, 0, kSyn));
  arrive(tcp(100, 500));
  arrive(other);
  EXPECT_EQ(meter.received(), 1000U);
  arrive(tcp(99, 0, kSyn));  // the same SYN again
  arrive(tcp(100, 500));
  EXPECT_EQ(meter.received(), 1000U);
  arrive(tcp(49, 0, kSyn));
  arrive(tcp(50, 500));
  EXPECT_EQ(meter.received(), 1500U);
}

TEST_F(MeterOfAnAdapter, DatagramsCountAsOftenAsTheyCome) {
  Segment datagram = tcp(0, 1470);
  datagram.protocol = 17;
  arrive(datagram);
  arrive(datagram);
  EXPECT_EQ(meter.udp_received.value(), 2940U);
  EXPECT_EQ(meter.tcp_received.value(), 0U);
}

TEST_F(MeterOfAnAdapter, DatagramsOfMoreFlowsThanAreToldApartAreOne) {
  Segment datagram = tcp(0, 100);
  datagram.protocol = 17;
  const auto arrive_from = [&](std::size_t number) {
    datagram.from_port = static_cast<std::uint16_t>(number);
    datagram.to_port = static_cast<std::uint16_t>(number >> 16);
    arrive(datagram);
  };
  meter.begin_window();
  for (std::size_t i = 0; i < PayloadMeter::kMostFlows + 5; ++i) arrive_from(i);
  arrive_from(7);
  meter.end_window();
  const std::vector<PayloadMeter::FlowFigures> flows = meter.received_flows();
  ASSERT_EQ(flows.size(), PayloadMeter::kMostFlows + 1);
  EXPECT_EQ(flows.front().key, FlowKey{});
  EXPECT_EQ(flows.front().passed.bytes, 500U);
  EXPECT_EQ(meter.udp_received.value(), (PayloadMeter::kMostFlows + 6) * 100);
}

TEST_F(MeterOfAnAdapter, FragmentsOfASegmentAreAllUserDataButItsHeader) {
  arrive(tcp(99, 0, kSyn));
  arrive(tcp(100, 16));
  Segment rest = tcp(0, 20);
  rest.fragment_offset = 48;
  arrive(rest);
  EXPECT_EQ(meter.tcp_received.value(), 36U);
  send(rest);
  EXPECT_EQ(meter.tcp_retransmits.value(), 0U);
}

TEST_F(MeterOfAnAdapter, WhatIsSentTwiceIsARetransmission) {
  send(tcp(99, 0, kSyn));
  send(tcp(99, 0, kSyn));
  EXPECT_EQ(meter.tcp_retransmits.value(), 1U);
  send(tcp(100, 1000));
  send(tcp(1100, 1000));
  send(tcp(1100, 0));  // an acknowledgement
  EXPECT_EQ(meter.tcp_retransmits.value(), 1U);
  send(tcp(100, 1000));
  send(tcp(1600, 1000));  // half of it is new
  EXPECT_EQ(meter.tcp_retransmits.value(), 3U);
  EXPECT_EQ(meter.received(), 0U);
}

TEST_F(MeterOfAnAdapter, FlowsAreToldOfTheWindowOnly) {
  Segment other = tcp(99, 0, kSyn);
  other.from_port = 40001;
  arrive(tcp(99, 0, kSyn));
  arrive(other);
  arrive(tcp(100, 1000));
  meter.begin_window();
  arrive(tcp(1100, 500));
  arrive(tcp(100, 1000));  // came before the window
  Segment datagram = tcp(0, 700);
  datagram.protocol = 17;
  arrive(datagram);
  meter.end_window();
  arrive(tcp(1600, 300));
  const auto flows = meter.received_flows();
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0].passed.bytes, 500U);
  EXPECT_EQ(flows[0].key.from(), "10.0.0.1:40000");
  EXPECT_EQ(flows[0].key.to(), "10.0.0.2:5001");
  EXPECT_EQ(flows[1].protocol, TransportHeader::Protocol::kUdp);
  EXPECT_EQ(flows[1].passed.bytes, 700U);
  meter.begin_window();
  arrive(tcp(1900, 100));
  ASSERT_EQ(meter.received_flows().size(), 1U);
  EXPECT_EQ(meter.received_flows()[0].passed.bytes, 100U);
}

TEST_F(MeterOfAnAdapter, RoundTripsAreTimedFromASegmentToItsAck) {
  const auto at = [](double us) { return sc_core::sc_time(us, sc_core::SC_US); };
  const auto answer = [&](double us, std::uint32_t number) {
    Segment ack = tcp(1, 0);
    std::swap(ack.from, ack.to);
    std::swap(ack.from_port, ack.to_port);
    ack.acknowledgment = number;
    received.report(at(us), ip_frame(ack), FrameFate::kReceived);
  };
  sent.report(at(0), ip_frame(tcp(99, 0, kSyn)), FrameFate::kSent);
  answer(5, 100);  // of no data
  sent.report(at(10), ip_frame(tcp(100, 1000)), FrameFate::kSent);
  sent.report(at(11), ip_frame(tcp(1100, 1000)), FrameFate::kSent);
  answer(20, 100);
  answer(40, 2100);
  sent.report(at(50), ip_frame(tcp(2100, 1000)), FrameFate::kSent);
  sent.report(at(60), ip_frame(tcp(2100, 1000)), FrameFate::kSent);  // again: not timed
  answer(90, 3100);
  const auto flows = meter.sent_flows();
  ASSERT_EQ(flows.size(), 1U);
  EXPECT_EQ(flows[0].passed.bytes, 3000U);
  EXPECT_EQ(flows[0].passed.retransmits, 1U);
  EXPECT_EQ(flows[0].passed.round_trips, 1U);
  EXPECT_EQ(flows[0].passed.round_trips_ps, 30'000'000U);
}

TEST_F(MeterOfAnAdapter, WhatNoAckHasCoveredIsOnTheWay) {
  const auto acknowledge = [&](std::uint32_t number, std::uint8_t flags = 0x10) {
    Segment ack = tcp(0, 0, flags);
    std::swap(ack.from, ack.to);
    std::swap(ack.from_port, ack.to_port);
    ack.acknowledgment = number;
    arrive(ack);
  };
  const auto in_flight = [&] { return meter.tcp_in_flight.value(); };
  send(tcp(99, 0, kSyn));
  EXPECT_EQ(in_flight(), 0U);
  send(tcp(100, 1000));
  send(tcp(1100, 1000));
  send(tcp(100, 1000));  // again: it is on the way already
  EXPECT_EQ(in_flight(), 2000U);
  Segment other = tcp(7, 500);
  other.from_port = 40001;
  send(other);
  EXPECT_EQ(in_flight(), 2500U);
  acknowledge(600);
  acknowledge(100);  // an old one, late
  EXPECT_EQ(in_flight(), 2000U);
  send(tcp(2100, 0, kFinAck));
  acknowledge(2101);  // the FIN is no data
  EXPECT_EQ(in_flight(), 500U);
  send(tcp(0xFFFFFF00, 0, kSyn));  // old ports, near the end of the numbers
  send(tcp(0xFFFFFF01, 0x200));
  EXPECT_EQ(in_flight(), 500U + 0x200U);
  acknowledge(0x1);
  EXPECT_EQ(in_flight(), 500U + 0x100U);
  acknowledge(0, 0x14);  // RST
  EXPECT_EQ(in_flight(), 500U);
  send(tcp(7, 0, 0x14));  // a RST of the sender's for a connection with nothing on the way
  EXPECT_EQ(in_flight(), 500U);
}

TEST_F(MeterOfAnAdapter, AListenerHearsOfDataAndMayReplaceItself) {
  std::vector<std::uint64_t> heard;
  meter.on_received([&] {
    heard.push_back(meter.received());
    if (heard.size() == 2) meter.on_received({});
  });
  arrive(tcp(99, 0, kSyn));
  for (std::uint32_t i = 0; i < 4; ++i) arrive(tcp(100 + i * 10, 10));
  arrive(tcp(100, 10));
  EXPECT_EQ(heard, (std::vector<std::uint64_t>{10, 20}));
}

}  // namespace
}  // namespace longhaul::observe
