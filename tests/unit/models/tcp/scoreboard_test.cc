// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/scoreboard.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/tcp/params.h"

namespace longhaul::tcp {
namespace {

TcpConfig config_of(const char* rule) {
  TcpParams params;
  params.loss_rule.value = rule;
  return resolve(params, "t");
}

TEST(TcpScoreboard, AHoleIsLostByThreeRangesOrMoreThanTwoSegmentsAbove) {
  const TcpConfig config = config_of("rfc6675");
  Scoreboard board(config);
  board.start(1000);
  board.advance(1);
  board.sack(1001, 3001);  // exactly two segments
  EXPECT_FALSE(board.is_lost(1));
  board.sack(3001, 3002);
  EXPECT_TRUE(board.is_lost(1));

  Scoreboard ranges(config);
  ranges.start(1000);
  ranges.advance(1);
  ranges.sack(1001, 1002);
  ranges.sack(2001, 2002);
  EXPECT_FALSE(ranges.is_lost(1));
  ranges.sack(3001, 3002);
  EXPECT_TRUE(ranges.is_lost(1));
  EXPECT_FALSE(ranges.is_lost(1002));  // only two ranges above it
}

TEST(TcpScoreboard, ForwardAcknowledgementTakesForLostWhatLiesThreeSegmentsBelowTheTop) {
  const TcpConfig config = config_of("fack");
  Scoreboard board(config);
  board.start(1000);
  board.advance(1);
  board.sack(3001, 4001);  // the fourth segment
  EXPECT_TRUE(board.is_lost(1));
  EXPECT_FALSE(board.is_lost(1001));
  board.sack(9001, 10001);
  EXPECT_TRUE(board.is_lost(6001));
  EXPECT_FALSE(board.is_lost(7001));
}

TEST(TcpScoreboard, ReorderingRaisesTheThresholdUpToItsLimitAndEndsForwardAcknowledgement) {
  TcpParams params;
  params.loss_rule.value = "fack";
  params.max_reordering.value = 10;
  const TcpConfig config = resolve(params, "t");
  Scoreboard board(config);
  board.start(1000);
  board.advance(1);
  board.saw_reordering(5000);
  EXPECT_EQ(board.threshold(), 5U);
  board.sack(5001, 6001);
  EXPECT_FALSE(board.is_lost(1));
  board.saw_reordering(1'000'000);
  EXPECT_EQ(board.threshold(), 10U);
}

/// RFC 6675 by the letter: one flag per byte of the stream, everything counted again each time.
struct Reference {
  std::uint64_t una = 1;
  std::uint64_t retransmitted_to = 1;
  std::uint64_t forced = 1;
  std::vector<bool> sacked = std::vector<bool>(400, false);

