// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/transport_header.h"

#include <gtest/gtest.h>

#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {
namespace {

using test::ip_frame;
using test::Segment;
using Protocol = TransportHeader::Protocol;

Segment datagram(std::uint32_t payload) {
  Segment s;
  s.protocol = 17;
  s.payload = payload;
  return s;
}

TEST(TransportHeader, PayloadIsWhatTheHeadersLeaveAndPaddingIsNone) {
  for (const bool ipv6 : {false, true}) {
    for (const bool vlan : {false, true}) {
      for (const std::uint32_t options : {0U, 12U, 40U}) {
        for (const std::uint32_t payload : {0U, 1U, 1448U, 9146U}) {
          Segment s;
          s.ipv6 = ipv6;
          s.vlan = vlan;
          s.options = options;
          s.payload = payload;
          s.sequence = 0xfffffff0;
          s.flags = 0x12;
          const auto header = transport_header(*ip_frame(s));
          ASSERT_TRUE(header);
          EXPECT_EQ(header->protocol, Protocol::kTcp);
          EXPECT_EQ(header->payload, payload);
          EXPECT_EQ(header->sequence, 0xfffffff0U);
          EXPECT_EQ(header->flags, 0x12);
        }
      }
    }
  }
}

TEST(TransportHeader, DatagramsCountWithoutTheirHeaderAndLaterFragmentsWhole) {
  EXPECT_EQ(transport_header(*ip_frame(datagram(1470)))->payload, 1470U);
  for (const bool ipv6 : {false, true}) {
    Segment later = datagram(512);
    later.ipv6 = ipv6;
    later.fragment_offset = 1480;
    const auto header = transport_header(*ip_frame(later));
    ASSERT_TRUE(header);
    EXPECT_EQ(header->protocol, Protocol::kUdp);
    EXPECT_EQ(header->payload, 512U);
    EXPECT_TRUE(header->later_fragment);
  }
}

TEST(TransportHeader, FlowsDifferByAddressPortAndVersion) {
  Segment a;
  Segment b = a;
  b.from_port = 40001;
  Segment c = a;
  c.from = 3;
  Segment d = a;
  d.ipv6 = true;
  const FlowKey key = transport_header(*ip_frame(a))->flow;
  a.sequence = 7;
  a.payload = 100;
  EXPECT_TRUE(transport_header(*ip_frame(a))->flow == key);
  for (const Segment& other : {b, c, d})
    EXPECT_FALSE(transport_header(*ip_frame(other))->flow == key);
}

TEST(TransportHeader, WhatIsNoTcpOrUdpIsNothing) {
  Segment icmp;
  icmp.protocol = 1;
  EXPECT_FALSE(transport_header(*ip_frame(icmp)));
  FrameRef arp = ip_frame({});
  write_be16(arp.writable().data() + 12, 0x0806);
  EXPECT_FALSE(transport_header(*arp));
}

TEST(TransportHeader, LengthsThatDoNotFitAreNothing) {
  const auto broken = [](std::uint32_t at, std::uint8_t value, bool ipv6 = false) {
    Segment s;
    s.ipv6 = ipv6;
    s.payload = 10;
    FrameRef frame = ip_frame(s);
    frame.writable().data()[at] = value;
    return transport_header(*frame).has_value();
  };
  EXPECT_FALSE(broken(14, 0x44));        // IPv4 header of 16 bytes
  EXPECT_FALSE(broken(14, 0x55));        // version 5
  EXPECT_FALSE(broken(16, 0x40));        // longer than the frame
  EXPECT_FALSE(broken(17, 39));          // no room for TCP
  EXPECT_FALSE(broken(46, 0x40));        // TCP header of 16 bytes
  EXPECT_FALSE(broken(46, 0xf0));        // longer than the packet
  EXPECT_FALSE(broken(18, 0x40, true));  // IPv6, longer than the frame
  FrameRef cut = ip_frame({});
  cut.writable().resize(20);
  EXPECT_FALSE(transport_header(*cut));
}

}  // namespace
}  // namespace longhaul::observe
