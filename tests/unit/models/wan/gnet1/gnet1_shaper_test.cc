// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_shaper.h"

#include <gtest/gtest.h>

namespace longhaul::wan {
namespace {

using Verdict = Gnet1Shaper::Verdict;
constexpr std::int64_t kCostParts = 64;  // of a nanosecond, in a cost

/// The stamp of a frame whose stamp word is taken at `clock`, in quads.
std::int64_t stamp_at(std::uint64_t clock) { return 8 * static_cast<std::int64_t>(clock - 4); }

Gnet1Shaper::Settings rate(std::int64_t word_ns, std::int64_t frame_ns = 0) {
  Gnet1Shaper::Settings settings;
  settings.rate = true;
  settings.word_cost = word_ns * kCostParts;
  settings.frame_cost = frame_ns * kCostParts;
  return settings;
}

TEST(Gnet1Shaper, WithoutRateFramesDepartAsTheyCame) {
  Gnet1Shaper shaper;
  for (std::uint64_t clock = 100; clock < 2000; clock += 100) {
    const auto answer = shaper.offer(clock, stamp_at(clock), 64);
    EXPECT_EQ(answer.verdict, Verdict::kPass);
    EXPECT_EQ(answer.departs, stamp_at(clock));
  }
}

TEST(Gnet1Shaper, BackToBackFramesDepartAtTheBottlenecksPace) {
  Gnet1Shaper shaper;
  shaper.change(10, rate(320, 80));  // a tenth of the line
  std::int64_t expected = stamp_at(1000);
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t clock = 1000 + 30 * static_cast<std::uint64_t>(i);
    EXPECT_EQ(shaper.offer(clock, stamp_at(clock), 64).departs, expected) << i;
    expected += (16 * 320 + 80) / 4;
  }
}

TEST(Gnet1Shaper, AnIdleBottleneckSavesUpItsBurst) {
  Gnet1Shaper shaper;
  auto settings = rate(320);
  settings.burst = 3 * 16 * 320 / 4;  // three frames
  shaper.change(10, settings);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint64_t clock = 5000 + 20 * i;
    EXPECT_EQ(shaper.offer(clock, stamp_at(clock), 64).departs, stamp_at(clock)) << i;
  }
  // The burst is used up but for the time that has passed since.
  EXPECT_EQ(shaper.offer(5060, stamp_at(5060), 64).departs,
            std::max(stamp_at(5060), stamp_at(5000)));
  EXPECT_EQ(shaper.offer(5080, stamp_at(5080), 64).departs, stamp_at(5000) + 16 * 320 / 4);
}

TEST(Gnet1Shaper, TailDropsFromTheLimitOnAndADroppedFrameCostsNothing) {
  Gnet1Shaper shaper;
  auto settings = rate(320);
  settings.queue_limit = 100;  // 10 us: two frames of 5.12 us, less what passes
  shaper.change(10, settings);
  std::vector<Verdict> verdicts;
  for (std::uint64_t i = 0; i < 5; ++i)
    verdicts.push_back(shaper.offer(1000 + 20 * i, stamp_at(1000 + 20 * i), 64).verdict);
  EXPECT_EQ(verdicts, (std::vector{Verdict::kPass, Verdict::kPass, Verdict::kPass,
                                   Verdict::kTailDrop, Verdict::kTailDrop}));
  EXPECT_EQ(shaper.backlog_tenths(1100), (stamp_at(1000) + 3 * 16 * 80 - 8 * 1100) / 25);
}

TEST(Gnet1Shaper, CellsAreChargedWhole) {
  for (const std::uint32_t bytes : {40U, 41U, 64U, 88U, 89U, 1518U}) {
    Gnet1Shaper shaper;
    auto settings = rate(1000);
    settings.atm = true;
    settings.atm_overhead = 8;
    shaper.change(10, settings);
    shaper.offer(1000, stamp_at(1000), bytes);
    const std::uint64_t cells = (bytes + 8 + 47) / 48;
    EXPECT_EQ(shaper.offer(1500, stamp_at(1500), 64).departs,
              std::max<std::int64_t>(stamp_at(1500),
                                     stamp_at(1000) + static_cast<std::int64_t>(cells) * 250))
        << bytes;
  }
}

TEST(Gnet1Shaper, RedAveragesAtFramesAndAgesWhileIdle) {
  Gnet1Shaper shaper;
  auto settings = rate(3200);
  settings.red_weight = 1;
  shaper.change(10, settings);
  shaper.offer(1000, stamp_at(1000), 64);  // 51.2 us of queue behind it
  shaper.offer(1100, stamp_at(1100), 64);  // finds 51.2 - 3.2 - 0.1 us: half of that
  const std::uint32_t found =
      static_cast<std::uint32_t>((stamp_at(1000) + 16 * 800 - 8 * 1099) / 25);
  EXPECT_EQ(shaper.average_tenths(1101), found / 2);
  // The queue is empty 102.4 us after the first stamp; 512 clocks later the average halves for the
  // first time.
  const std::uint64_t empty = static_cast<std::uint64_t>(stamp_at(1000) + 2 * 16 * 800) / 8 + 1;
  EXPECT_EQ(shaper.average_tenths(empty + 510), found / 2);
  EXPECT_EQ(shaper.average_tenths(empty + 511), found / 4);
}

TEST(Gnet1Shaper, RedDropsAllFromItsMaximumOn) {
  Gnet1Shaper shaper;
  auto settings = rate(3200);
  settings.red = true;
  settings.red_min = 10;
  settings.red_max = 20;
  shaper.change(10, settings);
  EXPECT_EQ(shaper.offer(1000, stamp_at(1000), 1518).verdict, Verdict::kPass);
  EXPECT_EQ(shaper.offer(1500, stamp_at(1500), 64).verdict, Verdict::kPass)
      << "the average is of before";
  EXPECT_EQ(shaper.offer(1600, stamp_at(1600), 64).verdict, Verdict::kRedDrop);
}

}  // namespace
}  // namespace longhaul::wan
