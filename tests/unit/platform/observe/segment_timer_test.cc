// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/segment_timer.h"

#include <gtest/gtest.h>

namespace longhaul::observe {
namespace {

TEST(SegmentTimer, TimesTheFirstSegmentUntilAnAckCoversIt) {
  SegmentTimer timer;
  timer.sent(100, 2000, false);
  timer.sent(150, 3000, false);  // one at a time
  EXPECT_EQ(timer.acknowledged(400, 1999), std::nullopt);
  EXPECT_EQ(timer.acknowledged(500, 3000), 400U);
  EXPECT_FALSE(timer.running());
  EXPECT_EQ(timer.acknowledged(600, 3000), std::nullopt);
}

TEST(SegmentTimer, WhatIsSentAgainIsNotTimed) {
  SegmentTimer timer;
  timer.sent(100, 2000, false);
  timer.sent(200, 1500, true);
  EXPECT_EQ(timer.acknowledged(500, 2000), std::nullopt);
  timer.sent(600, 3000, false);
  EXPECT_EQ(timer.acknowledged(900, 3000), 300U);
}

TEST(SegmentTimer, SequenceNumbersWrap) {
  SegmentTimer timer;
  timer.sent(0, 0xffffff00U + 0x200U, false);
  EXPECT_EQ(timer.acknowledged(5, 0xffffff00U), std::nullopt);
  EXPECT_EQ(timer.acknowledged(9, 0x100U), 9U);
}

}  // namespace
}  // namespace longhaul::observe
