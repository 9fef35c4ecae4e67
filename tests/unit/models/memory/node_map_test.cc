// SPDX-License-Identifier: Apache-2.0
#include "models/memory/node_map.h"

#include <gtest/gtest.h>

namespace longhaul::memory {
namespace {

constexpr std::uint64_t kGiB = 1ULL << 30;

TEST(NodeMap, EachNodeHasOneStretch) {
  const NodeMap map(2 * kGiB, 2, 0);
  EXPECT_EQ(map.node_of(0), 0U);
  EXPECT_EQ(map.node_of(kGiB - 1), 0U);
  EXPECT_EQ(map.node_of(kGiB), 1U);
  EXPECT_EQ(map.node_of(2 * kGiB - 1), 1U);
}

TEST(NodeMap, BytesAcrossTheBorderAreSplit) {
  const NodeMap map(2 * kGiB, 2, 0);
  const NodeMap::Part low = map.part(0, kGiB - 100, 300);
  const NodeMap::Part high = map.part(1, kGiB - 100, 300);
  EXPECT_EQ(low.address, kGiB - 100);
  EXPECT_EQ(low.bytes, 100U);
  EXPECT_EQ(high.address, 0U);
  EXPECT_EQ(high.bytes, 200U);
  EXPECT_EQ(map.part(1, 0, kGiB).bytes, 0U);
}

TEST(NodeMap, TheLastNodeTakesWhatDoesNotDivide) {
  const NodeMap map(10, 4, 0);  // stretches of 3, 3, 3, 1
  EXPECT_EQ(map.node_of(9), 3U);
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < 4; ++node) sum += map.part(node, 0, 10).bytes;
  EXPECT_EQ(sum, 10U);
  EXPECT_EQ(map.part(3, 8, 2).bytes, 1U);
}

TEST(NodeMap, WhatLiesTogetherIsTheWholePartOfItsNode) {
  for (const std::uint64_t grain : {std::uint64_t{0}, std::uint64_t{4096}}) {
    const NodeMap map(2 * kGiB, 2, grain);
    const std::uint64_t end = grain == 0 ? kGiB : grain;  // of the first stretch
    for (const std::uint64_t address : {std::uint64_t{0}, end - 300, end, 2 * end - 300}) {
      ASSERT_TRUE(map.together(address, 300));
      const NodeMap::Part part = map.part(map.node_of(address), address, 300);
      const NodeMap::Part whole = map.whole(address, 300);
      EXPECT_EQ(whole.address, part.address) << address;
      EXPECT_EQ(whole.bytes, 300U);
      EXPECT_EQ(part.bytes, 300U);
    }
    EXPECT_FALSE(map.together(end - 300, 301));
  }
}

TEST(NodeMap, InterleavedPagesAlternateAndAreConsecutiveWithinANode) {
  const NodeMap map(2 * kGiB, 2, 4096);
  EXPECT_EQ(map.node_of(4095), 0U);
  EXPECT_EQ(map.node_of(4096), 1U);
  EXPECT_EQ(map.node_of(8192), 0U);
  const NodeMap::Part even = map.part(0, 4000, 9000);  // 96 of page 0, page 2, nothing of page 3
  const NodeMap::Part odd = map.part(1, 4000, 9000);   // page 1 and 712 of page 3
  EXPECT_EQ(even.address, 4000U);
  EXPECT_EQ(even.bytes, 96U + 4096U);
  EXPECT_EQ(odd.address, 0U);
  EXPECT_EQ(odd.bytes, 4096U + 712U);
}

}  // namespace
}  // namespace longhaul::memory
