// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/sequence_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace longhaul::observe {
namespace {

TEST(SequenceRecord, BytesInOrderAreAllFresh) {
  SequenceRecord record(1000);
  EXPECT_EQ(record.take(1000, 500), 500U);
  EXPECT_EQ(record.take(1500, 500), 500U);
  EXPECT_EQ(record.gaps(), 0U);
}

TEST(SequenceRecord, WhatComesAgainIsNotFresh) {
  SequenceRecord record(0);
  record.take(0, 1000);
  EXPECT_EQ(record.take(0, 1000), 0U);
  EXPECT_EQ(record.take(900, 200), 100U);
}

TEST(SequenceRecord, AGapIsFilledOnce) {
  SequenceRecord record(0);
  EXPECT_EQ(record.take(3000, 1000), 1000U);
  EXPECT_EQ(record.take(1000, 1000), 1000U);  // in its middle: two gaps are left
  EXPECT_EQ(record.gaps(), 2U);
  EXPECT_EQ(record.take(0, 4000), 2000U);
  EXPECT_EQ(record.gaps(), 0U);
  EXPECT_EQ(record.take(0, 4000), 0U);
}

TEST(SequenceRecord, NumbersWrap) {
  SequenceRecord record(0xffffff00);
  EXPECT_EQ(record.take(0xffffff00, 0x200), 0x200U);
  EXPECT_EQ(record.take(0xffffff80, 0x100), 0U);
  EXPECT_EQ(record.take(0x100, 1), 1U);
}

TEST(SequenceRecord, WhatLiesBeforeTheStreamCountsForNothing) {
  SequenceRecord record(5);
  EXPECT_EQ(record.take(0xfffffff0, 16), 0U);
}

TEST(SequenceRecord, EmptySegmentsChangeNothing) {
  SequenceRecord record(0);
  EXPECT_EQ(record.take(700, 0), 0U);
  EXPECT_EQ(record.take(0, 700), 700U);
}

TEST(SequenceRecord, AgreesWithAMapOfBytesWhateverTheOrder) {
  constexpr std::uint32_t kBytes = 2000;
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t base = 0xfffffc00;  // wraps within
    SequenceRecord record(base);
    std::vector<bool> seen(kBytes, false);
    for (int i = 0; i < 60; ++i) {
      const std::uint32_t begin = random() % kBytes;
      const std::uint32_t bytes = random() % std::min<std::uint32_t>(400, kBytes - begin);
      std::uint32_t fresh = 0;
      for (std::uint32_t at = begin; at < begin + bytes; ++at) {
        fresh += seen[at] ? 0 : 1;
        seen[at] = true;
      }
      ASSERT_EQ(record.take(base + begin, bytes), fresh) << "round " << round << " segment " << i;
    }
  }
}

}  // namespace
}  // namespace longhaul::observe
