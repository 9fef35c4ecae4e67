// SPDX-License-Identifier: Apache-2.0
// A connection that goes from one TCP of an end to another one, and back.
#include <gtest/gtest.h>

#include <memory>

#include "models/tcp/move.h"
#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

/// Opens a connection from a to b. The TCP of a's end can be replaced by that of `other`.
struct Moved : Pair {
  Host other;

  Moved() : Moved(plain()) {}
  explicit Moved(const TcpParams& params) : Pair(params, params), other(calendar, config_a) {
    open();
    calendar.run_until(100 * kMs);
    other.join(b, kMs);
  }
  /// Stops `from`, and lets `to` continue; `end` as for Move::resume().
  Context move(Host& from, Host& to, Position end) {
    const Context context = Move::leave(from.connection());
    b.join(to, kMs);
    Move::resume(to.connection(), context, end);
    return context;
  }
};

TEST(TcpMove, TheOtherEndNoticesNothingOfAnIdleConnectionThatMoves) {
  Moved moved{TcpParams{}};  // with timestamps and SACK
  moved.move(moved.a, moved.other, 1);
  EXPECT_EQ(moved.other.count_sent, 0U);
  moved.other.connection().write(300'000);
  moved.b.connection().write(200'000);
  moved.calendar.run_until(10 * kSecond);
  EXPECT_EQ(moved.other.bytes_acked, 300'000U);
  EXPECT_EQ(moved.b.bytes_readable, 300'000U);
  EXPECT_EQ(moved.other.bytes_readable, 200'000U);
  EXPECT_EQ(moved.b.connection().stats().challenge_acks, 0U);
  EXPECT_EQ(moved.b.connection().stats().paws_dropped, 0U);
  EXPECT_EQ(moved.other.connection().stats().retransmitted_segments, 0U);
}

TEST(TcpMove, WindowThresholdAndRoundTripGoWithIt) {
  Moved moved;
  moved.a.connection().write(100'000);
  moved.calendar.run_until(10 * kSecond);
  const std::uint64_t cwnd = moved.a.connection().sender().control().cwnd();
  const std::uint64_t srtt = moved.a.connection().sender().rtt().srtt();
  ASSERT_GT(cwnd, 20'000U);
  moved.move(moved.a, moved.other, 100'001);
  const Sender& sender = moved.other.connection().sender();
  EXPECT_EQ(sender.control().cwnd(), cwnd);
  EXPECT_EQ(sender.rtt().srtt(), srtt);
  EXPECT_EQ(sender.una(), 100'001U);
}

TEST(TcpMove, BytesInFlightAreAcknowledgedToTheNewTcp) {
  Moved moved;
  moved.a.connection().write(50'000);
  moved.calendar.run_until(moved.calendar.now() + kMs / 2);
  const Context context = moved.move(moved.a, moved.other, 50'001);
  ASSERT_GT(context.next, context.una) << "segments are on their way";
  moved.calendar.run_until(moved.calendar.now() + 10 * kSecond);
  EXPECT_EQ(moved.a.bytes_acked + moved.other.bytes_acked, 50'000U);
  EXPECT_EQ(moved.b.bytes_readable, 50'000U);
  EXPECT_EQ(moved.other.connection().stats().retransmitted_segments, 0U);
}

TEST(TcpMove, WhatWasLostBeforeTheMoveIsSentAgainAfterIt) {
  Moved moved;
  moved.a.fate = [](const Segment& segment, std::uint64_t) { return Fate{segment.length != 0}; };
  moved.a.connection().write(5'000);
  moved.move(moved.a, moved.other, 5'001);
  moved.calendar.run_until(moved.calendar.now() + 10 * kSecond);
  EXPECT_EQ(moved.other.bytes_acked, 5'000U);
  EXPECT_EQ(moved.b.bytes_readable, 5'000U);
  EXPECT_EQ(moved.other.connection().stats().timeouts, 1U);
}

TEST(TcpMove, ATimedOutConnectionSendsAtOnceWhereItGoes) {
  Moved moved;
  moved.a.fate = [](const Segment& segment, std::uint64_t) { return Fate{segment.length != 0}; };
  moved.a.connection().write(5'000);
  Context context = Move::leave(moved.a.connection());
  context.timed_out = true;
  moved.b.join(moved.other, kMs);
  const std::uint64_t then = moved.calendar.now();
  Move::resume(moved.other.connection(), context, 5'001);
  moved.calendar.run_until(then);
  ASSERT_EQ(moved.other.sent.size(), 1U);
  EXPECT_EQ(moved.other.sent[0].segment.offset, 0U);
  EXPECT_EQ(moved.other.connection().sender().control().cwnd(),
            moved.other.connection().sender().mss());
}

TEST(TcpMove, DuplicatesThatWereCountedCountAfterIt) {
  Moved moved(plain());
  moved.a.connection().write(100'000);
  moved.calendar.run_until(moved.calendar.now() + kSecond);
  // The first of six segments is lost, and a counts two duplicates of its ACK.
  const std::uint64_t first = moved.a.count_sent;
  moved.a.fate = [first](const Segment&, std::uint64_t i) { return Fate{i == first}; };
  moved.a.connection().write(6 * 1000);
  Connection& a = moved.a.connection();
  Context context;
  bool gone = false;
  moved.a.deliver_by = [&](const Segment& segment) {
    if (a.sender().recovery().duplicates() < 2) return a.receive(segment);
    EXPECT_TRUE(Move::is_exception(a, segment)) << "the third duplicate shows a loss";
    context = Move::leave(a);
    gone = true;
    moved.b.join(moved.other, kMs);
    Move::resume(moved.other.connection(), context, 100'001 + 6 * 1000);
    moved.other.connection().receive(segment);
  };
  moved.calendar.run_until(moved.calendar.now() + 10 * kSecond);
  ASSERT_TRUE(gone);
  EXPECT_EQ(context.duplicates, 2U);
  EXPECT_EQ(moved.other.connection().stats().recoveries, 1U);
  EXPECT_EQ(moved.other.connection().stats().timeouts, 0U) << "a fast retransmit";
  EXPECT_EQ(moved.b.bytes_readable, 100'000U + 6 * 1000);
}

TEST(TcpMove, OnlyPlainSegmentsAreNoException) {
  Moved moved;
  const Connection& a = moved.a.connection();
  Segment plain;
  plain.flags = kAck | kPsh;
  plain.seq = Pair::kIssB + 1;
  plain.ack = Pair::kIssA + 1;
  plain.length = 100;
  EXPECT_FALSE(Move::is_exception(a, plain));
  for (const std::uint8_t flag : {kSyn, kFin, kRst, kUrg}) {
    Segment other = plain;
    other.flags = static_cast<std::uint8_t>(other.flags | flag);
    EXPECT_TRUE(Move::is_exception(a, other)) << unsigned{flag};
  }
  Segment beyond = plain;
  beyond.seq += 1;
  EXPECT_TRUE(Move::is_exception(a, beyond)) << "a byte is missing in front of it";
  beyond.length = 0;
  EXPECT_FALSE(Move::is_exception(a, beyond)) << "an ACK may come before the data in front of it";
  Segment old = plain;
  old.seq -= 50;
  EXPECT_FALSE(Move::is_exception(a, old));
}

TEST(TcpMove, AConnectionWithAHoleOrALossStays) {
  Moved moved;
  EXPECT_TRUE(Move::is_possible(moved.a.connection()));
  moved.a.fate = [](const Segment& segment, std::uint64_t) { return Fate{segment.length != 0}; };
  moved.a.connection().write(5'000);
  EXPECT_TRUE(Move::is_possible(moved.a.connection())) << "nothing is known to be lost";
  moved.calendar.run_until(moved.calendar.now() + 1500 * kMs);
  EXPECT_FALSE(Move::is_possible(moved.a.connection())) << "the timer has gone off";
  moved.b.fate = [](const Segment&, std::uint64_t i) { return Fate{i % 2 == 0}; };
  moved.b.connection().close();
  EXPECT_FALSE(Move::is_possible(moved.a.connection()));
}

}  // namespace
}  // namespace longhaul::tcp::rig
