// SPDX-License-Identifier: Apache-2.0
// Slow start, congestion avoidance, counting, idle and unused windows.
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

/// Segments that `host` sends in each round trip of `rtt` from `start` on.
std::vector<std::uint64_t> per_round(const Host& host, std::uint64_t start, std::uint64_t rtt,
                                     std::size_t rounds) {
  std::vector<std::uint64_t> counts(rounds);
  for (const Sighting& s : host.sent) {
    if (s.segment.length > 0 && (s.at - start) / rtt < rounds) ++counts[(s.at - start) / rtt];
  }
  return counts;
}

TEST(TcpWindowGrowth, TheInitialWindowIsFourThreeOrTwoSegmentsByTheirSize) {
  for (const auto& [mss, segments] : {std::pair<std::uint32_t, std::uint64_t>{536, 4},
                                      {1095, 4},
                                      {1096, 3},
                                      {2190, 3},
                                      {2191, 2},
                                      {8960, 2}}) {
    TcpParams params = plain();
    Pair pair(params, params, 10 * kMs, 0, mss);
    pair.establish();
    pair.a.connection().write(100'000);
    EXPECT_EQ(data_of(pair.a).size(), segments) << mss;  // RFC 5681, 3.1
  }
}

TEST(TcpWindowGrowth, SlowStartDoublesEveryRoundTripWithAnAckPerSegment) {
  TcpParams params = plain();
  params.initial_window.value = 2;
  Pair pair(params);
  pair.establish();
  pair.a.connection().write(1'000'000);
  pair.calendar.run_until(500 * kMs);
  EXPECT_EQ(per_round(pair.a, 100 * kMs, 20 * kMs, 6),
            (std::vector<std::uint64_t>{2, 4, 8, 16, 32, 64}));
}

TEST(TcpWindowGrowth, WithAnAckForTwoSegmentsByteCountingDoublesAndAckCountingDoesNot) {
  for (const auto& [limit, rounds] :
       {std::pair<std::uint32_t, std::vector<std::uint64_t>>{0, {4, 6, 9, 12}},
        {1, {4, 6, 9, 12}},
        {2, {4, 8, 16, 32}}}) {
    // Two segments are acknowledged and three go out; the ninth of the third round waits for its
    // ACK until the fourth.
    TcpParams params = plain();
    params.ack_every.value = 2;
    params.update_segments.value = 1024;    // no ACKs because the reader took something,
    params.receive_buffer.value = {65535};  // or because the SYN could not tell of the whole window
    params.abc_limit.value = limit;
    params.initial_window.value = 4;
    Pair pair(params);
    pair.establish();
    pair.a.connection().write(1'000'000);
    pair.calendar.run_until(180 * kMs);
    EXPECT_EQ(per_round(pair.a, 100 * kMs, 20 * kMs, 4), rounds) << "L = " << limit;
  }
}

TEST(TcpWindowGrowth, CongestionAvoidanceAddsOneSegmentARoundTrip) {
  for (const char* unit : {"bytes", "segments"}) {
    TcpParams params = plain();
    params.cwnd_unit.value = unit;
    params.initial_ssthresh.value = {4000};
    Pair pair(params);
    pair.establish();
    pair.a.connection().write(1'000'000);
    pair.calendar.run_until(300 * kMs);
    EXPECT_EQ(per_round(pair.a, 100 * kMs, 20 * kMs, 6),
              (std::vector<std::uint64_t>{4, 5, 6, 7, 8, 9}))
        << unit;
  }
}

TEST(TcpWindowGrowth, CountingAcksInBytesAddsTheSquareOfTheSegmentOverTheWindow) {
  TcpParams params = plain();
  params.abc_limit.value = 0;
  params.initial_ssthresh.value = {4000};
  Lone lone(params, 4);
  lone.establish();
  lone.connection().write(1'000'000);
  lone.ack(1000);
  EXPECT_EQ(lone.connection().sender().control().cwnd(), 4250U);  // 4000 + 1000^2 / 4000
  lone.ack(4000);                                                 // one ACK, however much it covers
  EXPECT_EQ(lone.connection().sender().control().cwnd(), 4250U + 1'000'000 / 4250);
}

TEST(TcpWindowGrowth, AWindowThatIsNotUsedDoesNotGrow) {
  for (const bool only : {true, false}) {
    TcpParams params = plain();
    params.grow_only_when_limited.value = only;
    params.nagle.value = "off";
    Pair pair(params);
    pair.establish();
    for (int i = 0; i < 50; ++i) {
      pair.a.connection().write(500);
      pair.calendar.run_until(pair.calendar.now() + 50 * kMs);
    }
    EXPECT_EQ(pair.a.connection().sender().control().cwnd(), only ? 4000U : 29'000U);
  }
}

TEST(TcpWindowGrowth, CountedInSegmentsAShortSegmentTakesAWholeOne) {
  for (const auto& [unit, sent] :
       {std::pair<const char*, std::size_t>{"segments", 4}, {"bytes", 40}}) {
    TcpParams params = plain();
    params.cwnd_unit.value = unit;
    params.nagle.value = "off";
    Pair pair(params);
    pair.establish();
    for (int i = 0; i < 100; ++i) pair.a.connection().write(100);
    // 4000 bytes of window: four segments, or forty of 100 bytes.
    EXPECT_EQ(data_of(pair.a).size(), sent) << unit;
    pair.calendar.run_until(10 * kSecond);
    EXPECT_EQ(pair.b.bytes_readable, 10'000U);
  }
}

TEST(TcpWindowGrowth, TheLimitHoldsTheWindow) {
  TcpParams params = plain();
  params.cwnd_limit.value = {20'000};
  Pair pair(params);
  pair.establish();
  pair.a.connection().write(1'000'000);
  pair.calendar.run_until(500 * kMs);
  EXPECT_EQ(pair.a.connection().sender().control().cwnd(), 20'000U);
}

TEST(TcpWindowGrowth, TheLimitMayBeOneOfSegments) {
  TcpParams params = plain();
  params.cwnd_limit_segments.value = 17;
  Pair pair(params);
  pair.establish();
  pair.a.connection().write(1'000'000);
  pair.calendar.run_until(500 * kMs);
  const Sender& sender = pair.a.connection().sender();
  EXPECT_EQ(sender.control().cwnd(), 17U * sender.mss());
}

/// The window after a transfer of 100 segments and then `idle` without any.
std::uint64_t cwnd_after_idle(const char* policy, std::uint64_t idle) {
  TcpParams params = plain();
  params.idle.value = policy;
  params.cwnd_limit.value = {64'000};
  Pair pair(params);
  pair.establish();
  pair.a.connection().write(200'000);
  pair.calendar.run_until(kSecond);
  std::uint64_t last = 0;
  for (const Sighting& s : pair.a.sent) last = s.segment.length > 0 ? s.at : last;
  pair.calendar.run_until(last + idle);
  pair.a.connection().write(1000);
  return pair.a.connection().sender().control().cwnd();
}

TEST(TcpWindowGrowth, AfterMoreThanAnRtoIdleTheWindowRestarts) {
  EXPECT_EQ(cwnd_after_idle("restart", 999 * kMs), 64'000U);
  EXPECT_EQ(cwnd_after_idle("restart", 1001 * kMs),
            4000U);  // RFC 5681, 4.1: the RTO is at its minimum of 1 s
  EXPECT_EQ(cwnd_after_idle("none", 100 * kSecond), 64'000U);
}

TEST(TcpWindowGrowth, DecayHalvesForEveryRtoDownToTheInitialWindow) {
  EXPECT_EQ(cwnd_after_idle("decay", 2500 * kMs), 16'000U);
  EXPECT_EQ(cwnd_after_idle("decay", 100 * kSecond), 4000U);
}

TEST(TcpWindowGrowth, DecayHalvesTheWayToWhatWasUsed) {
  TcpParams params = plain();
  params.idle.value = "decay";
  params.cwnd_limit.value = {64'000};
  params.nagle.value = "off";
  Pair pair(params);
  pair.establish();
  pair.a.connection().write(300'000);
  pair.calendar.run_until(kSecond);
  ASSERT_EQ(pair.a.connection().sender().control().cwnd(), 64'000U);
  // From here two segments at a time, ten times a second: never idle, never limited.
  for (int i = 0; i < 15; ++i) {
    pair.a.connection().write(2000);
    pair.calendar.run_until(pair.calendar.now() + 100 * kMs);
  }
  // RFC 2861, 3, an RTO apart: (64000 + 63000) / 2, the transfer's own end; then (63500 + 2000)
  // / 2.
  EXPECT_EQ(pair.a.connection().sender().control().cwnd(), 32'750U);
  EXPECT_EQ(pair.a.connection().sender().control().ssthresh(), ~0ULL);  // never lower than it was
}

}  // namespace
}  // namespace longhaul::tcp::rig
