// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/wire.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace longhaul::tcp {
namespace {

using Bytes8 = std::vector<std::uint8_t>;

Bytes8 from_hex(const std::string& text) {
  Bytes8 bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

/// Byte k of the stream is k modulo 256.
class CountingStream final : public PayloadSource {
 public:
  void fill(std::uint64_t offset, std::uint8_t* out, std::uint32_t length) override {
    for (std::uint32_t i = 0; i < length; ++i) out[i] = static_cast<std::uint8_t>(offset + i);
  }
};

// Both packets were made by scapy 2.5, which computes lengths and checksums by code of its own.
const char* const kSynV4 =
    "4500003c12344000400614860a0000010a0000029c40138989abcdef00000000a002ffff28930000020405b4040208"
    "0a010203040000000001"
    "030307";
const char* const kDataV6 =
    "6001234500410640fd000000000000000000000000000001fd00000000000000000000000000000213899c40000000"
    "07fffffff0f0180100e9"
    "4f0000"
    "0101080a11223344556677880101051a000003e8000007d000000bb800000fa000001388000017700102030405";

Segment syn() {
  Segment segment;
  segment.seq = 0x89abcdef;
  segment.flags = kSyn;
  segment.window = 65535;
  segment.options.mss = 1460;
  segment.options.sack_permitted = true;
  segment.options.timestamps = true;
  segment.options.ts_value = 0x01020304;
  segment.options.window_scale = 7;
  return segment;
}

Endpoints v4() {
  Endpoints endpoints;
  endpoints.source = {10, 0, 0, 1};
  endpoints.destination = {10, 0, 0, 2};
  endpoints.source_port = 40000;
  endpoints.destination_port = 5001;
  return endpoints;
}

Segment data() {
  Segment segment;
  segment.seq = 7;
  segment.ack = 0xfffffff0;
  segment.flags = kPsh | kAck;
  segment.window = 256;
  segment.offset = 1;
  segment.length = 5;
  segment.options.timestamps = true;
  segment.options.ts_value = 0x11223344;
  segment.options.ts_echo = 0x55667788;
  segment.options.sack_count = 3;
  segment.options.sack = {{{1000, 2000}, {3000, 4000}, {5000, 6000}, {}}};
  return segment;
}

Endpoints v6() {
  Endpoints endpoints;
  endpoints.ipv6 = true;
  endpoints.source[0] = endpoints.destination[0] = 0xfd;
  endpoints.source[15] = 1;
  endpoints.destination[15] = 2;
  endpoints.source_port = 5001;
  endpoints.destination_port = 40000;
  return endpoints;
}

Bytes8 written(const Segment& segment, const Endpoints& endpoints, const IpFields& ip,
               TcpChecksum checksum = TcpChecksum::kComplete) {
  Bytes8 bytes(70000);
  CountingStream stream;
  bytes.resize(write_packet(segment, endpoints, ip, checksum, stream, bytes.data(),
                            static_cast<std::uint32_t>(bytes.size())));
  return bytes;
}

Refusal reason(const Bytes8& bytes, bool verified = false) {
  Packet packet;
  return read_packet(bytes.data(), static_cast<std::uint32_t>(bytes.size()), verified, packet);
}

TEST(TcpWire, SynOverIpv4IsByteForByteAsScapyWritesIt) {
  IpFields ip;
  ip.identification = 0x1234;
  EXPECT_EQ(written(syn(), v4(), ip), from_hex(kSynV4));
}

TEST(TcpWire, DataWithTimestampsAndThreeSackBlocksOverIpv6IsByteForByteAsScapyWritesIt) {
  IpFields ip;
  ip.flow_label = 0x12345;
  EXPECT_EQ(written(data(), v6(), ip), from_hex(kDataV6));
}

TEST(TcpWire, ReadingGivesBackWhatWasWritten) {
  const Bytes8 bytes = from_hex(kDataV6);
  Packet packet;
  ASSERT_EQ(read_packet(bytes.data(), static_cast<std::uint32_t>(bytes.size()), false, packet),
            Refusal::kNone);
  EXPECT_EQ(packet.size, 105U);
  EXPECT_EQ(packet.payload_at, 100U);
  EXPECT_EQ(packet.segment.length, 5U);
  EXPECT_EQ(packet.endpoints.source, v6().source);
  EXPECT_EQ(packet.endpoints.destination_port, 40000);
  Segment again = packet.segment;
  again.offset = 1;
  IpFields ip;
  ip.flow_label = 0x12345;
  EXPECT_EQ(written(again, packet.endpoints, ip), bytes);
}

TEST(TcpWire, PaddingBehindTheIpPacketIsNoPayload) {
  Bytes8 bytes = from_hex(kSynV4);
  bytes.resize(80);
  Packet packet;
  ASSERT_EQ(read_packet(bytes.data(), 80, false, packet), Refusal::kNone);
  EXPECT_EQ(packet.segment.length, 0U);
  EXPECT_EQ(packet.size, 60U);
}

TEST(TcpWire, ThePseudoHeadersSumIsWhatAnAdapterExpects) {
  // Sums by hand: 0a00+0001+0a00+0002+0006 = 1409, and 28 (40 bytes of TCP) more with the length.
  const Bytes8 sized = written(syn(), v4(), {}, TcpChecksum::kPseudoHeader);
  EXPECT_EQ(sized[36] << 8 | sized[37], 0x1409 + 0x28);
  const Bytes8 unsized = written(syn(), v4(), {}, TcpChecksum::kPseudoHeaderNoSize);
  EXPECT_EQ(unsized[36] << 8 | unsized[37], 0x1409);
}

TEST(TcpWire, EveryFlippedBitOfTheTcpPartIsRefused) {
  for (const char* text : {kSynV4, kDataV6}) {
    const Bytes8 good = from_hex(text);
    ASSERT_EQ(reason(good), Refusal::kNone);
    for (std::size_t bit = (text == kSynV4 ? 20 : 40) * 8; bit < good.size() * 8; ++bit) {
      Bytes8 bad = good;
      bad[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
      EXPECT_NE(reason(bad), Refusal::kNone) << bit;
    }
  }
}

TEST(TcpWire, EachDefectIsRefusedForItsOwnReason) {
  const Bytes8 good = from_hex(kSynV4);
  const auto changed = [&](std::size_t at, std::uint8_t value) {
    Bytes8 bytes = good;
    bytes[at] = value;
    return bytes;
  };
  EXPECT_EQ(reason({}), Refusal::kShortIpHeader);
  EXPECT_EQ(reason(Bytes8(good.begin(), good.begin() + 19)), Refusal::kShortIpHeader);
  EXPECT_EQ(reason(changed(0, 0x55)), Refusal::kNotIp);
  EXPECT_EQ(reason(changed(0, 0x44)), Refusal::kShortIpHeader);
  EXPECT_EQ(reason(changed(3, 61)), Refusal::kIpLength);
  EXPECT_EQ(reason(changed(3, 19), true), Refusal::kIpLength);
  EXPECT_EQ(reason(changed(8, 63)), Refusal::kIpChecksum);
  EXPECT_EQ(reason(changed(6, 0x20), true), Refusal::kFragment);
  EXPECT_EQ(reason(changed(7, 1), true), Refusal::kFragment);
  EXPECT_EQ(reason(changed(9, 17), true), Refusal::kNotTcp);
  EXPECT_EQ(reason(changed(3, 39), true), Refusal::kShortTcpHeader);
  EXPECT_EQ(reason(changed(32, 0x40), true), Refusal::kDataOffset);
  EXPECT_EQ(reason(changed(32, 0xb0), true), Refusal::kDataOffset);
  EXPECT_EQ(reason(changed(24, 0)), Refusal::kTcpChecksum);
  EXPECT_EQ(reason(changed(41, 3), true), Refusal::kOptionLength);
  Bytes8 fragment6 = from_hex(kDataV6);
  fragment6[6] = 44;
  EXPECT_EQ(reason(fragment6, true), Refusal::kFragment);
  Bytes8 extension6 = from_hex(kDataV6);
  extension6[6] = 0;
  extension6[41] = 0xff;
  EXPECT_EQ(reason(extension6, true), Refusal::kExtensionHeader);
}

TEST(TcpWire, DestinationOptionsInIpv6AreSteppedOver) {
  Bytes8 bytes = from_hex(kDataV6);
  const Bytes8 extension = {6, 0, 1, 4, 0, 0, 0, 0};  // TCP follows; PadN of 4 bytes
  bytes.insert(bytes.begin() + 40, extension.begin(), extension.end());
  bytes[5] = static_cast<std::uint8_t>(bytes[5] + 8);
  bytes[6] = 60;
  Packet packet;
  ASSERT_EQ(read_packet(bytes.data(), static_cast<std::uint32_t>(bytes.size()), false, packet),
            Refusal::kNone);
  EXPECT_EQ(packet.payload_at, 108U);
  EXPECT_EQ(packet.segment.seq, 7U);
}

TEST(TcpWire, WhatDoesNotFitIsNotWritten) {
  CountingStream stream;
  Bytes8 bytes(70000);
  Segment large = data();
  large.length = 65535;
  EXPECT_EQ(write_packet(large, v4(), {}, TcpChecksum::kComplete, stream, bytes.data(), 70000), 0U);
  EXPECT_EQ(write_packet(data(), v4(), {}, TcpChecksum::kComplete, stream, bytes.data(), 84), 0U);
  EXPECT_EQ(write_packet(data(), v4(), {}, TcpChecksum::kComplete, stream, bytes.data(), 85), 85U);
  Segment crowded = data();
  crowded.options.sack_count = 4;  // 12 and 36 bytes
  EXPECT_EQ(write_packet(crowded, v4(), {}, TcpChecksum::kComplete, stream, bytes.data(), 70000),
            0U);
}

TEST(TcpWire, NoRandomBytesAreReadBeyondTheirEnd) {
  // With AddressSanitizer a read outside of the exact-sized buffer ends the test.
  std::mt19937_64 random(1);
  std::uint32_t accepted = 0;
  for (int i = 0; i < 200'000; ++i) {
    Bytes8 bytes = from_hex(i % 2 == 0 ? kSynV4 : kDataV6);
    for (int changes = static_cast<int>(random() % 6); changes >= 0; --changes)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    bytes.resize(random() % (bytes.size() + 1));
    bytes.shrink_to_fit();
    accepted += reason(bytes, true) == Refusal::kNone ? 1 : 0;
  }
  EXPECT_GT(accepted, 0U);
}

TEST(TcpWire, EveryReasonHasItsOwnSentence) {
  std::vector<std::string> texts;
  for (int i = 0; i <= static_cast<int>(Refusal::kOptionLength); ++i) {
    const std::string text = to_text(static_cast<Refusal>(i));
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(std::count(texts.begin(), texts.end(), text), 0) << text;
    texts.push_back(text);
  }
}

}  // namespace
}  // namespace longhaul::tcp
