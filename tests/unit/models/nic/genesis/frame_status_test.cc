// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/frame_status.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/genesis/xmac_fixture.h"

namespace longhaul::nic::genesis {
namespace {

using testing::XmacFixture;

constexpr std::uint16_t kStripFcs = 0x10;
constexpr std::uint16_t kTagType = 0x8100;

std::uint32_t status_word(const FrameRef& frame, std::uint16_t rx_cmd = kStripFcs) {
  return frame_status(*frame, rx_cmd, kTagType);
}

TEST(GenesisFrameStatus, LengthCountsTheFcsUnlessItIsStripped) {
  const FrameRef frame = XmacFixture::frame(98);
  EXPECT_EQ(status_word(frame), 94U << 18 | 1U << 13);
  EXPECT_EQ(status_word(frame, 0), 98U << 18 | 1U << 13);
}

TEST(GenesisFrameStatus, OneBitForEachKindOfDestination) {
  EXPECT_EQ(status_word(XmacFixture::frame(64, test::kBroadcast)), 60U << 18 | 1U << 15);
  EXPECT_EQ(status_word(XmacFixture::frame(64, XmacFixture::kGroup)), 60U << 18 | 1U << 14);
  EXPECT_EQ(status_word(XmacFixture::frame(64)), 60U << 18 | 1U << 13);
}

TEST(GenesisFrameStatus, ATagIsShownAndMayMakeTheFrameLonger) {
  EXPECT_EQ(status_word(XmacFixture::frame(1522, XmacFixture::kMe, kTagType)),
            1518U << 18 | 1U << 16 | 1U << 13);
  EXPECT_EQ(status_word(XmacFixture::frame(1523, XmacFixture::kMe, kTagType)),
            1519U << 18 | 1U << 16 | 1U << 13 | 0xa);
  EXPECT_EQ(frame_status(*XmacFixture::frame(1522, XmacFixture::kMe, kTagType), kStripFcs, 0x9100),
            1518U << 18 | 1U << 13 | 0xa)
      << "another type is said to be the tag's";
}

TEST(GenesisFrameStatus, LongFramesAreAnErrorUnlessBigPacketsAreFine) {
  EXPECT_EQ(status_word(XmacFixture::frame(1518)) & 0x1fff, 0U);
  EXPECT_EQ(status_word(XmacFixture::frame(1519)) & 0x1fff, 0xaU);
  EXPECT_EQ(status_word(XmacFixture::frame(9018), kStripFcs | 0x80), 9014U << 18 | 1U << 13 | 8);
}

TEST(GenesisFrameStatus, DamageAndRuntsAreErrors) {
  EXPECT_EQ(status_word(XmacFixture::damaged(XmacFixture::frame(64))), 60U << 18 | 1U << 13 | 6);
  EXPECT_EQ(status_word(XmacFixture::frame(63)), 59U << 18 | 1U << 13 | 0x12);
  EXPECT_EQ(status_word(XmacFixture::frame(64)) & 0x12, 0U);
}

TEST(GenesisFrameStatus, ALengthFieldMustFitUnlessThatIsFine) {
  struct Row {
    std::uint32_t octets;
    std::uint16_t field;
    std::uint32_t bits;
  };
  const Row rows[] = {{118, 100, 0x200},                      // exact
                      {118, 101, 0x242},                      // more than there is
                      {118, 99, 0x242},                       // less
                      {64, 10, 0x200},                        // padded
                      {65, 10, 0x242},                        // padded beyond the least
                      {64, 47, 0x242},                        // cut short
                      {1518, 1500, 0x200}, {1518, 1501, 0}};  // a type
  for (const Row& row : rows) {
    EXPECT_EQ(status_word(XmacFixture::frame(row.octets, XmacFixture::kMe, row.field)) & 0x1fff,
              row.bits)
        << row.octets << " " << row.field;
    EXPECT_EQ(status_word(XmacFixture::frame(row.octets, XmacFixture::kMe, row.field),
                          kStripFcs | 0x100) &
                  0x1fff,
              row.bits & ~2U)
        << row.octets << " " << row.field;
  }
}

TEST(GenesisFrameStatus, TheFieldBehindATagIsTheOneThatCounts) {
  const auto tagged = [](std::uint16_t field) {
    FrameRef frame = XmacFixture::frame(122, XmacFixture::kMe, kTagType);
    write_be16(frame.writable().data() + 16, field);
    return status_word(frame) & 0x1fff;
  };
  EXPECT_EQ(tagged(100), 0x200U);
  EXPECT_EQ(tagged(101), 0x242U);
  EXPECT_EQ(tagged(0x0800), 0U);
  EXPECT_EQ(tagged(0x8808), 1U);
}

TEST(GenesisFrameStatus, MacControlFramesAreMarked) {
  EXPECT_EQ(status_word(XmacFixture::frame(64, XmacFixture::kMe, 0x8808)),
            60U << 18 | 1U << 13 | 1);
}

}  // namespace
}  // namespace longhaul::nic::genesis
