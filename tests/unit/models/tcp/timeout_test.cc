// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

using Texts = std::vector<std::string>;
using Phase = Recovery::Phase;

TEST(TcpTimeout, TheFirstSegmentGoesAgainAfterTheRtoThenTwiceAndFourTimesAsLate) {
  InFlight t(plain());
  t.pass(16 * kSecond);
  // The handshake took no time: the RTO is its minimum of 1 s.
  EXPECT_EQ(data_of(t.host), (Texts{"1000:0", "3000:0", "7000:0", "15000:0"}));
  EXPECT_EQ(t.cwnd(), 1000U);
  EXPECT_EQ(t.ssthresh(), 5000U);  // once, not for every expiry (RFC 5681, 3.1)
}

TEST(TcpTimeout, WithoutSackEverythingIsSentAgainInSlowStart) {
  InFlight t(plain());
  t.pass(kSecond);
  EXPECT_EQ(t.sent(), Texts{"0"});
  t.ack(1000);
  EXPECT_EQ(t.sent(), (Texts{"1", "2"}));
  t.ack(2000);
  t.ack(3000);
  EXPECT_EQ(t.sent(), (Texts{"3", "4", "5", "6"}));
  t.ack(10'000);  // the others had arrived
  EXPECT_EQ(t.phase(), Phase::kOpen);
  EXPECT_EQ(t.sent(), (Texts{"10", "11", "12", "13", "14"}));
}

TEST(TcpTimeout, WithSackOnlyTheHolesAreSentAgain) {
  TcpParams params = plain();
  params.sack.value = true;
  params.dup_threshold.value = 100;
  params.max_reordering.value = 100;
  InFlight t(params);
  t.ack(0, {{1000, 4000}, {6000, 9000}});
  t.sent();
  t.pass(2 * kSecond);
  EXPECT_EQ(t.sent(), Texts{"0"});
  t.ack(4000, {{6000, 9000}});
  EXPECT_EQ(t.sent(), (Texts{"4", "5"}));
  t.ack(9000);
  EXPECT_EQ(t.sent().front(), "9");
}

TEST(TcpTimeout, SacksMayBeForgottenAtATimeout) {
  TcpParams params = plain();
  params.sack.value = true;
  params.sack_survives_timeout.value = false;
  params.dup_threshold.value = 100;
  params.max_reordering.value = 100;
  InFlight t(params);
  t.ack(0, {{1000, 4000}});
  t.pass(2 * kSecond);
  EXPECT_FALSE(t.connection().sender().recovery().board().has_sacks());
}

TEST(TcpTimeout, DuplicatesAfterATimeoutStartNoFastRecovery) {
  InFlight t(plain());
  t.pass(kSecond);
  t.ack(1000);
  for (int i = 0; i < 10; ++i) t.ack(1000);
  EXPECT_EQ(t.connection().stats().recoveries, 0U);
  EXPECT_EQ(t.phase(), Phase::kLoss);
}

TEST(TcpTimeout, ALossOfTheRetransmissionsFollowerHalvesAgain) {
  InFlight t(plain());
  t.pass(kSecond);
  t.ack(1000);
  EXPECT_EQ(t.ssthresh(), 5000U);
  t.pass(5 * kSecond);  // a timeout of another segment is another loss
  EXPECT_LT(t.ssthresh(), 5000U);
}

TEST(TcpTimeout, ATimeoutInARecoveryReducesAgainOrNotAsTheSystemHasIt) {
  for (const bool again : {true, false}) {
    TcpParams params = plain();
    params.sack.value = true;
    params.reduce_from.value = "cwnd";
    params.timeout_reduces_again.value = again;
    InFlight t(params);
    t.ack(0, {{1000, 4000}});
    EXPECT_EQ(t.ssthresh(), 5000U);
    EXPECT_EQ(t.phase(), Phase::kRecovery);
    t.pass(2 * kSecond);  // the retransmission was lost, too
    EXPECT_EQ(t.phase(), Phase::kLoss);
    EXPECT_EQ(t.cwnd(), 1000U);
    EXPECT_EQ(t.ssthresh(), again ? 2500U : 5000U);
    t.ack(4000);
    t.pass(5 * kSecond);  // a timeout of another segment is another loss to both
    EXPECT_EQ(t.ssthresh(), 2000U);
  }
}

TEST(TcpTimeout, WhatARecoveryReducedCanBeTakenBackAfterATimeoutInIt) {
  TcpParams params = plain();
  params.sack.value = true;
  params.undo_by_dsack.value = true;
  params.timeout_reduces_again.value = false;
  InFlight t(params);
  t.ack(0, {{1000, 4000}});
  t.pass(2 * kSecond);
  EXPECT_EQ(t.sent(), (Texts{"0", "0"}));
  t.ack(10'000, {{0, 1000}});
  t.ack(10'000, {{0, 1000}});  // both retransmissions were duplicates
  EXPECT_EQ(t.ssthresh(), ~0ULL);
}

TEST(TcpTimeout, ARetransmittedSegmentIsNotTimed) {
  InFlight t(plain());
  const std::uint64_t before = t.connection().sender().rtt().srtt();
  t.pass(kSecond + 300 * kMs);
  t.ack(1000);
  EXPECT_EQ(t.connection().sender().rtt().srtt(), before);  // Karn
  t.pass(100 * kMs);
  t.ack(10'000);
  EXPECT_EQ(t.connection().sender().rtt().srtt(), before);
  t.pass(80 * kMs);
  t.ack(11'000);  // new data, sent 80 ms ago
  EXPECT_EQ(t.connection().sender().rtt().srtt(), before - before / 8 + 10 * kMs);
}

TEST(TcpTimeout, TheBackOffLastsUntilASegmentThatWentOnceIsAcknowledged) {
  InFlight t(plain(), 1, 1000);
  const auto acked_after = [&t](std::uint64_t ms, std::uint64_t bytes) {
    t.pass(ms * kMs);
    t.ack(bytes);
    t.connection().write(1000);
  };
  acked_after(1300, 1000);  // sent twice: the RTO stays 2 s (RFC 6298, 5)
  acked_after(2100, 2000);
  acked_after(100, 3000);  // sent once: 1 s again
  t.pass(kSecond);
  EXPECT_EQ(data_of(t.host), (Texts{"1000:0", "1300:1", "3300:1", "3400:2", "3500:3", "4500:3"}));
}

TEST(TcpTimeout, WithTimestampsTheAckOfWhatWasSentAgainEndsTheBackOff) {
  for (const bool stamped : {false, true}) {
    TcpParams params = plain();
    params.timestamps.value = stamped;
    Lone t(params);
    t.establish();
    t.connection().write(500);
    t.pass(kSecond + 300 * kMs);
    EXPECT_EQ(t.connection().sender().rtt().rto(), 2 * kSecond);
    Segment ack = t.from_peer(500);
    if (stamped) ack.options.ts_echo = t.host.sent.back().segment.options.ts_value;
    t.connection().receive(ack);
    EXPECT_EQ(t.connection().sender().rtt().rto(), (stamped ? 1 : 2) * kSecond);
  }
}

TEST(TcpTimeout, EveryAckOfNewDataRestartsTheTimer) {
  InFlight t(plain(), 10, 10'000);
  for (std::uint64_t i = 1; i < 10; ++i) {
    t.pass(900 * kMs);
    t.ack(i * 1000);
  }
  EXPECT_EQ(t.connection().stats().timeouts, 0U);
  t.pass(10 * kSecond);
  EXPECT_GT(t.connection().stats().timeouts, 0U);
}

TEST(TcpTimeout, ATickedTimerExpiresOnItsTick) {
  TcpParams params = plain();
  params.timer_tick.value = TcpParams::ms(500);
  Lone t(params, 5);
  t.establish();
  t.pass(1300 * kMs);
  t.connection().write(1000);
  t.sent();
  t.pass(5 * kSecond);
  EXPECT_EQ(data_of(t.host).front(), "2000:0");  // two ticks after the one at 1000
}

/// Ten in flight and delayed: after the timeout the original segments' ACKs arrive one by one.
TEST(TcpTimeout, FrtoFindsALateFlightAndTakesTheReductionBack) {
  TcpParams params = plain();
  params.frto.value = true;
  params.burst.value = "none";
  InFlight t(params);
  t.pass(kSecond);
  EXPECT_EQ(t.sent(), Texts{"0"});
  t.ack(1000);
  EXPECT_EQ(
      t.sent(),
      (Texts{"10", "11"}));  // RFC 5682, 2.1, (2b): two new segments instead of more of the old
  t.ack(2000);
  EXPECT_EQ(t.phase(), Phase::kOpen);
  EXPECT_EQ(t.connection().stats().spurious_timeouts, 1U);
  EXPECT_EQ(t.ssthresh(), ~0ULL);
  EXPECT_EQ(t.cwnd(), 10'000U);
  EXPECT_EQ(t.connection().stats().retransmitted_segments, 1U);
}

TEST(TcpTimeout, FrtoGoesTheUsualWayWhenASecondAckDoesNotMoveOn) {
  TcpParams params = plain();
  params.frto.value = true;
  InFlight t(params);
  t.pass(kSecond);
  t.sent();
  t.ack(1000);
  t.sent();
  t.ack(1000);  // answers a new segment above a hole
  EXPECT_EQ(t.phase(), Phase::kLoss);
  EXPECT_EQ(t.connection().stats().spurious_timeouts, 0U);
  EXPECT_EQ(t.sent(), Texts{"1"});  // (3a): a window of three, two new ones are out
  EXPECT_EQ(t.ssthresh(), 5000U);
}

TEST(TcpTimeout, FrtoGoesTheUsualWayWhenTheFirstAckIsADuplicateOrCoversAll) {
  for (const std::uint64_t acked : {std::uint64_t{0}, std::uint64_t{10'000}}) {
    TcpParams params = plain();
    params.frto.value = true;
    InFlight t(params);
    t.pass(kSecond);
    t.sent();
    t.ack(acked);
    EXPECT_EQ(t.phase(), acked == 0 ? Phase::kLoss : Phase::kOpen);
    EXPECT_EQ(t.ssthresh(), 5000U);
  }
}

TEST(TcpTimeout, FrtoNeedsNewDataToSend) {
  TcpParams params = plain();
  params.frto.value = true;
  InFlight t(params, 10, 10'000);
  t.pass(kSecond);
  t.sent();
  t.ack(1000);
  EXPECT_EQ(t.sent(), (Texts{"1", "2"}));
}

}  // namespace
}  // namespace longhaul::tcp::rig
