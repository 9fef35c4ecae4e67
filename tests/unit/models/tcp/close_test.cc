// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

TEST(TcpClose, TheFinRidesOnTheLastSegmentAndTimeWaitLastsTwiceTheSegmentLifetime) {
  Pair pair(plain());
  pair.establish();
  pair.a.connection().write(2500);
  pair.a.connection().close();
  EXPECT_FALSE(pair.a.connection().write(1));
  EXPECT_EQ(pair.a.connection().state(), State::kFinWait1);
  pair.calendar.run_until(120 * kMs);
  // Nagle held the short segment back, close() lets it go.
  EXPECT_EQ(data_of(pair.a), (std::vector<std::string>{"100:0", "100:1", "100:2+500BF"}));
  pair.calendar.run_until(200 * kMs);
  EXPECT_TRUE(pair.b.saw_end);
  EXPECT_EQ(pair.b.connection().state(), State::kCloseWait);
  EXPECT_EQ(pair.a.connection().state(), State::kFinWait2);
  pair.b.connection().close();
  EXPECT_EQ(pair.b.connection().state(), State::kLastAck);
  pair.calendar.run_until(210 * kMs);
  EXPECT_EQ(pair.a.connection().state(), State::kTimeWait);
  pair.calendar.run_until(220 * kMs);
  EXPECT_EQ(pair.b.ended_by, End::kClosed);
  pair.calendar.run_until(210 * kMs + 240 * kSecond - 1);
  EXPECT_FALSE(pair.a.ended_by);
  pair.calendar.run_until(210 * kMs + 240 * kSecond);
  EXPECT_EQ(pair.a.ended_by, End::kClosed);
}

