// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

TEST(TcpHandshake, ThreeSegmentsAtTheTimesOfTheWire) {
  Pair pair(TcpParams{}, 10 * kMs);
  pair.open();
  pair.calendar.run_until(kSecond);
  ASSERT_EQ(pair.a.sent.size(), 2U);
  ASSERT_EQ(pair.b.sent.size(), 1U);
  const Segment& syn = pair.a.sent[0].segment;
  EXPECT_EQ(pair.a.sent[0].at, 0U);
  EXPECT_EQ(syn.flags, kSyn);
  EXPECT_EQ(syn.seq, Pair::kIssA);
  EXPECT_EQ(syn.options.mss, 1000);
  EXPECT_TRUE(syn.options.sack_permitted);
  EXPECT_TRUE(syn.options.timestamps);
  EXPECT_EQ(syn.options.window_scale, 0);
  const Segment& answer = pair.b.sent[0].segment;
  EXPECT_EQ(pair.b.sent[0].at, 10 * kMs);
  EXPECT_EQ(answer.flags, kSyn | kAck);
  EXPECT_EQ(answer.ack, Pair::kIssA + 1);
  EXPECT_EQ(answer.options.ts_echo, syn.options.ts_value);
  const Segment& last = pair.a.sent[1].segment;
  EXPECT_EQ(pair.a.sent[1].at, 20 * kMs);
  EXPECT_EQ(last.flags, kAck);
  EXPECT_EQ(last.ack, Pair::kIssB + 1);
  EXPECT_EQ(pair.a.connection().state(), State::kEstablished);
  EXPECT_EQ(pair.b.connection().state(), State::kEstablished);
}

TEST(TcpHandshake, AnOptionHoldsOnlyIfBothOfferIt) {
  for (int missing = 0; missing < 3; ++missing) {
    TcpParams without;
    without.sack.value = missing != 0;
    without.timestamps.value = missing != 1;
    without.window_scaling.value = missing != 2;
    for (const bool at_a : {true, false}) {
      TcpParams full;
      Pair pair(at_a ? without : full, at_a ? full : without);
      pair.open();
      pair.calendar.run_until(kSecond);
      pair.a.connection().write(5000);
      pair.calendar.run_until(2 * kSecond);
      const Options& offer = pair.a.sent[0].segment.options;
      const Options& answer = pair.b.sent[0].segment.options;
      EXPECT_EQ(answer.sack_permitted, missing != 0);
      EXPECT_EQ(answer.timestamps, missing != 1);
      EXPECT_EQ(answer.window_scale.has_value(), missing != 2);
      EXPECT_EQ(offer.timestamps, missing != 1 || !at_a);
      EXPECT_EQ(pair.a.sent.back().segment.options.timestamps, missing != 1);
      // Twelve bytes of timestamps come off the payload (RFC 6691).
      EXPECT_EQ(pair.a.connection().sender().mss(), missing == 1 ? 1000U : 988U);
    }
  }
}

TEST(TcpHandshake, TheSmallerMssHoldsAndAMissingOneIs536) {
  TcpParams params = plain();
  Lone lone(params);
  lone.connection().listen({Pair::kIssA, 1460});
  Segment syn;
  syn.seq = Pair::kIssB;
  syn.flags = kSyn;
  syn.window = 20'000;
  lone.connection().receive(syn);
  lone.connection().receive(lone.from_peer(0));
  EXPECT_EQ(lone.connection().state(), State::kEstablished);
  EXPECT_EQ(lone.connection().sender().mss(), 536U);
}

TEST(TcpHandshake, TheScaleIsTheLeastThatTellsTheBufferAndSynWindowsAreNotScaled) {
  TcpParams params = plain();
  params.receive_buffer.value = {1'000'000};  // needs a shift of 4: 62500
  Pair pair(params);
  pair.open();
  pair.calendar.run_until(kSecond);
  EXPECT_EQ(pair.a.sent[0].segment.options.window_scale, 4);
  EXPECT_EQ(pair.a.sent[0].segment.window, 65535);
  EXPECT_EQ(pair.a.sent[1].segment.window, 62500);
  EXPECT_EQ(pair.b.connection().sender().window(), 1'000'000U);
}

TEST(TcpHandshake, ALostSynComesAgainAfterOneThreeAndSevenSecondsAndTheWindowStartsAtOneSegment) {
  Pair pair(plain());
  pair.a.fate = [](const Segment&, std::uint64_t i) { return Fate{i < 3, 0, false}; };
  pair.open();
  pair.calendar.run_until(20 * kSecond);
  std::vector<std::uint64_t> syns;
  for (const Sighting& s : pair.a.sent) {
    if (s.segment.has(kSyn)) syns.push_back(s.at / kMs);
  }
  EXPECT_EQ(syns, (std::vector<std::uint64_t>{0, 1000, 3000, 7000}));
  EXPECT_EQ(pair.a.connection().state(), State::kEstablished);
  EXPECT_EQ(pair.a.connection().sender().control().cwnd(), 1000U);  // RFC 5681, 3.1
  EXPECT_EQ(pair.b.connection().sender().control().cwnd(), 4000U);  // its own SYN was not lost
  EXPECT_FALSE(pair.a.connection().sender().rtt().measured());      // Karn
}

