// SPDX-License-Identifier: Apache-2.0
// Loss recovery with SACK, D-SACK and timestamps.
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

using Texts = std::vector<std::string>;
using Phase = Recovery::Phase;

TcpParams with_sack() {
  TcpParams params = plain();
  params.sack.value = true;
  return params;
}

/// A sender with data in flight; SACK blocks are told by segment number.
struct SackInFlight : InFlight {
  using InFlight::InFlight;
  /// An ACK up to segment `una`, with SACK blocks of whole segments, the most recent first.
  void told(std::uint64_t una, std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks) {
    for (auto& [begin, end] : blocks) {
      begin *= 1000;
      end *= 1000;
    }
    ack(una * 1000, blocks);
  }
};

TEST(TcpSackRecovery, TheThirdSackRetransmitsAndTwoLetNewSegmentsOut) {
  SackInFlight t(with_sack());
  t.told(0, {{1, 2}});
  EXPECT_EQ(t.sent(), Texts{"10"});
  t.told(0, {{1, 3}});
  EXPECT_EQ(t.sent(), Texts{"11"});
  t.told(0, {{1, 4}});
  EXPECT_EQ(t.sent(), Texts{"0"});
  EXPECT_EQ(t.ssthresh(), 5000U);
  EXPECT_EQ(t.phase(), Phase::kRecovery);
}

TEST(TcpSackRecovery, AnAckWithoutNewSackInformationIsNoDuplicate) {
  SackInFlight t(with_sack());
  for (int i = 0; i < 10; ++i) t.told(0, {{1, 2}});
  EXPECT_EQ(t.connection().stats().duplicate_acks, 1U);
  EXPECT_EQ(t.phase(), Phase::kOpen);
}

TEST(TcpSackRecovery, OneAckThatTellsOfThreeSegmentsIsEnough) {
  SackInFlight t(with_sack());
  t.told(0, {{1, 4}});
  EXPECT_EQ(t.sent().front(), "0");
}

TEST(TcpSackRecovery, AllHolesOfAFlightAreFilledInOneRoundTrip) {
  SackInFlight t(with_sack(), 20);
  // 0, 3 and 6 are lost. By RFC 6675: cwnd is 10 segments, pipe what is neither SACKed nor lost,
  // and what was sent again.
  t.told(0, {{1, 2}});
  t.told(0, {{1, 3}});
  EXPECT_EQ(t.sent(), (Texts{"20", "21"}));
  t.told(0, {{4, 5}, {1, 3}});
  EXPECT_EQ(t.sent(), Texts{"0"});
  t.told(0, {{4, 6}, {1, 3}});
  t.told(0, {{7, 8}, {4, 6}, {1, 3}});
  for (std::uint64_t last = 9; last <= 12; ++last) t.told(0, {{7, last}, {4, 6}, {1, 3}});
  EXPECT_EQ(t.sent(), Texts{});  // pipe: 12..21 and the 0 sent again
  t.told(0, {{7, 13}, {4, 6}, {1, 3}});
  t.told(0, {{7, 14}, {4, 6}, {1, 3}});
  t.told(0, {{7, 15}, {4, 6}, {1, 3}});
  EXPECT_EQ(t.sent(), (Texts{"3", "6"}));
  t.told(0, {{7, 16}, {4, 6}, {1, 3}});
  EXPECT_EQ(t.sent(), Texts{"22"});  // nothing lost is left
  t.told(22, {});
  EXPECT_EQ(t.phase(), Phase::kOpen);
  EXPECT_EQ(t.connection().stats().retransmitted_segments, 3U);
  EXPECT_EQ(t.connection().stats().recoveries, 1U);
}

