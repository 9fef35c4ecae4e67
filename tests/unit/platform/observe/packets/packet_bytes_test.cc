// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/packet_bytes.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/observe/packets/ring_bench.h"

namespace longhaul::observe {
namespace {

PacketBytes packet_of(const std::vector<std::uint8_t>& bytes) {
  PacketBytes packet;
  packet.append(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  packet.read_headers();
  return packet;
}

std::uint32_t difference(const std::vector<std::uint8_t>& memory, const Frame& frame) {
  return packet_of(memory).first_difference(frame, false, 0);
}

TEST(PacketBytes, HeadersEndBehindTcpAndUdpOfBothVersionsOfIp) {
  const auto header_bytes = [](bool ipv6, std::uint8_t protocol, std::uint32_t options) {
    test::Segment segment;
    segment.ipv6 = ipv6;
    segment.protocol = protocol;
    segment.options = options;
    segment.payload = 100;
    return packet_of(bytes_of(*test::ip_frame(segment))).header_bytes();
  };
  EXPECT_EQ(header_bytes(false, 6, 12), 66U);
  EXPECT_EQ(header_bytes(true, 6, 12), 86U);
  EXPECT_EQ(header_bytes(false, 17, 0), 42U);
  EXPECT_EQ(header_bytes(true, 17, 0), 62U);
  EXPECT_EQ(packet_of({1, 2, 3}).header_bytes(), 3U);
  EXPECT_EQ(packet_of({}).header_bytes(), 0U);
}

TEST(PacketBytes, EachByteBesideTheChecksumsCounts) {
  const FrameRef frame = tcp_frame(1, 10);
  for (std::uint32_t at = 0; at < frame->size(); ++at) {
    std::vector<std::uint8_t> memory = bytes_of(*frame);
    memory[at] ^= 0x80;
    const bool checksum = at == 24 || at == 25 || at == 50 || at == 51;
    if (at == 12 || at == 13 || at == 14 || at == 23 || at == 46) continue;  // other headers
    EXPECT_EQ(difference(memory, *frame), checksum ? PacketBytes::kSame : at);
  }
}

TEST(PacketBytes, PaddingAndATagOfTheAdapterAreNoDifference) {
  std::vector<std::uint8_t> memory(42, 7);
  FrameRef padded = Frame::allocate(42);
  std::copy(memory.begin(), memory.end(), padded.writable().data());
  padded.writable().pad_to_minimum();
  EXPECT_EQ(difference(memory, *padded), PacketBytes::kSame);

  std::vector<std::uint8_t> plain(100, 7);
  FrameRef tagged = Frame::allocate(104);
  std::uint8_t* const bytes = tagged.writable().data();
  std::fill_n(bytes, 104, std::uint8_t{7});
  write_be16(bytes + 12, 0x8100);
  EXPECT_EQ(difference(plain, *tagged), PacketBytes::kSame);
  bytes[50] = 8;
  EXPECT_EQ(difference(plain, *tagged), 50U);
}

TEST(PacketBytes, AFrameThatIsTooShortOrTooLongDiffersAtItsEnd) {
  const std::vector<std::uint8_t> memory(100, 7);
  for (const std::uint32_t size : {90U, 110U}) {
    FrameRef frame = Frame::allocate(size);
    std::fill_n(frame.writable().data(), size, std::uint8_t{7});
    EXPECT_EQ(difference(memory, *frame), std::min(size, 100U));
  }
}

TEST(PacketBytes, AReceiverFindsAWrongFcsAndWrongChecksums) {
  FrameRef frame = tcp_frame(1, 10);
  EXPECT_EQ(fault_of(*frame), Fault::kNone);
  frame.writable().data()[60] ^= 1;
  EXPECT_EQ(fault_of(*frame), Fault::kL4Checksum);
  frame.writable().data()[24] ^= 1;
  EXPECT_EQ(fault_of(*frame), Fault::kIpChecksum);
  frame.writable().flip_bit(400);
  EXPECT_EQ(fault_of(*frame), Fault::kFcs);
}

}  // namespace
}  // namespace longhaul::observe
