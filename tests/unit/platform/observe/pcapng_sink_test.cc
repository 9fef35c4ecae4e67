// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/pcapng_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "models/common/units.h"
#include "platform/observe/frame_notes.h"
#include "platform/observe/sink_error.h"
#include "tests/unit/platform/observe/file_bytes.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::observe {
namespace {

using sc_core::sc_start;
using sc_core::SC_US;
using ::testing::ElementsAre;

FrameRef make_frame(std::uint32_t size, std::uint8_t fill) {
  FrameRef frame = Frame::allocate(size);
  std::memset(frame.writable().data(), fill, size);
  return frame;
}

std::uint32_t u32_at(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, &bytes.at(at), 4);
  return value;
}

/// What an Enhanced Packet Block says.
struct Packet {
  std::uint32_t interface_id;
  std::uint64_t ns;
  std::vector<std::uint8_t> kept;
  std::uint32_t length;
  std::uint32_t flags;
  std::vector<std::string> comments;
};

std::vector<Packet> packets(const std::vector<std::uint8_t>& file) {
  std::vector<Packet> list;
  for (std::size_t at = 0; at < file.size(); at += u32_at(file, at + 4)) {
    const std::uint32_t length = u32_at(file, at + 4);
    EXPECT_EQ(length % 4, 0U);
    EXPECT_EQ(u32_at(file, at + length - 4), length);
    if (u32_at(file, at) != 6) continue;
    Packet& p = list.emplace_back();
    p.interface_id = u32_at(file, at + 8);
    p.ns = (std::uint64_t{u32_at(file, at + 12)} << 32) | u32_at(file, at + 16);
    const std::uint32_t kept = u32_at(file, at + 20);
    p.length = u32_at(file, at + 24);
    p.kept.assign(file.begin() + static_cast<std::ptrdiff_t>(at) + 28,
                  file.begin() + static_cast<std::ptrdiff_t>(at + 28 + kept));
    for (std::size_t option = at + 28 + (kept + 3) / 4 * 4; (u32_at(file, option) & 0xffff) != 0;) {
      const std::uint32_t code = u32_at(file, option) & 0xffff;
      const std::uint32_t size = u32_at(file, option) >> 16;
      if (code == 2) p.flags = u32_at(file, option + 4);
      if (code == 1)
        p.comments.emplace_back(reinterpret_cast<const char*>(&file[option + 4]), size);
      option += 4 + (size + 3) / 4 * 4;
    }
  }
  return list;
}

std::vector<std::uint64_t> times_ns(const std::vector<Packet>& list) {
  std::vector<std::uint64_t> times;
  for (const Packet& p : list) times.push_back(p.ns);
  return times;
}

struct Pcapng : ::testing::Test {
  FrameTap ab{"l0_ab", "a to b"};
  FrameTap ba{"l0_ba", "b to a"};
  ScratchDir dir;
  std::string path = dir.path("l0.pcapng");
};

