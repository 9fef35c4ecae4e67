// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/record_taps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/observe/digest.h"
#include "tests/unit/platform/observe/record_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using ::testing::ElementsAre;

constexpr std::uint64_t word(std::uint64_t low, std::uint64_t high) { return low | high << 32; }

struct RecordTaps : ::testing::Test {
  ScratchDir dir;
  FrameTap cable{"cable", "frames on the wire"};
  RecordFile file{dir.path("record.bin")};

  RecordReader closed() {
    file.close({});
    return RecordReader(dir.bytes("record.bin"));
  }
};

TEST_F(RecordTaps, AFrameHasItsDigestAndWhatItsSegmentSays) {
  test::Segment segment;
  segment.sequence = 77;
  segment.flags = 0x18;
  segment.payload = 1000;
  const FrameRef frame = test::ip_frame(segment);
  {
    const FrameRecorder recorder(file, cable, "l0", "a to b", FrameRecorder::Which::kAll);
    cable.report(sc_time(5, SC_NS), frame, FrameFate::kSent);
  }
  EXPECT_FALSE(cable.active());
  const RecordReader found = closed();
  ASSERT_EQ(found.lines.size(), 1U);
  const RecordLine& line = found.lines[0];
  EXPECT_EQ(line.time_ps, 5000U);
  EXPECT_EQ(line.kind, RecordLine::kFrame);
  EXPECT_EQ(line.code, 0x40);  // sent, TCP
  EXPECT_EQ(line.size, 14U + 20 + 20 + 1000 + 4);
  EXPECT_THAT(line.value, ElementsAre(digest(*frame), 0, word(0x0a000001, 0x0a000002),
                                      word(40000 | 5001 << 16, 0x18), word(77, 0), 1000));
  EXPECT_THAT(found.tables, ElementsAre("frames", "l0", "a to b", ""));
}

TEST_F(RecordTaps, OtherFramesAreTold) {
  test::Segment udp;
  udp.ipv6 = false;
  udp.protocol = 17;
  udp.payload = 100;
  const FrameRecorder recorder(file, cable, "l0", "a to b", FrameRecorder::Which::kAll);
  cable.report(sc_time(5, SC_NS), test::ip_frame(udp), FrameFate::kSent);
  const RecordReader found = closed();
  ASSERT_EQ(found.lines.size(), 1U);
  EXPECT_EQ(found.tables.at(3 + found.lines[0].value[2]),
            "UDP 10.0.0.1>10.0.0.2 ports 40000>5001 len 100");
}

TEST_F(RecordTaps, ALossHasItsCauseAndADamagedFrameIsMarked) {
  const FrameRef frame = test::ip_frame({});
  FrameRef damaged = test::ip_frame({});
  damaged.writable().flip_bit(300);
  const FrameRecorder recorder(file, cable, "l0", "a to b", FrameRecorder::Which::kAll);
  cable.report(sc_time(1, SC_NS), frame, FrameFate::kDropped, "no carrier");
  cable.report(sc_time(2, SC_NS), damaged, FrameFate::kSent);
  const RecordReader found = closed();
  ASSERT_EQ(found.lines.size(), 2U);
  EXPECT_EQ(found.lines[0].code & 0x83, 0x02);
  EXPECT_EQ(found.tables.at(3 + found.lines[0].value[1]), "no carrier");
  EXPECT_EQ(found.lines[1].code & 0x83, 0x80);
  EXPECT_NE(found.lines[1].value[0], found.lines[0].value[0]);
}

TEST_F(RecordTaps, OfOtherPlacesOnlyDropsAreKept) {
  const FrameRecorder recorder(file, cable, "box", "drops of a box",
                               FrameRecorder::Which::kDropped);
  cable.report(sc_time(1, SC_NS), test::ip_frame({}), FrameFate::kSent);
  cable.report(sc_time(2, SC_NS), test::ip_frame({}), FrameFate::kReceived);
  cable.report(sc_time(3, SC_NS), test::ip_frame({}), FrameFate::kDropped, "queue full");
  const RecordReader found = closed();
  ASSERT_EQ(found.lines.size(), 1U);
  EXPECT_EQ(found.lines[0].time_ps, 3000U);
  EXPECT_EQ(found.tables[0], "drops");
}

TEST_F(RecordTaps, ASpanHasBothTimesLabelAndNumbers) {
  SpanTap bus{"bus", "tenures"};
  {
    const SpanRecorder recorder(file, bus);
    bus.report(1'000, 2'000, "memory read", 0xf000'0010, 64);
  }
  EXPECT_FALSE(bus.active());
  const RecordReader found = closed();
  ASSERT_EQ(found.lines.size(), 1U);
  EXPECT_EQ(found.lines[0].time_ps, 1000U);
  EXPECT_THAT(found.lines[0].value, ElementsAre(2000, 0, 0xf000'0010, 64, 0, 0));
  EXPECT_THAT(found.tables, ElementsAre("events", "bus", "tenures", "memory read"));
}

}  // namespace
}  // namespace longhaul::observe