TEST(TcpHandshake, ALostSynAckComesAgainFromTheOneWhoAnswers) {
  Pair pair(plain());
  pair.b.fate = [](const Segment&, std::uint64_t i) { return Fate{i == 0, 0, false}; };
  pair.open();
  pair.calendar.run_until(20 * kSecond);
  // Both timers run: a's SYN again at 1000, b's SYN-ACK again at 1010 as its own timer and as the
  // answer to that SYN.
  EXPECT_EQ(pair.a.sent[1].at, 1000 * kMs);
  EXPECT_EQ(pair.b.sent[1].at, 1010 * kMs);
  EXPECT_EQ(pair.a.connection().state(), State::kEstablished);
  EXPECT_EQ(pair.b.connection().state(), State::kEstablished);
}

TEST(TcpHandshake, AnUnansweredSynGivesUpAfterItsRetries) {
  TcpParams params = plain();
  params.syn_retries.value = 3;
  Lone lone(params);
  lone.connection().connect({1, 1000});
  lone.pass(15 * kSecond - 1);
  EXPECT_FALSE(lone.host.ended_by);
  lone.pass(1);
  EXPECT_EQ(lone.host.ended_by, End::kTimedOut);  // 1 + 2 + 4 + 8 s
  EXPECT_EQ(lone.host.sent.size(), 4U);
}

TEST(TcpHandshake, BothMayOpenAtOnce) {
  Pair pair(plain());
  pair.a.connection().connect({Pair::kIssA, 1000});
  pair.b.connection().connect({Pair::kIssB, 1000});
  pair.calendar.run_until(kSecond);
  EXPECT_EQ(pair.a.connection().state(), State::kEstablished);
  EXPECT_EQ(pair.b.connection().state(), State::kEstablished);
  pair.a.connection().write(3000);
  pair.b.connection().write(2000);
  pair.calendar.run_until(2 * kSecond);
  EXPECT_EQ(pair.b.bytes_readable, 3000U);
  EXPECT_EQ(pair.a.bytes_readable, 2000U);
  EXPECT_EQ(pair.a.connection().stats().retransmitted_segments, 0U);
}

TEST(TcpHandshake, AResetAnswersASynThatNobodyWantsAndEndsTheOpening) {
  Pair pair(plain());
  pair.a.connection().connect({Pair::kIssA, 1000});  // b is closed
  pair.calendar.run_until(kSecond);
  EXPECT_EQ(pair.a.ended_by, End::kReset);
  ASSERT_EQ(pair.b.sent.size(), 1U);
  EXPECT_EQ(pair.b.sent[0].segment.flags, kRst | kAck);
  EXPECT_EQ(pair.b.sent[0].segment.ack, Pair::kIssA + 1);
}

TEST(TcpHandshake, AResetOrAnAckOfSomethingElseDoesNotEndTheOpening) {
  Lone lone(plain());
  lone.connection().connect({Pair::kIssA, 1000});
  Segment forged = lone.from_peer(7);
  forged.flags = kRst | kAck;
  lone.connection().receive(forged);
  EXPECT_EQ(lone.connection().state(), State::kSynSent);
  lone.host.sent.clear();
  lone.connection().receive(lone.from_peer(7));
  ASSERT_EQ(lone.host.sent.size(), 1U);  // RFC 9293, 3.10.7.3
  EXPECT_EQ(lone.host.sent[0].segment.flags, kRst);
  EXPECT_EQ(lone.host.sent[0].segment.seq, Pair::kIssA + 1 + 7);
  EXPECT_EQ(lone.connection().state(), State::kSynSent);
}

TEST(TcpHandshake, AListenerAnswersAnAckByAResetAndIgnoresAReset) {
  Lone lone(plain());
  lone.connection().listen({Pair::kIssA, 1000});
  Segment stray = lone.from_peer(0);
  stray.flags = kRst;
  lone.connection().receive(stray);
  EXPECT_TRUE(lone.host.sent.empty());
  lone.connection().receive(lone.from_peer(0));
  ASSERT_EQ(lone.host.sent.size(), 1U);
  EXPECT_EQ(lone.host.sent[0].segment.flags, kRst);
  EXPECT_EQ(lone.connection().state(), State::kListen);
}

TEST(TcpHandshake, WhatIsWrittenEarlyGoesOutWithTheHandshakesEnd) {
  Pair pair(plain());
  pair.open();
  EXPECT_TRUE(pair.a.connection().write(2000));
  pair.calendar.run_until(kSecond);
  EXPECT_EQ(data_of(pair.a), (std::vector<std::string>{"20:0", "20:1"}));
}

}  // namespace
}  // namespace longhaul::tcp::rig
