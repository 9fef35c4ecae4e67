// SPDX-License-Identifier: Apache-2.0
// A third party that goes on with a connection in the place of one of its ends.
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

/// Opens a connection from a to b, and puts a stand-in in b's place.
struct Replaced : Pair {
  TcpConfig config_c;
  Host stand_in;
  Handover handover;

  explicit Replaced(const TcpParams& params) : Replaced(params, params) {}
  Replaced(const TcpParams& of_b, const TcpParams& of_stand_in)
      : Pair(TcpParams{}, of_b), config_c(resolve(of_stand_in, "c")), stand_in(calendar, config_c) {
    open();
    calendar.run_until(100 * kMs);
    a.join(stand_in, kMs);
    stand_in.join(a, kMs);
    const Segment& syn = a.sent[0].segment;
    const Segment& answer = b.sent[0].segment;
    handover.opening = {kIssB, static_cast<std::uint16_t>(mss)};
    handover.irs = kIssA;
    handover.own = answer.options;
    handover.peer = syn.options;
    handover.offered = answer.window;
    handover.window = a.sent[1].segment.window;
    handover.timestamp = answer.options.ts_value + 100;
    handover.peer_timestamp = a.sent[1].segment.options.ts_value;
    handover.rtt = 2 * kMs;
  }
};

TEST(TcpTakeOver, TheOtherEndNoticesNothing) {
  Replaced replaced{TcpParams{}};
  replaced.stand_in.connection().take_over(replaced.handover);
  EXPECT_TRUE(replaced.stand_in.is_established);
  EXPECT_EQ(replaced.stand_in.count_sent, 0U);
  replaced.a.connection().write(300'000);
  replaced.stand_in.connection().write(200'000);
  replaced.calendar.run_until(10 * kSecond);
  EXPECT_EQ(replaced.a.bytes_acked, 300'000U);
  EXPECT_EQ(replaced.stand_in.bytes_readable, 300'000U);
  EXPECT_EQ(replaced.a.bytes_readable, 200'000U);
  EXPECT_EQ(replaced.a.connection().stats().challenge_acks, 0U);
  EXPECT_EQ(replaced.a.connection().stats().paws_dropped, 0U);
  replaced.a.connection().close();
  replaced.stand_in.connection().close();
  replaced.calendar.run_until(2000 * kSecond);
  EXPECT_EQ(replaced.a.ended_by, End::kClosed);
  EXPECT_EQ(replaced.stand_in.ended_by, End::kClosed);
}

TEST(TcpTakeOver, ItsTimestampsGoOnWhereTheOthersWere) {
  Replaced replaced{TcpParams{}};
  replaced.handover.timestamp += 5'000'000;  // b's clock was far ahead
  replaced.stand_in.connection().take_over(replaced.handover);
  replaced.stand_in.connection().write(100);
  const Segment& first = replaced.stand_in.sent[0].segment;
  EXPECT_EQ(first.options.ts_value, replaced.handover.timestamp);
  EXPECT_EQ(first.options.ts_echo, replaced.handover.peer_timestamp);
  EXPECT_EQ(first.seq, Pair::kIssB + 1);
  EXPECT_EQ(first.ack, Pair::kIssA + 1);
  replaced.calendar.run_until(kSecond);
  EXPECT_EQ(replaced.a.bytes_readable, 100U);
}

TEST(TcpTakeOver, WhatTheOtherHadAgreedOnHolds) {
  TcpParams without;
  without.timestamps.value = without.sack.value = without.window_scaling.value = false;
  Replaced replaced(without, TcpParams{});
  replaced.stand_in.connection().take_over(replaced.handover);
  replaced.stand_in.connection().write(2000);
  EXPECT_EQ(replaced.stand_in.connection().sender().mss(), 1000U);
  EXPECT_FALSE(replaced.stand_in.sent[0].segment.options.timestamps);
  replaced.a.connection().write(2'000'000);
  replaced.calendar.run_until(20 * kSecond);
  EXPECT_EQ(replaced.stand_in.bytes_readable, 2'000'000U);
  EXPECT_LE(replaced.a.connection().sender().largest_window(), 65'535U);
}

TEST(TcpTakeOver, TheFirstRoundTripIsTheHandshakes) {
  Replaced replaced{TcpParams{}};
  replaced.stand_in.connection().take_over(replaced.handover);
  EXPECT_EQ(replaced.stand_in.connection().sender().rtt().srtt(), 2 * kMs);
}

TEST(TcpTakeOver, AnAnnouncementIsABareAck) {
  Replaced replaced{TcpParams{}};
  replaced.handover.announce = true;
  replaced.stand_in.connection().take_over(replaced.handover);
  ASSERT_EQ(replaced.stand_in.count_sent, 1U);
  EXPECT_EQ(replaced.stand_in.sent[0].segment.flags, kAck);
  EXPECT_EQ(replaced.stand_in.sent[0].segment.length, 0U);
}

}  // namespace
}  // namespace longhaul::tcp::rig
