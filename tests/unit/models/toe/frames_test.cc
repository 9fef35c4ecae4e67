// SPDX-License-Identifier: Apache-2.0
#include "models/toe/frames.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace longhaul::toe {
namespace {

// All frames were made by scapy 2.8, which computes lengths and checksums by code of its own.
const char* const kSyn =
    "02000000000202000000000108004500003c00014000400626b90a0000010a00000213899c4011223344000000"
    "00a002ffff42c90000020405b40101080a000000070000000001030306";
const char* const kTaggedData =
    "0200000000020200000000018100600508004520003f01024000400625950a0000010a00000213899c40112233"
    "45fedcba98801802008ed200000101080a00000009000000080102030405060708090a0b";
const char* const kIpOptions =
    "02000000000102000000000208004600002c00030000400664c70a0000020a000001010000009c401389000000"
    "050000000650100009ebf40000";
const char* const kFragment =
    "02000000000102000000000208004500002800032000400646cb0a0000020a0000019c40138900000005000000"
    "0650100009ebf40000";
const char* const kUdp =
    "02000000000102000000000208004500002100030000401166c70a0000020a0000019c401389000df83568656c"
    "6c6f";
const char* const kIpv6 =
    "02000000000102000000000286dd6000000000140640fd000000000000000000000000000002fd000000000000"
    "0000000000000000019c40138900000005000000065010000905f30000";
const char* const kReceived =
    "0200000000010200000000028100000708004504003900030000400666b60a0000020a0000019c401389000000"
    "050000000680180009890200000101080a00000003000000046162636465";

std::vector<std::uint8_t> from_hex(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

FrameRef frame_of(std::vector<std::uint8_t> bytes) {
  FrameRef frame = Frame::allocate(static_cast<std::uint32_t>(bytes.size()));
  std::memcpy(frame.writable().data(), bytes.data(), bytes.size());
  return frame;
}

std::vector<std::uint8_t> bytes_of(const FrameRef& frame) {
  return {frame->data(), frame->data() + frame->size()};
}

/// Byte k of the stream is k + 1.
struct Counting final : tcp::PayloadSource {
  void fill(std::uint64_t offset, std::uint8_t* out, std::uint32_t length) override {
    for (std::uint32_t i = 0; i < length; ++i) out[i] = static_cast<std::uint8_t>(offset + i + 1);
  }
};

constexpr Ends kEnds{{10, 0, 0, 1}, {10, 0, 0, 2}, 5001, 40000};
constexpr MacAddress kHere{2, 0, 0, 0, 0, 1};
constexpr MacAddress kThere{2, 0, 0, 0, 0, 2};

TEST(ToeFrames, ASynIsByteForByteAsScapyWritesIt) {
  tcp::Segment syn;
  syn.seq = 0x11223344;
  syn.flags = tcp::kSyn;
  syn.window = 65535;
  syn.options.mss = 1460;
  syn.options.timestamps = true;
  syn.options.ts_value = 7;
  syn.options.window_scale = 6;
  const NextStation next{kThere, false, 0};
  Envelope envelope;
  envelope.next = &next;
  envelope.source = &kHere;
  envelope.identification = 1;
  Counting payload;
  EXPECT_EQ(bytes_of(build(syn, kEnds, envelope, payload, false)), from_hex(kSyn));
}

TEST(ToeFrames, TaggedDataAreByteForByteAsScapyWritesThem) {
  tcp::Segment data;
  data.seq = 0x11223345;
  data.ack = 0xfedcba98;
  data.flags = tcp::kPsh | tcp::kAck;
  data.window = 512;
  data.length = 11;
  data.options.timestamps = true;
  data.options.ts_value = 9;
  data.options.ts_echo = 8;
  const NextStation next{kThere, true, 3 << 13 | 5};
  Envelope envelope;
  envelope.next = &next;
  envelope.source = &kHere;
  envelope.tos = 0x20;
  envelope.identification = 0x102;
  Counting payload;
  EXPECT_EQ(bytes_of(build(data, kEnds, envelope, payload, false)), from_hex(kTaggedData));
}

TEST(ToeFrames, BlankPayloadIsElidedAndCounted) {
  struct Zeros final : tcp::PayloadSource {
    void fill(std::uint64_t, std::uint8_t* out, std::uint32_t length) override {
      std::memset(out, 0, length);
    }
  } zeros;
  tcp::Segment data;
  data.flags = tcp::kAck;
  data.length = 1000;
  const NextStation next{kThere, false, 0};
  Envelope envelope;
  envelope.next = &next;
  envelope.source = &kHere;
  const FrameRef frame = build(data, kEnds, envelope, zeros, true);
  EXPECT_EQ(frame->size(), 14U + 40U + 1000U);
  EXPECT_EQ(frame->stored(), Frame::kHeadBytes);
  EXPECT_EQ(parse(*frame).kind, Inbound::Kind::kTcp);
}

TEST(ToeFrames, ATaggedSegmentIsRead) {
  const Inbound in = parse(*frame_of(from_hex(kReceived)));
  EXPECT_EQ(in.kind, Inbound::Kind::kTcp);
  EXPECT_TRUE(in.ends == kEnds);
  EXPECT_EQ(in.segment.seq, 5U);
  EXPECT_EQ(in.segment.ack, 6U);
  EXPECT_EQ(in.segment.length, 5U);
  EXPECT_EQ(in.segment.options.ts_value, 3U);
  EXPECT_EQ(in.payload_at, 14U + 4U + 20U + 32U);
  EXPECT_EQ(in.tos, 4U);
  EXPECT_TRUE(in.origin.tagged);
  EXPECT_EQ(in.origin.vlan, 7U);
  EXPECT_EQ(in.origin.source, kThere);
}

TEST(ToeFrames, WhatIsNotPlainTcpOverIpv4IsTheHosts) {
  for (const char* const text : {kIpOptions, kFragment, kUdp, kIpv6})
    EXPECT_EQ(parse(*frame_of(from_hex(text))).kind, Inbound::Kind::kOther) << text;
}

TEST(ToeFrames, EveryDamagedByteOfTheSegmentIsFound) {
  const std::vector<std::uint8_t> good = from_hex(kReceived);
  for (std::size_t at = 18; at < good.size(); ++at) {
    std::vector<std::uint8_t> bad = good;
    bad[at] ^= 0x10;
    EXPECT_NE(parse(*frame_of(bad)).kind, Inbound::Kind::kTcp) << at;
  }
}

TEST(ToeFrames, ShortFramesAreNotRead) {
  const std::vector<std::uint8_t> good = from_hex(kReceived);
  for (std::size_t size = 14; size < good.size(); ++size) {
    const std::vector<std::uint8_t> cut(good.begin(), good.begin() + static_cast<long>(size));
    EXPECT_EQ(parse(*frame_of(cut)).kind, Inbound::Kind::kOther) << size;
  }
}

}  // namespace
}  // namespace longhaul::toe
