// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/span_sink.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "platform/observe/sink_error.h"
#include "tests/unit/platform/observe/file_bytes.h"
#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {
namespace {

struct Spans : ::testing::Test {
  SpanTap bus{"bus", "arg0: address, arg1: bytes"};
  SpanTap irq{"irq", "interrupts"};
  ScratchDir dir;
};

TEST_F(Spans, WritesTracksRecordsAndLabelsByteForByte) {
  SpanSink sink(dir.path("spans.bin"), {&bus, &irq});
  EXPECT_TRUE(bus.active());
  const char read_again[] = "read";  // the same text at another address
  bus.report(1'000, 2'000, "read", 0xfee0'0000'1234, 64);
  irq.report(0x1'0000'0002, 0x1'0000'0002, "INTA");
  bus.report(3'000, 3'500, read_again, 1, 2);
  sink.close();
  EXPECT_FALSE(bus.active());
  bus.report(9'000, 9'500, "late");

  // 64 of header; tracks: 2+3 + 2+26 + 2+3 + 2+10 = 50, padded to 120; 3 records end at 240.
  const auto expected = FileBytes()
                            .raw("LHSPANS1")
                            .u32(64)
                            .u32(40)
                            .u32(2)
                            .u32(2)
                            .u64(120)
                            .u64(3)
                            .u64(240)
                            .u64(0)
                            .u64(0)
                            .text("bus")
                            .text("arg0: address, arg1: bytes")
                            .text("irq")
                            .text("interrupts")
                            .zeros(6)
                            .u64(1'000)
                            .u64(2'000)
                            .u64(0xfee0'0000'1234)
                            .u64(64)
                            .u32(0)
                            .u32(0)
                            .u64(0x1'0000'0002)
                            .u64(0x1'0000'0002)
                            .u64(0)
                            .u64(0)
                            .u32(1)
                            .u32(1)
                            .u64(3'000)
                            .u64(3'500)
                            .u64(1)
                            .u64(2)
                            .u32(0)
                            .u32(0)
                            .text("read")
                            .text("INTA");
  EXPECT_EQ(dir.bytes("spans.bin"), expected.get());
}

TEST_F(Spans, CountsWhatAFullFileDoesNotTakeAndFromWhen) {
  SpanSink sink(dir.path("spans.bin"), {&irq}, 2);
  for (std::uint64_t i = 1; i <= 5; ++i) irq.report(i * 100, i * 100 + 10, "x");
  sink.close();
  EXPECT_EQ(sink.lost(), 3U);
  const auto bytes = dir.bytes("spans.bin");
  std::uint64_t records = 0;
  std::uint64_t lost = 0;
  std::uint64_t first_lost_ps = 0;
  std::memcpy(&records, &bytes.at(32), 8);
  std::memcpy(&lost, &bytes.at(48), 8);
  std::memcpy(&first_lost_ps, &bytes.at(56), 8);
  EXPECT_EQ(records, 2U);
  EXPECT_EQ(lost, 3U);
  EXPECT_EQ(first_lost_ps, 310U);
}

TEST_F(Spans, AFileWithoutSpansIsWhole) {
  SpanSink sink(dir.path("spans.bin"), {});
  sink.close();
  const auto expected = FileBytes()
                            .raw("LHSPANS1")
                            .u32(64)
                            .u32(40)
                            .u32(0)
                            .u32(0)
                            .u64(64)
                            .u64(0)
                            .u64(64)
                            .u64(0)
                            .u64(0);
  EXPECT_EQ(dir.bytes("spans.bin"), expected.get());
}

TEST_F(Spans, LostFramesAreInstantsOfATrackOfTheirOwn) {
  FrameTap box{"box", "frames dropped"};
  LossWatch watch({&box});
  const SequenceOrigins origins;
  SpanSink sink(dir.path("spans.bin"), {&irq}, SpanSink::kMostSpans, &watch, &origins);
  test::Segment segment;
  segment.sequence = 8949;
  const FrameRef frame = test::ip_frame(segment);
  box.report(from_ps(700), frame, FrameFate::kSent);
  box.report(from_ps(800), frame, FrameFate::kDropped, "RED");
  sink.close();
  EXPECT_FALSE(box.active());
  const auto expected = FileBytes()
                            .raw("LHSPANS1")
                            .u32(64)
                            .u32(40)
                            .u32(2)
                            .u32(1)
                            .u64(144)
                            .u64(1)
                            .u64(184)
                            .u64(0)
                            .u64(0)
                            .text("irq")
                            .text("interrupts")
                            .text("lost frames")
                            .text("frames that a part dropped, with its reason")
                            .zeros(5)
                            .u64(800)
                            .u64(800)
                            .u64(frame->id())
                            .u64(8949)
                            .u32(1)
                            .u32(0)
                            .text("box: RED");
  EXPECT_EQ(dir.bytes("spans.bin"), expected.get());
}

TEST_F(Spans, StopsListeningWhenItGoes) {
  { SpanSink sink(dir.path("spans.bin"), {&bus}); }
  EXPECT_FALSE(bus.active());
}

TEST_F(Spans, AFullDiskIsToldWhenTheBufferIsWritten) {
  std::filesystem::create_symlink("/dev/full", dir.path("spans.bin.part"));
  SpanSink sink(dir.path("spans.bin"), {&irq});
  irq.report(0, 1, "x");
  EXPECT_NO_THROW(sink.check());
  for (std::size_t i = 0; i < OutputFile::kBufferBytes / 40 + 1; ++i) irq.report(i, i, "x");
  EXPECT_THROW(sink.check(), SinkError);
  EXPECT_THROW(sink.close(), SinkError);
}

}  // namespace
}  // namespace longhaul::observe