TEST(TcpClose, AClosedDirectionStillReceives) {
  Pair pair(plain());
  pair.establish();
  pair.a.connection().close();
  pair.calendar.run_until(200 * kMs);
  EXPECT_TRUE(pair.b.connection().write(50'000));
  pair.calendar.run_until(kSecond);
  EXPECT_EQ(pair.a.bytes_readable, 50'000U);
  EXPECT_EQ(pair.a.connection().state(), State::kFinWait2);
}

TEST(TcpClose, BothMayCloseAtOnce) {
  Pair pair(plain());
  pair.establish();
  pair.a.connection().close();
  pair.b.connection().close();
  pair.calendar.run_until(115 * kMs);
  EXPECT_EQ(pair.a.connection().state(), State::kClosing);
  EXPECT_EQ(pair.b.connection().state(), State::kClosing);
  pair.calendar.run_until(200 * kMs);
  EXPECT_EQ(pair.a.connection().state(), State::kTimeWait);
  EXPECT_EQ(pair.b.connection().state(), State::kTimeWait);
}

TEST(TcpClose, ALostLastAckIsGivenAgainAndTimeWaitStartsAnew) {
  Pair pair(plain());
  pair.establish();
  pair.a.connection().close();
  pair.calendar.run_until(200 * kMs);
  pair.a.fate = [first = pair.a.count_sent](const Segment&, std::uint64_t i) {
    return Fate{i == first, 0, false};
  };
  pair.b.connection().close();
  pair.calendar.run_until(3 * kSecond);
  EXPECT_EQ(data_of(pair.b), (std::vector<std::string>{"200:0+0BF", "1200:0+0BF"}));
  EXPECT_EQ(pair.b.ended_by, End::kClosed);
  pair.calendar.run_until(1210 * kMs + 240 * kSecond - 1);
  EXPECT_FALSE(pair.a.ended_by);
  pair.calendar.run_until(1210 * kMs + 240 * kSecond);
  EXPECT_TRUE(pair.a.ended_by);
}

TEST(TcpClose, AFinThatOvertookDataWaitsForThem) {
  Lone lone(plain());
  lone.establish();
  lone.data(1000, 500, kAck | kFin);
  EXPECT_FALSE(lone.host.saw_end);
  EXPECT_EQ(lone.connection().state(), State::kEstablished);
  lone.data(0, 1000);
  EXPECT_TRUE(lone.host.saw_end);
  EXPECT_EQ(lone.host.bytes_readable, 1500U);
  EXPECT_EQ(lone.acks().back().ack, Pair::kIssB + 1 + 1501);
}

TEST(TcpClose, AbortSendsAResetThatEndsThePeer) {
  Pair pair(plain());
  pair.establish();
  pair.a.connection().write(2000);
  pair.a.connection().abort();
  EXPECT_EQ(pair.a.ended_by, End::kAborted);
  EXPECT_EQ(pair.a.sent.back().segment.flags, kRst | kAck);
  pair.calendar.run_until(200 * kMs);
  EXPECT_EQ(pair.b.ended_by, End::kReset);
  EXPECT_EQ(pair.b.bytes_readable, 2000U);
}

TEST(TcpClose, DataForAConnectionThatIsGoneGetAReset) {
  Pair pair(plain());
  pair.establish();
  pair.a.fate = [](const Segment&, std::uint64_t) { return Fate{true, 0, false}; };
  pair.a.connection().abort();  // its RST is lost
  pair.a.fate = nullptr;
  pair.b.connection().write(100);
  pair.calendar.run_until(300 * kMs);
  EXPECT_EQ(pair.b.ended_by, End::kReset);
}

TEST(TcpClose, OnlyTheExactNumberResetsAndOneInTheWindowIsChallenged) {
  Lone lone(plain());
  lone.establish();
  Segment reset = lone.from_peer(0);
  reset.flags = kRst;
  reset.seq += 100;
  lone.connection().receive(reset);
  EXPECT_EQ(lone.acks().size(), 1U);  // RFC 5961, 3.2
  reset.seq = Pair::kIssB + 1 + (2U << 20U);
  lone.connection().receive(reset);
  EXPECT_TRUE(lone.acks().empty());  // outside: dropped
  EXPECT_EQ(lone.connection().state(), State::kEstablished);
  EXPECT_EQ(lone.connection().stats().challenge_acks, 1U);
  reset.seq = Pair::kIssB + 1;
  lone.connection().receive(reset);
  EXPECT_EQ(lone.host.ended_by, End::kReset);
}

TEST(TcpClose, ASynInsideAConnectionIsChallengedAndChangesNothing) {
  Lone lone(plain());
  lone.establish();
  Segment syn = lone.from_peer(0);
  syn.flags = kSyn;
  syn.seq += 50;
  lone.connection().receive(syn);
  const std::vector<Segment> acks = lone.acks();
  ASSERT_EQ(acks.size(), 1U);  // RFC 5961, 4.2
  EXPECT_EQ(acks[0].ack, Pair::kIssB + 1);
  EXPECT_EQ(lone.connection().state(), State::kEstablished);
}

TEST(TcpClose, AnAckOfWhatWasNeverSentIsChallengedAndItsDataDropped) {
  Lone lone(plain());
  lone.establish();
  Segment segment = lone.from_peer(1);
  segment.length = 100;
  lone.connection().receive(segment);
  EXPECT_EQ(lone.acks().size(), 1U);
  EXPECT_EQ(lone.host.bytes_readable, 0U);
}

TEST(TcpClose, DataWithoutAnAnswerGiveUpAfterTheirRetries) {
  TcpParams params = plain();
  params.data_retries.value = 3;
  Lone lone(params);
  lone.establish();
  lone.connection().write(1000);
  lone.pass(15 * kSecond - 1);
  EXPECT_FALSE(lone.host.ended_by);
  lone.pass(1);
  EXPECT_EQ(lone.host.ended_by, End::kTimedOut);
}

TEST(TcpClose, KeepaliveProbesAnIdlePeerAndEndsADeadOne) {
  TcpParams params = plain();
  params.keepalive_idle.value = TcpParams::ms(100'000);
  params.keepalive_interval.value = TcpParams::ms(10'000);
  params.keepalive_probes.value = 3;
  Lone lone(params);
  lone.establish();
  lone.pass(100 * kSecond);
  std::vector<Segment> probes = lone.acks();
  ASSERT_EQ(probes.size(), 1U);
  EXPECT_EQ(probes[0].seq, Pair::kIssA);  // one below what is next
  lone.ack(0);                            // it lives
  lone.pass(120 * kSecond);
  EXPECT_EQ(lone.acks().size(), 3U);  // at 100, 110 and 120 s of silence
  EXPECT_FALSE(lone.host.ended_by);
  lone.pass(10 * kSecond);
  EXPECT_EQ(lone.host.ended_by, End::kTimedOut);
}

TEST(TcpClose, ALivePeerAnswersKeepaliveProbes) {
  TcpParams params = plain();
  params.keepalive_idle.value = TcpParams::ms(1000);
  params.keepalive_interval.value = TcpParams::ms(1000);
  params.keepalive_probes.value = 2;
  Pair pair(params);
  pair.establish();
  pair.calendar.run_until(100 * kSecond);
  EXPECT_EQ(pair.a.connection().state(), State::kEstablished);
  EXPECT_GT(pair.a.count_sent, 40U);
}

}  // namespace
}  // namespace longhaul::tcp::rig