TEST_F(Pcapng, WritesEveryBlockByteForByte) {
  PcapngSink sink(path);
  sink.watch(ab, "l0:ab", 10'000'000'000);
  const FrameRef frame = make_frame(61, 0x5a);
  ab.report(from_ps(5'000'000'123'999), frame, FrameFate::kSent);
  sc_start(7, SC_US);
  sink.close();

  const std::uint32_t sum = frame->fcs();
  const auto expected = FileBytes()
                            .u32(0x0a0d0d0a)
                            .u32(44)
                            .u32(0x1a2b3c4d)
                            .u16(1)
                            .u16(0)
                            .u64(~std::uint64_t{0})
                            .u16(4)
                            .u16(8)
                            .raw("longhaul")
                            .u32(0)
                            .u32(44)
                            .u32(1)
                            .u32(68)
                            .u16(1)
                            .u16(0)
                            .u32(0)
                            .u16(2)
                            .u16(5)
                            .raw("l0:ab")
                            .zeros(3)
                            .u16(3)
                            .u16(6)
                            .raw("a to b")
                            .zeros(2)
                            .u16(8)
                            .u16(8)
                            .u64(10'000'000'000)
                            .u16(9)
                            .u16(1)
                            .u8(9)
                            .zeros(3)
                            .u32(0)
                            .u32(68)
                            .u32(6)
                            .u32(124)
                            .u32(0)
                            .u32(5'000'000'123 >> 32)
                            .u32(5'000'000'123 & 0xffff'ffff)
                            .u32(65)
                            .u32(65)
                            .raw(std::string(61, 0x5a))
                            .u32(sum)
                            .zeros(3)
                            .u16(2)
                            .u16(4)
                            .u32(4U << 5 | 2U)
                            .u16(5)
                            .u16(8)
                            .u64(frame->id())
                            .u32(0)
                            .u32(124)
                            .u32(5)
                            .u32(76)
                            .u32(0)
                            .u32(0)
                            .u32(7'000)
                            .u16(2)
                            .u16(8)
                            .u32(0)
                            .u32(0)
                            .u16(3)
                            .u16(8)
                            .u32(0)
                            .u32(7'000)
                            .u16(4)
                            .u16(8)
                            .u64(1)
                            .u16(5)
                            .u16(8)
                            .u64(0)
                            .u32(0)
                            .u32(76);
  EXPECT_EQ(dir.bytes("l0.pcapng"), expected.get());
}

TEST_F(Pcapng, FlagsTellDirectionAndCommentsWhyAFrameWasDropped) {
  PcapngSink sink(path);
  sink.watch(ab, "ab");
  sink.watch(ba, "ba");
  const FrameRef frame = make_frame(60, 1);
  ab.report(from_ps(1'000), frame, FrameFate::kSent);
  ba.report(from_ps(2'000), frame, FrameFate::kReceived);
  ba.report(from_ps(3'000), frame, FrameFate::kDropped, "buffer full");
  sink.close();
  const auto list = packets(dir.bytes("l0.pcapng"));
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].interface_id, 0U);
  EXPECT_EQ(list[0].flags, 0x82U);
  EXPECT_EQ(list[1].interface_id, 1U);
  EXPECT_EQ(list[1].flags, 0x81U);
  EXPECT_THAT(list[1].comments, ElementsAre());
  EXPECT_EQ(list[2].flags, 0x80U);
  EXPECT_THAT(list[2].comments, ElementsAre("dropped: buffer full"));
}

TEST_F(Pcapng, ADamagedFrameKeepsItsOldFcsAndIsMarked) {
  PcapngSink sink(path);
  sink.watch(ab, "ab");
  FrameRef frame = make_frame(60, 1);
  const std::uint32_t fcs = frame->fcs();
  frame.writable().flip_bit(8 * 20);
  ab.report(from_ps(0), frame, FrameFate::kDropped, "bad FCS");
  sink.close();
  const auto list = packets(dir.bytes("l0.pcapng"));
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].flags, 0x0100'0080U);
  EXPECT_EQ(list[0].kept[20], 0);
  EXPECT_EQ(u32_at(list[0].kept, 60), fcs);
  EXPECT_THAT(list[0].comments, ElementsAre("dropped: bad FCS", "damaged: FCS does not match"));
}

TEST_F(Pcapng, FramesStandInOrderOfTheirFirstBitHoweverTheyAreReported) {
  PcapngSink sink(path);
  sink.watch(ab, "ab");
  sink.watch(ba, "ba");
  const FrameRef frame = make_frame(60, 1);
  sc_start(100, SC_US);
  ab.report(from_ps(100'500'000), frame, FrameFate::kSent);     // waits for the wire
  ba.report(from_ps(87'000'000), frame, FrameFate::kReceived);  // its last bit came now
  ab.report(from_ps(100'499'999), frame, FrameFate::kSent);     // the ns before
  ba.report(from_ps(100'500'000), frame,
            FrameFate::kReceived);  // after the first: reported after it
  sink.close();
  const auto list = packets(dir.bytes("l0.pcapng"));
  EXPECT_THAT(times_ns(list), ElementsAre(87'000, 100'499, 100'500, 100'500));
  EXPECT_EQ(list[2].interface_id, 0U);
  EXPECT_EQ(list[3].interface_id, 1U);
}

TEST_F(Pcapng, LongCapturesKeepOrderAndWaitOnlyForTheReorderTime) {
  PcapngSink sink(path);
  sink.watch(ab, "ab");
  sink.watch(ba, "ba");
  const FrameRef frame = make_frame(1514, 1);
  std::vector<std::uint64_t> expected;
  sc_start(100, SC_US);
  for (std::uint64_t i = 0; i < 4000; ++i) {  // 12 MB: many times the buffers
    const std::uint64_t at_ps = now_ps();
    ab.report(from_ps(at_ps), frame, FrameFate::kSent);
    ba.report(from_ps(at_ps - 12'345'678), frame, FrameFate::kReceived);
    expected.push_back(at_ps / 1000);
    expected.push_back((at_ps - 12'345'678) / 1000);
    sc_start(10, SC_US);
    if (i == 2000) {
      // All but the last millisecond (100 frames each way) and what the file buffers is in the
      // file.
      EXPECT_GT(std::filesystem::file_size(path + ".part"),
                2 * (2000 - 102) * 1550U - OutputFile::kBufferBytes);
    }
  }
  sink.close();
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(times_ns(packets(dir.bytes("l0.pcapng"))), expected);
}

TEST_F(Pcapng, ASnapshotKeepsTheLengthAndMayEndWithinTheFcs) {
  PcapngSink sink(path, 62);
  sink.watch(ab, "ab");
  ab.report(from_ps(0), make_frame(200, 7), FrameFate::kSent);
  const FrameRef small = make_frame(60, 8);
  ab.report(from_ps(1000), small, FrameFate::kSent);
  sink.close();
  const auto list = packets(dir.bytes("l0.pcapng"));
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].length, 204U);
  EXPECT_EQ(list[0].kept, std::vector<std::uint8_t>(62, 7));
  EXPECT_EQ(list[1].length, 64U);
  EXPECT_EQ(list[1].kept.size(), 62U);
  EXPECT_EQ(list[1].kept[60], small->fcs() & 0xff);
  EXPECT_EQ(list[1].kept[61], small->fcs() >> 8 & 0xff);
}

TEST_F(Pcapng, HoldsNoFrameAndStopsListeningOnClose) {
  PcapngSink sink(path);
  sink.watch(ab, "ab");
  const auto live = frame_pool_stats().live;
  ab.report(from_ps(0), make_frame(60, 7), FrameFate::kSent);
  EXPECT_EQ(frame_pool_stats().live, live);
  sink.close();
  EXPECT_FALSE(ab.active());
}

TEST_F(Pcapng, AFullDiskThrowsAndLeavesNoFile) {
  std::filesystem::create_symlink("/dev/full", path + ".part");
  PcapngSink sink(path);
  EXPECT_THROW(sink.close(), SinkError);
  EXPECT_FALSE(dir.exists("l0.pcapng"));
}

/// An Ethernet frame with an IPv4/UDP datagram of `payload` bytes and right checksums.
FrameRef udp_frame(std::uint16_t payload, std::uint8_t fill) {
  FileBytes packet;
  const auto be16 = [&](std::uint32_t v) {
    packet.u8(static_cast<std::uint8_t>(v >> 8)).u8(static_cast<std::uint8_t>(v));
  };
  const auto sum16 = [](const std::vector<std::uint8_t>& bytes, std::size_t from, std::size_t to,
                        std::uint32_t sum) {
    for (std::size_t i = from; i < to; ++i)
      sum += static_cast<std::uint32_t>(bytes[i]) << (i % 2 == from % 2 ? 8 : 0);
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return ~sum & 0xffff;
  };
  packet.raw({"\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00", 14});
  packet.raw({"\x45\x00", 2});
  be16(28U + payload);
  packet.raw({"\x00\x01\x40\x00\x40\x11\x00\x00\x0a\x00\x00\x01\x0a\x00\x00\x02", 16});
  be16(40001);
  be16(40002);
  be16(8U + payload);
  be16(0);
  packet.raw(std::string(payload, static_cast<char>(fill)));
  std::vector<std::uint8_t> bytes = packet.get();
  const auto put = [&](std::size_t at, std::uint32_t v) {
    bytes[at] = static_cast<std::uint8_t>(v >> 8);
    bytes[at + 1] = static_cast<std::uint8_t>(v);
  };
  put(24, sum16(bytes, 14, 34, 0));
  put(40, sum16(bytes, 26, bytes.size(), 17U + 8U + payload));
  FrameRef frame = Frame::allocate(static_cast<std::uint32_t>(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), frame.writable().data());
  frame.writable().pad_to_minimum();
  return frame;
}

// tests/python/test_pcapng.py runs this case to let other programs read what the sink writes.
TEST_F(Pcapng, SampleForOtherReaders) {
  const char* given = std::getenv("LONGHAUL_PCAPNG_SAMPLE");
  const std::string sample = given != nullptr ? given : path;
  PcapngSink sink(sample);
  sink.watch(ab, "l0:ab", 10'000'000'000);
  sink.watch(ba, "l0:ba", 10'000'000'000);
  sc_start(1, sc_core::SC_SEC);
  ab.report(from_ps(1'000'000'001'999), udp_frame(8192, 1), FrameFate::kSent);
  ba.report(from_ps(1'000'000'000'999), udp_frame(1, 2), FrameFate::kReceived);
  ba.report(from_ps(1'000'000'002'000), udp_frame(1472, 3), FrameFate::kDropped, "buffer full");
  FrameRef damaged = udp_frame(100, 4);
  damaged.writable().flip_bit(8 * 60 + 3);
  ab.report(from_ps(1'000'000'003'000), damaged, FrameFate::kDropped, "bad FCS");
  sink.close();
  EXPECT_EQ(packets(given != nullptr ? std::vector<std::uint8_t>{} : dir.bytes("l0.pcapng")).size(),
            given != nullptr ? 0U : 4U);
}

TEST_F(Pcapng, WhatBecomesOfAFrameIsACommentOnEachOfItsPackets) {
  LossWatch watch({&ba});
  const LossBook losses(watch);
  FrameNotes notes(watch, losses);
  PcapngSink sink(path, 0, &notes);
  sink.watch(ab, "l0:ab");
  sink.watch(ba, "l0:ba");
  const FrameRef lost = make_frame(61, 0x5a);
  const FrameRef kept = make_frame(62, 0x5b);
  ab.report(from_ps(1'000'000), lost, FrameFate::kSent);
  ab.report(from_ps(2'000'000), kept, FrameFate::kSent);
  sc_start(7, SC_US);
  ba.report(now(), lost, FrameFate::kDropped,
            "queue full");  // 5 us later; on this interface it is a packet of its own
  sink.close();
  const std::vector<Packet> list = packets(dir.bytes("l0.pcapng"));
  ASSERT_EQ(list.size(), 3U);
  EXPECT_THAT(list[0].comments, ElementsAre("dropped later: l0_ba at 0.000007000 s (queue full)"));
  EXPECT_EQ(list[0].kept.size(), 65U);
  EXPECT_THAT(list[1].comments, ElementsAre());
  EXPECT_THAT(list[2].comments, ElementsAre("dropped: queue full"));
}

TEST_F(Pcapng, AFileWithoutCommentsIsAsItWas) {
  const auto written = [&](FrameNotes* notes) {
    PcapngSink sink(path, 40, notes);
    sink.watch(ab, "l0:ab");
    for (std::uint32_t i = 0; i < 3; ++i) {
      const FrameRef frame = make_frame(61 + i, 0x5a);
      ab.report(from_ps(1'000'000), frame, FrameFate::kSent);
    }
    sink.close();
    return packets(dir.bytes("l0.pcapng"));
  };
  LossWatch watch({&ba});
  const LossBook losses(watch);
  FrameNotes notes(watch, losses);
  const std::vector<Packet> plain = written(nullptr);
  ba.report(now(), make_frame(70, 1), FrameFate::kDropped, "nothing of this file");
  const std::vector<Packet> again = written(&notes);
  ASSERT_EQ(plain.size(), again.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(plain[i].kept, again[i].kept);
    EXPECT_EQ(plain[i].flags, again[i].flags);
    EXPECT_THAT(again[i].comments, ElementsAre());
  }
}

}  // namespace
}  // namespace longhaul::observe
