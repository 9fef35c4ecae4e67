// SPDX-License-Identifier: Apache-2.0
#include "models/memory/written_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace longhaul::memory {
namespace {

constexpr std::uint64_t kBytes = 64 * 1024;

TEST(WrittenLines, NothingIsWrittenAtFirst) {
  const WrittenLines lines(kBytes);
  EXPECT_EQ(lines.extent(0, kBytes), 0U);
  EXPECT_EQ(lines.extent(100, 0), 0U);
}

TEST(WrittenLines, ExtentReachesToTheEndOfTheLastLineAndNoFurtherThanAsked) {
  WrittenLines lines(kBytes);
  lines.mark(1000, 1);  // line [960, 1024)
  EXPECT_EQ(lines.extent(960, 500), 64U);
  EXPECT_EQ(lines.extent(900, 500), 124U);
  EXPECT_EQ(lines.extent(1010, 5), 5U);
  EXPECT_EQ(lines.extent(1024, 500), 0U);
  EXPECT_EQ(lines.extent(0, 960), 0U);
}

TEST(WrittenLines, ClearForgetsWholeLinesOnly) {
  WrittenLines lines(kBytes);
  lines.mark(0, 256);
  lines.clear(1, 191);  // lines 1 and 2 are within, 0 is not, nor 3
  EXPECT_EQ(lines.extent(64, 128), 0U);
  EXPECT_EQ(lines.extent(0, 128), 64U);
  EXPECT_EQ(lines.extent(0, 256), 256U);
}

TEST(WrittenLines, AreThoseOfAPlainList) {
  WrittenLines lines(kBytes);
  std::vector<bool> plain(kBytes / 64);
  std::mt19937 random(3);
  std::uint64_t found = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t offset = random() % kBytes;
    const std::uint64_t bytes =
        std::min<std::uint64_t>(random() % (random() % 8 == 0 ? 20'000 : 300), kBytes - offset);
    switch (random() % 3) {
      case 0:
        lines.mark(offset, bytes);
        for (std::uint64_t at = offset; at < offset + bytes; ++at) plain[at / 64] = true;
        break;
      case 1:
        lines.clear(offset, bytes);
        for (std::uint64_t line = 0; line < plain.size(); ++line)
          if (line * 64 >= offset && line * 64 + 64 <= offset + bytes) plain[line] = false;
        break;
      default: {
        std::uint64_t end = offset + bytes;
        while (end > offset && !plain[(end - 1) / 64]) --end;
        ASSERT_EQ(lines.extent(offset, bytes), end - offset) << offset << " " << bytes;
        found += end > offset ? 1 : 0;
      }
    }
  }
  EXPECT_GT(found, 1000U);
}

}  // namespace
}  // namespace longhaul::memory
