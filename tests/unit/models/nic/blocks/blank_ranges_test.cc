// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/blank_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace longhaul::nic {
namespace {

TEST(BlankRanges, WithoutAnyAllBytesAreStored) {
  BlankRanges ranges;
  std::vector<std::uint8_t> frame(100, 7);
  EXPECT_EQ(ranges.settle(frame.data(), 100), 100U);
  EXPECT_EQ(frame, std::vector<std::uint8_t>(100, 7));
}

TEST(BlankRanges, TheTailStaysUnstoredAndTheRestIsZeroed) {
  BlankRanges ranges;
  std::vector<std::uint8_t> frame(100, 7);
  ranges.add(frame.data(), 10, 20);
  ranges.add(frame.data(), 80, 20);
  ranges.add(frame.data(), 60, 20);
  EXPECT_EQ(ranges.settle(frame.data(), 100), 60U);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(frame[i], i >= 10 && i < 30 ? 0 : 7) << i;
}

TEST(BlankRanges, AreForgottenOnceSettled) {
  BlankRanges ranges;
  std::vector<std::uint8_t> frame(100, 7);
  ranges.add(frame.data(), 50, 50);
  EXPECT_EQ(ranges.settle(frame.data(), 100), 50U);
  EXPECT_EQ(ranges.settle(frame.data(), 100), 100U);
}

/// Pieces of random sizes, elided or not, in any order: what is stored and what is not give the
/// frame.
TEST(BlankRanges, RandomPiecesGiveTheFrame) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t size = 1 + random() % 2000;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces;
    for (std::uint32_t at = 0; at < size;) {
      const std::uint32_t length = std::min<std::uint32_t>(size - at, 1 + random() % 300);
      pieces.emplace_back(at, length);
      at += length;
    }
    std::shuffle(pieces.begin(), pieces.end(), random);
    std::vector<std::uint8_t> wanted(size);
    std::vector<std::uint8_t> frame(size, 0xee);
    BlankRanges ranges;
    for (const auto& [at, length] : pieces) {
      if (random() % 2 == 0) {
        ranges.add(frame.data(), at, length);
        continue;
      }
      for (std::uint32_t i = at; i < at + length; ++i)
        frame[i] = wanted[i] = static_cast<std::uint8_t>(random());
    }
    const std::uint32_t stored = ranges.settle(frame.data(), size);
    ASSERT_LE(stored, size);
    std::fill(frame.begin() + stored, frame.end(), std::uint8_t{0});
    ASSERT_EQ(frame, wanted) << round;
  }
}

}  // namespace
}  // namespace longhaul::nic
