// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/observe/digest.h"
#include "tests/unit/platform/observe/file_bytes.h"
#include "tests/unit/platform/observe/record_reader.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::observe {
namespace {

using ::testing::ElementsAre;

RecordLine event(std::uint64_t ps) {
  RecordLine line;
  line.time_ps = ps;
  line.kind = RecordLine::kEvent;
  line.value = {ps + 1, 0, 3, 4, 5, 6};
  return line;
}

struct Records : ::testing::Test {
  ScratchDir dir;
};

TEST_F(Records, WritesHeaderLinesAndTablesByteForByte) {
  RecordFile file(dir.path("record.bin"));
  const std::uint16_t bus = file.add_stream("events", "pc.bus", "tenures");
  RecordLine line = event(0x1'0000'0002);
  line.code = 9;
  line.size = 8;
  file.put(bus, &line, 1, "read");
  file.close({{"pc.eth0", 0xf000'0000, 4096}});

  RecordLine canonical = line;
  canonical.value[1] = digest("read", 4);
  const std::uint64_t chain = digest(&canonical, sizeof canonical);
  const auto expected = FileBytes()
                            .raw("LHRECOR1")
                            .u32(64)
                            .u32(64)
                            .u32(1)  // streams
                            .u32(1)  // labels
                            .u32(1)  // windows
                            .u32(64)
                            .u64(2)    // lines
                            .u64(192)  // tables
                            .zeros(16)
                            .u64(0x1'0000'0002)
                            .u16(0)
                            .u8(4)
                            .u8(9)
                            .u32(8)
                            .u64(0x1'0000'0003)
                            .u64(0)  // label
                            .u64(3)
                            .u64(4)
                            .u64(5)
                            .u64(6)
                            .u64(0x1'0000'0002)  // checkpoint
                            .u16(0)
                            .u8(0)
                            .u8(0)
                            .u32(64)
                            .u64(1)
                            .u64(chain)
                            .zeros(32)
                            .text("events")
                            .text("pc.bus")
                            .text("tenures")
                            .text("read")
                            .text("pc.eth0")
                            .u64(0xf000'0000)
                            .u64(4096);
  EXPECT_EQ(dir.bytes("record.bin"), expected.get());
}

TEST_F(Records, AStreamHasACheckpointEvery64ItemsAndAtItsEnd) {
  RecordFile file(dir.path("record.bin"));
  const std::uint16_t one = file.add_stream("events", "one", "");
  const std::uint16_t exact = file.add_stream("events", "exact", "");
  file.add_stream("events", "silent", "");
  for (std::uint64_t i = 0; i < 130; ++i) {
    RecordLine line = event(i);
    file.put(one, &line, 1);
    if (i < 64) file.put(exact, &line, 1);
  }
  file.close({});
  std::vector<std::pair<int, std::uint64_t>> marks;
  for (const RecordLine& mark : RecordReader(dir.bytes("record.bin")).marks) {
    marks.emplace_back(mark.stream, mark.value[0]);
  }
  EXPECT_THAT(
      marks, ElementsAre(std::pair(0, 64), std::pair(1, 64), std::pair(0, 128), std::pair(0, 130)));
}

/// The last digest of stream `name` when `others` items of another stream and label are in between.
std::uint64_t last_digest(ScratchDir& dir, const std::string& name, std::uint64_t others,
                          std::uint64_t changed) {
  RecordFile file(dir.path("record.bin"));
  const std::uint16_t other = others == 0 ? 0 : file.add_stream("events", "other", "");
  const std::uint16_t stream = file.add_stream("events", name, "");
  for (std::uint64_t i = 0; i < 10; ++i) {
    RecordLine line = event(100 + i);
    for (std::uint64_t n = 0; n < others; ++n) file.put(other, &line, 1, "label of the other");
    line = event(i == 5 ? changed : i);
    file.put(stream, &line, 1, "label");
  }
  file.close({});
  return RecordReader(dir.bytes("record.bin")).marks.back().value[1];
}

TEST_F(Records, ADigestIsOfItsStreamAlone) {
  const std::uint64_t alone = last_digest(dir, "one", 0, 5);
  EXPECT_EQ(last_digest(dir, "renamed", 3, 5), alone);
  EXPECT_NE(last_digest(dir, "one", 0, 6), alone);
}

TEST_F(Records, LinesThatBelongToAnItemAreNoItems) {
  RecordFile file(dir.path("record.bin"));
  const std::uint16_t stream = file.add_stream("exchanges", "pc", "");
  RecordLine lines[2] = {event(1), event(1)};
  lines[0].kind = RecordLine::kWork;
  for (int i = 0; i < 64; ++i) file.put(stream, lines, 2);
  file.close({});
  const RecordReader found(dir.bytes("record.bin"));
  EXPECT_EQ(found.lines.size(), 128U);
  ASSERT_EQ(found.marks.size(), 1U);
  EXPECT_EQ(found.marks[0].value[0], 64U);
}

TEST_F(Records, AnUnfinishedRecordKeepsItsPartName) {
  { RecordFile file(dir.path("record.bin")); }
  EXPECT_FALSE(dir.exists("record.bin"));
  EXPECT_TRUE(dir.exists("record.bin.part"));
}

}  // namespace
}  // namespace longhaul::observe