  /// Of each byte whether it is lost, from what is SACKed above it.
  std::vector<bool> lost(std::uint64_t mss) const {
    std::vector<bool> each(sacked.size());
    std::uint64_t bytes = 0;
    int ranges = 0;
    for (std::uint64_t p = sacked.size(); p-- > 0;) {
      each[p] = p < forced || ranges >= 3 || bytes > 2 * mss;
      bytes += sacked[p] ? 1 : 0;
      ranges += sacked[p] && (p == 0 || !sacked[p - 1]) ? 1 : 0;
    }
    return each;
  }
  std::uint64_t pipe(std::uint64_t next, std::uint64_t mss) const {
    const std::vector<bool> is_lost = lost(mss);
    std::uint64_t sum = 0;
    for (std::uint64_t p = una; p < next; ++p) {
      if (sacked[p]) continue;
      sum += is_lost[p] ? 0 : 1;
      sum += p < retransmitted_to ? 1 : 0;
    }
    return sum;
  }
};

TEST(TcpScoreboard, PipeAndNextHoleAreThoseOfRfc6675CountedByteByByte) {
  const TcpConfig config = config_of("rfc6675");
  constexpr std::uint64_t kMss = 5;
  constexpr std::uint64_t kNext = 380;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    Scoreboard board(config);
    Reference reference;
    board.start(kMss);
    board.advance(1);
    board.begin_episode();
    for (int step = 0; step < 120; ++step) {
      const std::uint64_t what = random() % 10;
      if (what < 5) {
        const std::uint64_t begin = reference.una + 1 + random() % 60;
        const std::uint64_t end = std::min(begin + 1 + random() % 12, kNext);
        if (begin >= end) continue;
        std::uint64_t fresh = 0;
        for (std::uint64_t p = begin; p < end; ++p) {
          fresh += reference.sacked[p] ? 0 : 1;
          reference.sacked[p] = true;
        }
        ASSERT_EQ(board.sack(begin, end), fresh);
      } else if (what < 8) {
        const Range64 hole = board.next_hole(std::min<std::uint64_t>(board.lost_edge(), kNext));
        std::uint64_t first = std::max(reference.retransmitted_to, reference.una);
        const std::vector<bool> is_lost = reference.lost(kMss);
        while (first < kNext && (reference.sacked[first] || !is_lost[first])) ++first;
        ASSERT_EQ(hole.bytes() == 0, first == kNext);
        if (hole.bytes() == 0) continue;
        ASSERT_EQ(hole.begin, first);
        const std::uint64_t end = std::min(hole.end, hole.begin + kMss);
        board.retransmitted(hole.begin, end, kNext);
        reference.retransmitted_to = end;
      } else if (what < 9) {
        const std::uint64_t una = std::min(reference.una + random() % 10, kNext);
        // What is SACKed behind an ACK is part of it.
        std::uint64_t to = una;
        while (to < kNext && reference.sacked[to]) ++to;
        board.advance(to);
        for (std::uint64_t p = 0; p < to; ++p) reference.sacked[p] = false;
        reference.una = to;
        reference.retransmitted_to = std::max(reference.retransmitted_to, to);
      } else if (random() % 4 == 0) {  // a timeout
        board.begin_episode();
        board.mark_lost_below(reference.una + 40);
        reference.retransmitted_to = reference.una;
        reference.forced = std::max(reference.forced, reference.una + 40);
      }
      ASSERT_EQ(board.pipe(kNext), reference.pipe(kNext, kMss))
          << "seed " << seed << " step " << step;
    }
  }
}

TEST(TcpScoreboard,
     ARetransmissionIsLostWhenWhatWasSentAfterItIsSackedByForwardAcknowledgementOnly) {
  for (const char* rule : {"fack", "rfc6675"}) {
    const bool fack = std::string(rule) == "fack";
    const TcpConfig config = config_of(rule);
    Scoreboard board(config);
    board.start(1000);
    board.advance(1);
    board.begin_episode();
    board.sack(2001, 3001);  // [1, 2001) and [3001, 5001) are missing
    board.sack(5001, 20'001);
    board.retransmitted(1, 1001, 20'001);
    board.retransmitted(1001, 2001, 20'001);
    board.retransmitted(3001, 4001, 21'001);  // after a new segment
    board.retransmitted(4001, 5001, 21'001);
    EXPECT_EQ(board.find_lost_retransmissions(), 0U);
    board.sack(20'001, 21'001);  // that one
    EXPECT_EQ(board.find_lost_retransmissions(), fack ? 2000U : 0U) << rule;
    EXPECT_EQ(board.pipe(21'001), fack ? 2000U : 4000U) << rule;
    if (!fack) continue;
    EXPECT_EQ(board.next_hole(10'000).begin, 1U);
    EXPECT_EQ(board.next_hole(10'000).end, 2001U);
    board.retransmitted(1, 1001, 21'001);
    EXPECT_EQ(board.pipe(21'001), 3000U);
    board.sack(1001, 2001);  // only late
    EXPECT_EQ(board.pipe(21'001), 3000U);
    EXPECT_EQ(board.next_hole(10'000).bytes(), 0U);
    board.sack(21'001, 22'001);  // sent after all of them
    EXPECT_EQ(board.find_lost_retransmissions(), 3000U);
    EXPECT_EQ(board.next_hole(10'000).begin, 1U);
    board.retransmitted(1, 1001, 22'001);
    EXPECT_EQ(board.next_hole(10'000).begin, 3001U);
    board.advance(3001);
    EXPECT_EQ(board.pipe(22'001), 0U);
    board.begin_episode();
    EXPECT_EQ(board.next_hole(10'000).begin, 3001U);
    EXPECT_EQ(board.retransmitted_bytes(), 0U);
  }
}

TEST(TcpScoreboard, WhereTheNetworkReordersARetransmissionIsLostByAsManySegmentsMore) {
  TcpParams params;
  params.loss_rule.value = "fack";
  params.max_reordering.value = 10;
  const TcpConfig config = resolve(params, "t");
  Scoreboard board(config);
  board.start(1000);
  board.advance(1);
  board.begin_episode();
  board.saw_reordering(5000);
  board.sack(1001, 20'001);
  board.retransmitted(1, 1001, 20'001);
  board.sack(20'001, 25'000);
  EXPECT_EQ(board.find_lost_retransmissions(), 0U);
  board.sack(25'000, 25'001);
  EXPECT_EQ(board.find_lost_retransmissions(), 1000U);
}

TEST(TcpScoreboard, AShortSegmentCountsWholeOnlyWhileItIsInTheNetwork) {
  const TcpConfig config = config_of("rfc6675");
  Scoreboard board(config);
  board.start(1000);
  board.advance(1);
  board.begin_episode();
  board.sent_short(1101, 900);  // [1001, 1101) and [1101, 1201)
  board.sent_short(1201, 900);
  EXPECT_EQ(board.pipe(1201), 3000U);
  board.sack(1101, 1201);
  EXPECT_EQ(board.pipe(1201), 2000U);
  board.mark_lost_below(1201);
  EXPECT_EQ(board.pipe(1201), 0U);
  board.retransmitted(1, 1001, 1201);
  EXPECT_EQ(board.pipe(1201), 1000U);
  board.retransmitted(1001, 1101, 1201);
  EXPECT_EQ(board.pipe(1201), 2000U);
  EXPECT_EQ(board.padding(), 1800U);
  board.advance(1201);
  EXPECT_EQ(board.pipe(1201), 0U);
  EXPECT_EQ(board.padding(), 0U);
}

TEST(TcpScoreboard, AReceiverThatDropsWhatItSackedIsFoundOut) {
  const TcpConfig config = config_of("rfc6675");
  Scoreboard board(config);
  board.start(1000);
  board.advance(1);
  board.sack(2001, 3001);
  EXPECT_FALSE(board.reneged());
  board.advance(2001);  // the hole is filled, but the ACK does not go past what was SACKed
  EXPECT_TRUE(board.reneged());
  board.forget_sacks();
  EXPECT_FALSE(board.reneged());
  EXPECT_EQ(board.pipe(5001), 3000U);
}

}  // namespace
}  // namespace longhaul::tcp
