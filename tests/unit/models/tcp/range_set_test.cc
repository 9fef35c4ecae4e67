// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/range_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace longhaul::tcp {
namespace {

TEST(TcpRangeSet, TouchingRangesBecomeOne) {
  RangeSet set;
  EXPECT_EQ(set.insert(10, 20), 10U);
  EXPECT_EQ(set.insert(30, 40), 10U);
  EXPECT_EQ(set.size(), 2U);
  EXPECT_EQ(set.insert(20, 30), 10U);
  ASSERT_EQ(set.size(), 1U);
  EXPECT_EQ(set.front().begin, 10U);
  EXPECT_EQ(set.front().end, 40U);
  EXPECT_EQ(set.insert(15, 35), 0U);
  EXPECT_EQ(set.insert(5, 45), 10U);
  EXPECT_EQ(set.bytes(), 40U);
}

TEST(TcpRangeSet, AgreesWithASetOfBytesOverRandomOperations) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    RangeSet set;
    std::set<std::uint64_t> bytes;
    std::uint64_t floor = 0;
    for (int step = 0; step < 2000; ++step) {
      if (const std::uint64_t begin = floor + random() % 300; random() % 8 == 0) {
        const std::uint64_t end = begin + 1 + random() % 40;
        bytes.erase(bytes.lower_bound(begin), bytes.lower_bound(end));
        set.erase(begin, end);
      } else if (random() % 8 == 0) {
        floor += random() % 20;
        const std::size_t before = bytes.size();
        bytes.erase(bytes.begin(), bytes.lower_bound(floor));
        ASSERT_EQ(set.erase_below(floor), before - bytes.size());
      } else {
        const std::uint64_t end = begin + random() % 12;
        std::uint64_t added = 0;
        for (std::uint64_t b = begin; b < end; ++b) added += bytes.insert(b).second ? 1 : 0;
        ASSERT_EQ(set.insert(begin, end), added);
      }
      ASSERT_EQ(set.bytes(), bytes.size());
      for (std::size_t i = 0; i + 1 < set.size(); ++i) ASSERT_LT(set[i].end, set[i + 1].begin);
      const std::uint64_t probe = floor + random() % 320;
      ASSERT_EQ(set.bytes_above(probe), std::distance(bytes.lower_bound(probe), bytes.end()));
      ASSERT_EQ(set.covers(probe, probe + 1), bytes.count(probe) == 1);
      const std::size_t i = set.first_ending_above(probe);
      const auto next = bytes.lower_bound(probe);
      ASSERT_EQ(i == set.size(), next == bytes.end());
      if (i < set.size()) {
        ASSERT_EQ(std::max(set[i].begin, probe), *next);
      }
    }
  }
}

TEST(TcpRangeSet, MemoryFollowsTheRangesAndNotTheirLength) {
  RangeSet set;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) set.insert(i * 9000, (i + 1) * 9000);
  EXPECT_EQ(set.size(), 1U);
  EXPECT_LE(set.heap_bytes(), 64U);
  // A window that moves on, always with one hole: the storage stays what two ranges need, give or
  // take what is cleared in one go.
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    const std::uint64_t base = 10'000'000'000 + i * 2000;
    set.insert(base, base + 1000);
    set.erase_below(base > 4000 ? base - 4000 : 0);
  }
  EXPECT_LE(set.heap_bytes(), 64 * sizeof(Range64));
}

}  // namespace
}  // namespace longhaul::tcp
