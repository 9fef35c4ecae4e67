// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/tcp_segment.h"

#include <gtest/gtest.h>

#include "platform/observe/duplicate_acks.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {
namespace {

/// A frame with acknowledgment, window and options written into it.
FrameRef ack_frame(std::uint32_t ack, std::uint16_t window,
                   const std::vector<std::uint8_t>& options = {}) {
  test::Segment segment;
  segment.sequence = 77;
  segment.options = static_cast<std::uint32_t>(options.size());
  FrameRef frame = test::ip_frame(segment);
  std::uint8_t* const tcp = frame.writable().data() + 14 + 20;
  write_be16(tcp + 8, static_cast<std::uint16_t>(ack >> 16));
  write_be16(tcp + 10, static_cast<std::uint16_t>(ack));
  write_be16(tcp + 14, window);
  std::copy(options.begin(), options.end(), tcp + 20);
  return frame;
}

const std::vector<std::uint8_t> kSack{1, 1, 5, 18, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0};

TEST(TcpSegment, ReadsNumbersWindowAndSackBlocks) {
  const auto segment = tcp_segment(*ack_frame(0x12345678, 501, kSack));
  ASSERT_TRUE(segment);
  EXPECT_EQ(segment->sequence, 77U);
  EXPECT_EQ(segment->acknowledgment, 0x12345678U);
  EXPECT_EQ(segment->window, 501U);
  EXPECT_EQ(segment->payload, 0U);
  ASSERT_EQ(segment->sack_blocks, 2U);
  EXPECT_EQ(segment->sack[1], (std::pair<std::uint32_t, std::uint32_t>{0x300, 0x400}));
}

TEST(TcpSegment, OptionsThatLieAboutTheirLengthEndTheList) {
  for (const std::vector<std::uint8_t>& options : {std::vector<std::uint8_t>{5, 40, 0, 0},
                                                   {5, 0, 0, 0},
                                                   {5, 1, 0, 0},
                                                   {1, 1, 1, 5},
                                                   {5, 6, 1, 2, 3, 4, 0, 0}}) {
    const auto segment = tcp_segment(*ack_frame(1, 1, options));
    ASSERT_TRUE(segment);
    EXPECT_EQ(segment->sack_blocks, 0U);
  }
}

TEST(TcpSegment, IsDescribedInOneLine) {
  const SequenceOrigins origins;
  EXPECT_EQ(describe_frame(*ack_frame(0x100, 9, kSack), origins),
            "TCP ack 256 SACK 256-512,768-1024 seq 77 len 0 win 9 ACK 10.0.0.1:40000>10.0.0.2:5001 "
            "raw seq 77 ack 256");
  test::Segment udp;
  udp.protocol = 17;
  udp.payload = 100;
  EXPECT_EQ(describe_frame(*test::ip_frame(udp), origins),
            "UDP 10.0.0.1>10.0.0.2 ports 40000>5001 len 100");
  test::Segment six;
  six.ipv6 = true;
  six.payload = 3;
  EXPECT_EQ(describe_frame(*test::ip_frame(six), origins),
            "TCP seq 0 len 3 ack 0 win 0 ACK [fd00:0:0:0:0:0:0:1]:40000>[fd00:0:0:0:0:0:0:2]:5001 "
            "raw seq 0 ack 0");
}

TEST(TcpSegment, AnyBytesAreDescribed) {
  for (std::uint32_t size = 14; size < 80; ++size) {
    FrameRef frame = Frame::allocate(size);
    for (int fill : {0x00, 0x45, 0x60, 0xff}) {
      std::memset(frame.writable().data(), fill, size);
      for (const std::uint16_t type : {0x0800, 0x86dd, 0x8100, 0x8808, 0x0806}) {
        write_be16(frame.writable().data() + 12, type);
        EXPECT_FALSE(describe_frame(*frame, SequenceOrigins()).empty());
        EXPECT_FALSE(tcp_segment(*frame).has_value() && size < 54);
      }
    }
  }
}

class DuplicateAcksTest : public ::testing::Test {
 protected:
  static TcpSegment segment(std::uint32_t sequence, std::uint32_t ack, std::uint32_t payload) {
    TcpSegment s;
    s.source_port = 1;
    s.destination_port = 2;
    s.sequence = sequence;
    s.acknowledgment = ack;
    s.payload = payload;
    s.flags = TcpSegment::kAck;
    s.window = 100;
    return s;
  }
  bool acks(std::uint32_t number, std::uint16_t window = 100, std::uint32_t payload = 0,
            std::uint8_t more_flags = 0, std::uint32_t sack_blocks = 0) {
    TcpSegment s = segment(50, number, payload);
    std::swap(s.source_port, s.destination_port);
    s.window = window;
    s.flags |= more_flags;
    s.sack_blocks = sack_blocks;
    return duplicates.received(s);
  }
  DuplicateAcks duplicates;
};

TEST_F(DuplicateAcksTest, OnlyARepeatedEmptyAckOfOutstandingDataIsOne) {
  duplicates.sent(segment(1000, 50, 500));
  EXPECT_FALSE(acks(1000));  // the first of its number
  EXPECT_TRUE(acks(1000));
  EXPECT_TRUE(acks(1000));
  EXPECT_FALSE(acks(1000, 100, 10));  // brings data
  EXPECT_FALSE(acks(1000, 100, 0, TcpSegment::kFin));
  EXPECT_FALSE(acks(1000, 101));          // a window update
  EXPECT_TRUE(acks(1000, 102, 0, 0, 1));  // with SACK blocks it is one all the same
  EXPECT_FALSE(acks(900));                // old
  EXPECT_FALSE(acks(1500));               // all is acknowledged
  EXPECT_FALSE(acks(1500));
  duplicates.sent(segment(1500, 50, 1));
  EXPECT_TRUE(acks(1500));
}

TEST_F(DuplicateAcksTest, NumbersWrapAround) {
  duplicates.sent(segment(0xffffff00U, 50, 0x200));
  EXPECT_FALSE(acks(0xffffff00U));
  EXPECT_TRUE(acks(0xffffff00U));
  EXPECT_FALSE(acks(0x80));
  EXPECT_TRUE(acks(0x80));
}

TEST_F(DuplicateAcksTest, ANewConnectionBetweenTheSamePortsStartsAfresh) {
  duplicates.sent(segment(1000, 50, 500));
  acks(1000);
  TcpSegment syn = segment(1000, 0, 0);
  syn.flags = TcpSegment::kSyn;
  duplicates.sent(syn);
  EXPECT_FALSE(acks(1000));
}

}  // namespace
}  // namespace longhaul::observe
