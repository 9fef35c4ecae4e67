// SPDX-License-Identifier: Apache-2.0
// Fast retransmit and fast recovery without SACK.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

using Texts = std::vector<std::string>;

TEST(TcpRecovery, TwoDuplicatesLetNewSegmentsOutAndTheThirdRetransmits) {
  InFlight t(plain());
  t.ack(0);
  EXPECT_EQ(t.sent(), Texts{"10"});  // RFC 3042
  t.ack(0);
  EXPECT_EQ(t.sent(), Texts{"11"});
  t.ack(0);
  EXPECT_EQ(t.sent(), Texts{"0"});
  EXPECT_EQ(t.ssthresh(),
            5000U);  // of ten: what limited transmit sent does not count (RFC 5681, 3.2, (2))
}

TEST(TcpRecovery, WithoutLimitedTransmitTwoDuplicatesDoNothing) {
  TcpParams params = plain();
  params.limited_transmit.value = false;
  InFlight t(params);
  t.ack(0);
  t.ack(0);
  EXPECT_EQ(t.sent(), Texts{});
  t.ack(0);
  EXPECT_EQ(t.sent(), Texts{"0"});
}

TEST(TcpRecovery, TahoeStartsOverFromOneSegment) {
  TcpParams params = plain();
  params.limited_transmit.value = false;
  InFlight t(params);
  t.config.reduction = Reduction::kTahoe;
  for (int i = 0; i < 3; ++i) t.ack(0);
  EXPECT_EQ(t.sent(), Texts{"0"});
  EXPECT_EQ(t.cwnd(), 1000U);
  EXPECT_EQ(t.ssthresh(), 5000U);
  for (int i = 0; i < 5; ++i) t.ack(0);  // no inflation
  EXPECT_EQ(t.sent(), Texts{});
  t.ack(1000);
  EXPECT_EQ(t.sent(), (Texts{"1", "2"}));  // slow start over all that was in flight
  // The receiver had the rest.
  t.ack(10'000);
  EXPECT_EQ(t.phase(), Recovery::Phase::kOpen);
  EXPECT_EQ(t.cwnd(), 3000U);
  EXPECT_EQ(t.sent(), (Texts{"10", "11", "12"}));
}

TEST(TcpRecovery, WithoutReductionAllIsSentAgainAndTheWindowStays) {
  TcpParams params = plain();
  params.limited_transmit.value = false;
  InFlight t(params);
  t.config.reduction = Reduction::kNone;
  const Texts all{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  const std::uint64_t ssthresh = t.ssthresh();
  for (int i = 0; i < 3; ++i) t.ack(0);
  EXPECT_EQ(t.sent(), all);
  EXPECT_EQ(t.cwnd(), 10'000U);
  EXPECT_EQ(t.ssthresh(), ssthresh);
  for (int i = 0; i < 3; ++i) t.ack(0);  // the first one was lost again
  EXPECT_EQ(t.sent(), all);
  t.ack(10'000);
  EXPECT_EQ(t.phase(), Recovery::Phase::kOpen);
  EXPECT_GT(t.cwnd(), 10'000U);
  EXPECT_EQ(t.connection().stats().timeouts, 0U);
}

TEST(TcpRecovery, EachFurtherDuplicateInflatesByOneSegment) {
  TcpParams params = plain();
  params.limited_transmit.value = false;
  InFlight t(params);
  for (int i = 0; i < 3; ++i) t.ack(0);
  t.sent();
  // RFC 6582: cwnd = 5 + 3; ten are in flight, so the third further duplicate lets the first new
  // one out.
  t.ack(0);
  t.ack(0);
  EXPECT_EQ(t.sent(), Texts{});
  t.ack(0);
  EXPECT_EQ(t.sent(), Texts{"10"});
  t.ack(0);
  EXPECT_EQ(t.sent(), Texts{"11"});
  // The full ACK of the ten: cwnd = min(ssthresh, FlightSize + 1), two in flight.
  t.ack(10'000);
  EXPECT_EQ(t.cwnd(), 3000U);
  EXPECT_EQ(t.sent(), Texts{"12"});
}

TEST(TcpRecovery, APartialAckRetransmitsTheNextHoleAndStays) {
  TcpParams params = plain();
  params.limited_transmit.value = false;
  InFlight t(params);
  for (int i = 0; i < 8; ++i) t.ack(0);  // 0 and 4 are lost
  EXPECT_EQ(t.sent(), (Texts{"0", "10", "11", "12"}));
  // RFC 6582, 3.2, (3): deflated by the four segments, one added back: 5 + 8 - 4 + 1 = 10 against
  // nine in flight.
  t.ack(4000);
  EXPECT_EQ(t.sent(), (Texts{"4", "13"}));
  EXPECT_EQ(t.connection().sender().recovery().phase(), Recovery::Phase::kRecovery);
  t.ack(10'000);
  EXPECT_EQ(t.connection().sender().recovery().phase(), Recovery::Phase::kOpen);
  EXPECT_EQ(t.ssthresh(), 5000U);
  EXPECT_EQ(t.connection().stats().recoveries, 1U);  // one reduction for both
}

TEST(TcpRecovery, RenoLeavesWithTheFirstNewAck) {
  TcpParams params = plain();
  params.limited_transmit.value = false;
  params.partial_ack_stays.value = false;
  InFlight t(params);
  for (int i = 0; i < 8; ++i) t.ack(0);
  t.sent();
  t.ack(4000);
  EXPECT_EQ(t.connection().sender().recovery().phase(), Recovery::Phase::kOpen);
  EXPECT_EQ(t.sent(), Texts{});  // nine in flight, a window of five
  EXPECT_EQ(t.cwnd(), 5000U);
}

TEST(TcpRecovery, DuplicatesThatTheRecoveryItselfCausedStartNoSecondOne) {
  TcpParams params = plain();
  InFlight t(params);
  for (int i = 0; i < 9; ++i) t.ack(0);
  t.ack(12'000);  // everything that was sent when it began
  ASSERT_EQ(t.connection().sender().recovery().phase(), Recovery::Phase::kOpen);
  t.sent();
  for (int i = 0; i < 5; ++i) t.ack(12'000);
  EXPECT_EQ(t.connection().stats().recoveries,
            1U);  // RFC 6582, 3.2, (1): the ACK has to cover more than recover
  t.ack(13'000);
  for (int i = 0; i < 3; ++i) t.ack(13'000);
  EXPECT_EQ(t.connection().stats().recoveries, 2U);
}

TEST(TcpRecovery, TheImpatientVariantRestartsTheTimerOnlyForTheFirstPartialAck) {
  for (const bool impatient : {true, false}) {
    TcpParams params = plain();
    params.impatient.value = impatient;
    InFlight t(params);
    t.pass(100 * kMs);
    for (int i = 0; i < 3; ++i) t.ack(0);
    for (std::uint64_t hole = 2; hole <= 6; hole += 2) {
      t.pass(400 * kMs);
      t.ack(hole * 1000);
    }
    t.pass(700 * kMs);
    // Partial ACKs at 500, 900 and 1300 ms; an RTO of 1 s from the first, or from the last.
    EXPECT_EQ(t.connection().stats().timeouts, impatient ? 1U : 0U);
  }
}

TEST(TcpRecovery, AnAckWithDataOrANewWindowIsNoDuplicate) {
  InFlight t(plain());
  for (std::uint32_t i = 0; i < 5; ++i) t.data(100 * i, 100);
  for (std::uint64_t i = 0; i < 5; ++i) {
    t.set_window(900'000 - 32 * i);
    Segment update = t.from_peer(0);
    update.seq += 500;
    t.connection().receive(update);
  }
  EXPECT_EQ(t.connection().stats().duplicate_acks, 0U);
}

TEST(TcpRecovery, TheBurstAfterRecoveryIsHeldToWhatTheParametersSay) {
  // Ten in flight, the first lost, and the ACK of everything at once: nothing is in flight then,
  // the window is five.
  for (const auto& [burst, segments, sent] :
       {std::tuple<const char*, std::uint32_t, std::size_t>{"none", 3, 5},
        {"moderate", 1, 2},
        {"moderate", 3, 4},
        {"limit", 4, 4}}) {
    TcpParams params = plain();
    params.limited_transmit.value = false;
    params.burst.value = burst;
    params.burst_segments.value = segments;
    InFlight t(params);
    for (int i = 0; i < 3; ++i) t.ack(0);
    t.sent();
    t.ack(10'000);
    EXPECT_EQ(t.sent().size(), sent) << burst << segments;
  }
}

TEST(TcpRecovery, RateHalvingSendsOneSegmentForTwoAcksUntilTheWindowIsHalf) {
  TcpParams params = plain();
  params.reduction.value = "rate_halving";
  InFlight t(params);
  for (int i = 0; i < 2; ++i) t.ack(0);
  EXPECT_EQ(t.sent(), (Texts{"10", "11"}));
  std::vector<std::size_t> per_ack;
  for (int i = 0; i < 9; ++i) {
    t.ack(0);
    per_ack.push_back(t.sent().size());
  }
  EXPECT_EQ(std::accumulate(per_ack.begin() + 1, per_ack.end(), std::size_t{0}), 4U);
  EXPECT_EQ(t.ssthresh(), 5000U);
}

TEST(TcpRecovery, RateHalvingOverMoreThanAWindowGoesToHalfOfTheThresholdOrWithBicToIt) {
  for (const auto& [policy, ssthresh, floor] :
       {std::tuple<const char*, std::uint64_t, std::uint64_t>{"newreno", 20'000, 10'000},
        {"bic", 35'000, 35'000},
        {"bic-linux", 31'000, 31'000}}) {
    TcpParams params = plain();
    params.congestion_control.value = policy;
    params.reduction.value = "rate_halving";
    InFlight t(params, 40, 200'000);
    std::uint64_t least = t.cwnd();
    // The retransmission is lost, too: duplicates for the flight, and for what the recovery sends.
    for (int i = 0; i < 70; ++i) {
      t.ack(0);
      least = std::min(least, t.cwnd());
    }
    EXPECT_EQ(t.ssthresh(), ssthresh) << policy;
    EXPECT_EQ(t.cwnd(), floor) << policy;
    EXPECT_EQ(least, floor) << policy;
  }
}

TEST(TcpRecovery, ProportionalRateReductionEndsAtTheThresholdAndSendsInProportion) {
  TcpParams params = plain();
  params.reduction.value = "prr";
  params.limited_transmit.value = false;
  InFlight t(params, 20);
  std::vector<std::size_t> per_ack;
  for (int i = 0; i < 19; ++i) {
    t.ack(0);
    per_ack.push_back(t.sent().size());
  }
  // RFC 6937, 3: RecoverFS 20, ssthresh 10. The retransmission counts as the first of what may be
  // sent. Then one is sent for every second ACK while pipe (16 at the decision, one less for every
  // ACK, one more for every segment) is above ssthresh. Then one for each.
  EXPECT_EQ(per_ack,
            (std::vector<std::size_t>{0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1}));
  t.ack(20'000);
  EXPECT_EQ(t.ssthresh(), 10'000U);
}

}  // namespace
}  // namespace longhaul::tcp::rig
