// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/line_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

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
  EXPECT_EQ(cache.touch(0x1000, 1024, false), 4U);
  EXPECT_EQ(cache.touch(0x1000, 1024, false), 0U);
}

TEST_F(LineCacheTest, BytesThatBeginAndEndInsideLinesTouchBoth) {
  EXPECT_EQ(cache.touch(0x10ff, 2, false), 2U);
}

TEST_F(LineCacheTest, NothingTouchesNothing) { EXPECT_EQ(cache.touch(0x1000, 0, false), 0U); }

TEST_F(LineCacheTest, AsManyNewLinesAsItHoldsPushALineOut) {
  cache.touch(0, 256, false);
  EXPECT_EQ(cache.touch(0x1000, 15 * 256, false), 15U);
  EXPECT_EQ(cache.touch(0, 256, false),
            0U);  // the sixteenth line is still there, and now the youngest
  EXPECT_EQ(cache.touch(0x8000, 16 * 256, false), 16U);
  EXPECT_EQ(cache.touch(0, 256, false), 1U);
}

TEST_F(LineCacheTest, HitsPushNothingOut) {
  cache.touch(0, 256, false);
  for (int i = 0; i < 1000; ++i) cache.touch(0x1000, 8 * 256, false);
  EXPECT_EQ(cache.touch(0, 256, false), 0U);
}

TEST_F(LineCacheTest, DmaWritesMakeColdEveryLineThatTheyTouch) {
  cache.touch(0x1000, 1024, false);
  cache.dma_wrote(0x11ff, 2);
  EXPECT_EQ(cache.touch(0x1000, 1024, false), 2U);
}

TEST_F(LineCacheTest, LinesBeyondMemoryAlwaysMissAndAreHarmless) {
  EXPECT_EQ(cache.touch(0x10'0000, 512, false), 2U);
  EXPECT_EQ(cache.touch(0x10'0000, 512, false), 2U);
  cache.dma_wrote(0xf'ff00, 1 << 20);
  EXPECT_EQ(cache.touch(0xf'ff00, 1, false), 1U);
}

TEST_F(LineCacheTest, PollFindsEachWatchedLineOnceHoweverOftenItWasWritten) {
  cache.watch([](LineCache::Ranges& ranges) { ranges.emplace_back(0x2000, 0x3000); });
  EXPECT_EQ(cache.take_watched().first, 0U);
  cache.dma_wrote(0x2000, 16);
  cache.dma_wrote(0x2010, 16);
  cache.dma_wrote(0x2100, 16);
  cache.dma_wrote(0x4000, 16);  // not watched
  const auto [lines, address] = cache.take_watched();
  EXPECT_EQ(lines, 2U);
  EXPECT_GE(address, 0x2000U);
  EXPECT_LT(address, 0x3000U);
  EXPECT_EQ(cache.take_watched().first, 0U);
  cache.dma_wrote(0x2000, 16);
  EXPECT_EQ(cache.take_watched().first, 1U);
}

TEST_F(LineCacheTest, WatchedLineThatTheCoreTouchedItselfIsNotFoundAgain) {
  cache.watch([](LineCache::Ranges& ranges) { ranges.emplace_back(0x2000, 0x3000); });
  cache.take_watched();
  cache.dma_wrote(0x2000, 16);
  EXPECT_EQ(cache.touch(0x2000, 16, false), 1U);
  EXPECT_EQ(cache.take_watched().first, 0U);
}

TEST_F(LineCacheTest, DevicesGetWhatTheCoreHasWrittenFromItsCacheUntilItIsPushedOut) {
  cache.touch(0x1000, 512, true);
  cache.touch(0x1200, 512, false);
  EXPECT_EQ(cache.dma_reads(0x1080, 0x400), 512U - 0x80U);
  EXPECT_EQ(cache.dma_reads(0x1080, 0x400), 512U - 0x80U);
  cache.touch(0x1000, 512, false);  // read again: still the only copy
  EXPECT_EQ(cache.dma_reads(0x1000, 256), 256U);
  cache.touch(0x8000, 16 * 256, false);
  EXPECT_EQ(cache.dma_reads(0x1000, 0x400), 0U);
}

TEST_F(LineCacheTest, LinesThatAreTouchedTogetherFareAsOneAfterTheOther) {
  LineCache alone(sixteen_lines(), units::MiB(1));
  std::mt19937 random(7);
  std::uint64_t supplied_bytes = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t first = random() % 48;
    const std::uint64_t count = 1 + random() % 14;
    const bool write = random() % 2 == 0;
    if (random() % 4 == 0) {
      cache.dma_wrote(first * 256, count * 256);
      alone.dma_wrote(first * 256, count * 256);
      continue;
    }
    std::uint64_t misses = 0;
    std::uint64_t supplied = 0;
    for (std::uint64_t line = first; line < first + count; ++line)
      supplied += alone.dma_reads(line * 256, 256);
    ASSERT_EQ(cache.dma_reads(first * 256, count * 256), supplied) << "step " << i;
    for (std::uint64_t line = first; line < first + count; ++line)
      misses += alone.touch(line * 256, 256, write);
    ASSERT_EQ(cache.touch(first * 256, count * 256, write), misses) << "step " << i;
    supplied_bytes += supplied;
  }
  EXPECT_GT(supplied_bytes, 256U * 1000U);
}

TEST(LineCache, LineSizeThatIsNoPowerOfTwoIsRefused) {
  LineCacheParams params;
  params.line.value = {96};
  EXPECT_THROW(LineCache(params, units::MiB(1)), ConfigError);
}

}  // namespace
}  // namespace longhaul::cpu
