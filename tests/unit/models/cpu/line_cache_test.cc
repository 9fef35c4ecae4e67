// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/line_cache.h"

#include <gtest/gtest.h>

namespace longhaul::cpu {
namespace {

LineCacheParams sixteen_lines() {
  LineCacheParams params;
  params.size.value = units::KiB(4);
  params.line.value = {256};
  return params;
}

struct LineCacheTest : ::testing::Test {
  LineCache cache{sixteen_lines(), units::MiB(1)};
};

TEST_F(LineCacheTest, FirstTouchMissesEachLineOnceAndTheSecondHits) {
  EXPECT_EQ(cache.touch(0x1000, 1024), 4U);
  EXPECT_EQ(cache.touch(0x1000, 1024), 0U);
}

TEST_F(LineCacheTest, BytesThatBeginAndEndInsideLinesTouchBoth) { EXPECT_EQ(cache.touch(0x10ff, 2), 2U); }

TEST_F(LineCacheTest, NothingTouchesNothing) { EXPECT_EQ(cache.touch(0x1000, 0), 0U); }

TEST_F(LineCacheTest, AsManyNewLinesAsItHoldsPushALineOut) {
  cache.touch(0, 256);
  EXPECT_EQ(cache.touch(0x1000, 15 * 256), 15U);
  EXPECT_EQ(cache.touch(0, 256), 0U);  // the sixteenth line is still there, and now the youngest
  EXPECT_EQ(cache.touch(0x8000, 16 * 256), 16U);
  EXPECT_EQ(cache.touch(0, 256), 1U);
}

TEST_F(LineCacheTest, HitsPushNothingOut) {
  cache.touch(0, 256);
  for (int i = 0; i < 1000; ++i) cache.touch(0x1000, 8 * 256);
  EXPECT_EQ(cache.touch(0, 256), 0U);
}

TEST_F(LineCacheTest, DmaWritesMakeColdEveryLineThatTheyTouch) {
  cache.touch(0x1000, 1024);
  cache.invalidate(0x11ff, 2);
  EXPECT_EQ(cache.touch(0x1000, 1024), 2U);
}

TEST_F(LineCacheTest, LinesBeyondMemoryAlwaysMissAndAreHarmless) {
  EXPECT_EQ(cache.touch(0x10'0000, 512), 2U);
  EXPECT_EQ(cache.touch(0x10'0000, 512), 2U);
  cache.invalidate(0xf'ff00, 1 << 20);
  EXPECT_EQ(cache.touch(0xf'ff00, 1), 1U);
}

TEST_F(LineCacheTest, PollFindsEachWatchedLineOnceHoweverOftenItWasWritten) {
  cache.watch([](LineCache::Ranges& ranges) { ranges.emplace_back(0x2000, 0x3000); });
  EXPECT_EQ(cache.take_watched().first, 0U);
  cache.invalidate(0x2000, 16);
  cache.invalidate(0x2010, 16);
  cache.invalidate(0x2100, 16);
  cache.invalidate(0x4000, 16);  // not watched
  const auto [lines, address] = cache.take_watched();
  EXPECT_EQ(lines, 2U);
  EXPECT_GE(address, 0x2000U);
  EXPECT_LT(address, 0x3000U);
  EXPECT_EQ(cache.take_watched().first, 0U);
  cache.invalidate(0x2000, 16);
  EXPECT_EQ(cache.take_watched().first, 1U);
}

TEST_F(LineCacheTest, WatchedLineThatTheCoreTouchedItselfIsNotFoundAgain) {
  cache.watch([](LineCache::Ranges& ranges) { ranges.emplace_back(0x2000, 0x3000); });
  cache.take_watched();
  cache.invalidate(0x2000, 16);
  EXPECT_EQ(cache.touch(0x2000, 16), 1U);
  EXPECT_EQ(cache.take_watched().first, 0U);
}

TEST(LineCache, LineSizeThatIsNoPowerOfTwoIsRefused) {
  LineCacheParams params;
  params.line.value = {96};
  EXPECT_THROW(LineCache(params, units::MiB(1)), ConfigError);
}

}  // namespace
}  // namespace longhaul::cpu