TEST(TcpSackRecovery, WithoutNewDataTheHolesThatAreNotYetLostFollow) {
  TcpParams params = with_sack();
  params.initial_window.value = 10;
  Lone t(params, 5);
  t.establish();
  t.connection().write(10'000);
  t.sent();
  // 0 and 8 are missing. 8 has only one segment above it and is not lost by rule, but there is
  // nothing better to send.
  for (std::uint64_t last = 2; last <= 6; ++last) t.ack(0, {{1000, last * 1000}});
  EXPECT_EQ(t.sent(), Texts{"0"});  // pipe: 6 to 9 and the 0 sent again
  t.ack(0, {{1000, 7000}});
  EXPECT_EQ(t.sent(), Texts{"9"});  // NextSeg (4)
  t.ack(0, {{1000, 8000}});
  EXPECT_EQ(t.sent(), Texts{});
  t.ack(0, {{9000, 10'000}, {1000, 8000}});
  EXPECT_EQ(t.sent(), Texts{"8"});  // NextSeg (3)
}

TEST(TcpSackRecovery, TheEndOfTheFlightIsRescuedOnce) {
  TcpParams params = with_sack();
  params.initial_window.value = 10;
  Lone t(params, 5);
  t.establish();
  t.connection().write(10'000);
  t.sent();
  // 0 and 9 are lost: no SACK can tell of 9.
  for (std::uint64_t last = 2; last <= 9; ++last) t.ack(0, {{1000, last * 1000}});
  EXPECT_EQ(t.sent(), (Texts{"0", "9"}));
  t.ack(9000);
  EXPECT_EQ(t.sent(), Texts{});  // NextSeg (4): once a recovery
  t.ack(10'000);
  EXPECT_EQ(t.connection().stats().timeouts, 0U);
}

TEST(TcpSackRecovery, ForwardAcknowledgementNeedsNoThreeDuplicates) {
  TcpParams params = with_sack();
  params.loss_rule.value = "fack";
  SackInFlight t(params);
  t.told(0, {{3, 4}});
  EXPECT_EQ(t.sent(), Texts{"0"});
  EXPECT_EQ(t.phase(), Phase::kRecovery);
}

TEST(TcpSackRecovery, AReorderingNetworkRaisesTheThresholdSoThatItIsTakenForLossOnlyOnce) {
  TcpParams params = with_sack();
  params.max_reordering.value = 127;
  SackInFlight t(params, 20);
  t.told(0, {{1, 3}});
  t.told(0, {{1, 3}, {5, 6}});
  t.told(0, {{1, 6}});  // 3 and 4 arrive after 5, never sent again: two segments late
  EXPECT_EQ(t.connection().sender().recovery().board().threshold(), 3U);
  t.ack(6000);
  SackInFlight late(params, 20);
  late.told(0, {{1, 3}});
  late.ack(9000, {{15'000, 16'000}});
  late.told(9, {{10, 11}, {15, 16}});  // five below the highest
  EXPECT_EQ(late.connection().sender().recovery().board().threshold(), 6U);
  late.told(9, {{10, 14}, {15, 16}});
  EXPECT_EQ(late.connection().sender().recovery().phase(),
            Phase::kOpen);  // five above are not enough here
}

TEST(TcpSackRecovery,
     ALostRetransmissionGoesAgainWithForwardAcknowledgementAndWaitsForTheTimerWithout) {
  for (const bool fack : {true, false}) {
    TcpParams params = with_sack();
    params.loss_rule.value = fack ? "fack" : "rfc6675";
    SackInFlight t(params, 20);
    t.told(0, {{1, 20}});
    EXPECT_EQ(t.sent(), (Texts{"0", "20", "21", "22", "23", "24", "25", "26", "27", "28"}));
    t.told(0, {{1, 21}});  // sent after the 0
    EXPECT_EQ(t.sent(), (fack ? Texts{"0", "29"} : Texts{"29"}));
    t.told(0, {{1, 25}});
    t.sent();
    t.told(0, {{1, 33}});  // and after the second 0
    EXPECT_EQ(t.sent().front() == "0", fack);
    EXPECT_EQ(t.connection().stats().lost_retransmissions, fack ? 2000U : 0U);
    t.told(33, {});
    EXPECT_EQ(t.phase(), Phase::kOpen);
    EXPECT_EQ(t.connection().stats().timeouts, 0U);
  }
}

TEST(TcpSackRecovery, ShortSegmentsThatArrivedHoldNothingBack) {
  TcpParams params = with_sack();
  params.cwnd_unit.value = "segments";
  params.nagle.value = "off";
  params.initial_window.value = 20;
  Lone t(params, 5);
  t.establish();
  t.connection().write(8000);
  for (int i = 0; i < 10; ++i) t.connection().write(100);
  EXPECT_EQ(t.sent().size(), 18U);
  t.ack(0, {{8000, 9000}});  // the ten short ones
  t.pass(2 * kSecond);
  t.sent();
  t.ack(1000, {{8000, 9000}});
  EXPECT_EQ(t.sent(), (Texts{"1", "2"}));
  t.ack(3000, {{8000, 9000}});
  EXPECT_EQ(t.sent(), (Texts{"3", "4", "5"}));
}

TEST(TcpSackRecovery, DsackForEveryRetransmissionTakesTheReductionBack) {
  for (const bool undo : {true, false}) {
    TcpParams params = with_sack();
    params.undo_by_dsack.value = undo;
    params.burst.value = "none";
    SackInFlight t(params);
    t.told(0, {{1, 4}});
    EXPECT_EQ(t.ssthresh(), 5000U);
    // 0 was only late: the ACK covers what was sent, then the retransmission arrives as a
    // duplicate.
    t.ack(10'000);
    t.ack(11'000, {{0, 1000}});
    EXPECT_EQ(t.ssthresh(), undo ? ~0ULL : 5000ULL);
    EXPECT_EQ(t.connection().stats().undone, undo ? 1U : 0U);
    if (undo) {
      EXPECT_GE(t.cwnd(), 10'000U);
    } else {
      EXPECT_LE(t.cwnd(), 6000U);
    }
  }
}

TEST(TcpSackRecovery, ADuplicateMadeByTheNetworkTakesNothingBack) {
  TcpParams params = with_sack();
  params.undo_by_dsack.value = true;
  SackInFlight t(params);
  t.ack(1000, {{0, 1000}});  // no retransmission was made
  EXPECT_EQ(t.connection().stats().undone, 0U);
}

TEST(TcpSackRecovery, AnEchoOlderThanTheRetransmissionTakesTheReductionBack) {
  for (const std::uint32_t age : {0U, 5U}) {
    TcpParams params = with_sack();
    params.timestamps.value = true;
    params.undo_by_timestamps.value = true;
    params.initial_window.value = 10;
    Lone t(params, 5);
    t.establish();
    t.connection().write(100'000);
    t.pass(100 * kMs);
    t.sent();
    t.ack(0, {{988, 4 * 988}});
    EXPECT_EQ(t.connection().sender().control().ssthresh(), 5 * 988U);
    t.pass(20 * kMs);
    Segment late = t.from_peer(4 * 988);
    late.options.ts_echo = 101 - age;  // the retransmission left at 100 ms with 101
    t.connection().receive(late);
    EXPECT_EQ(t.connection().sender().control().ssthresh(), age == 0 ? 5 * 988ULL : ~0ULL);
  }
}

TEST(TcpSackRecovery, AReceiverThatReneggedIsSentEverythingAgainAfterTheTimeout) {
  SackInFlight t(with_sack());
  t.told(0, {{5, 10}});
  t.sent();
  t.ack(5000);  // up to what it had SACKed, but not past it
  t.sent();
  t.pass(3 * kSecond);
  Texts again = t.sent();
  ASSERT_FALSE(again.empty());
  EXPECT_EQ(again.front(), "5");
  EXPECT_FALSE(t.connection().sender().recovery().board().has_sacks());
}

TEST(TcpSackRecovery, BlocksThatCannotBeAreIgnored) {
  SackInFlight t(with_sack());
  t.told(0, {{50, 60}});             // never sent
  t.told(0, {{5, 5}, {7, 6}});       // empty, reversed
  t.ack(0, {{~0ULL - 5000, 3000}});  // ahead of the stream's begin
  EXPECT_EQ(t.connection().sender().recovery().board().sacked_bytes(), 0U);
  EXPECT_EQ(t.connection().stats().duplicate_acks, 0U);
}

}  // namespace
}  // namespace longhaul::tcp::rig
