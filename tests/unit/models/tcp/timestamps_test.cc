// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

TcpParams stamped() {
  TcpParams params = plain();
  params.timestamps.value = true;
  return params;
}

Segment data_at(const Lone& t, std::uint64_t offset, std::uint32_t ts_value) {
  Segment segment = t.from_peer(0);
  segment.seq = static_cast<std::uint32_t>(Pair::kIssB + 1 + offset);
  segment.length = 988;
  segment.options.ts_value = ts_value;
  return segment;
}

TEST(TcpTimestamps, EveryAckOfNewDataGivesASampleInTicks) {
  TcpParams params = stamped();
  params.timestamp_tick.value = TcpParams::ms(10);
  Pair pair(params, 33 * kMs);
  pair.establish();
  pair.calendar.run_until(200 * kMs);
  pair.a.connection().write(988);
  pair.calendar.run_until(300 * kMs);
  // The handshake's 66 ms from 0 (by the exact clock) and 6 ticks of 10 ms from 200 to 266.
  EXPECT_EQ(pair.a.connection().sender().rtt().srtt(), 66 * kMs - 66 * kMs / 8 + 60 * kMs / 8);
}

TEST(TcpTimestamps, TheEchoIsOfTheSegmentAtTheLeftEdge) {
  TcpParams params = stamped();
  params.ack_every.value = 2;
  Lone t(params);
  t.establish();
  // RFC 7323, 4.3: of two segments under one delayed ACK, the earlier is echoed.
  t.connection().receive(data_at(t, 0, 50));
  t.connection().receive(data_at(t, 988, 60));
  EXPECT_EQ(t.acks().back().options.ts_echo, 50U);
  // Above a hole nothing newer is echoed, and what fills it is.
  t.connection().receive(data_at(t, 3 * 988, 80));
  EXPECT_EQ(t.acks().back().options.ts_echo, 50U);
  t.connection().receive(data_at(t, 2 * 988, 90));
  EXPECT_EQ(t.acks().back().options.ts_echo, 90U);
}

TEST(TcpTimestamps, AnOldDuplicateFromBeforeTheWrapIsDroppedAndAnswered) {
  Lone t(stamped());
  t.establish();
  t.connection().receive(data_at(t, 0, 1000));
  t.acks();
  t.connection().receive(data_at(t, 988, 999));
  EXPECT_EQ(t.host.bytes_readable, 988U);
  EXPECT_EQ(t.connection().stats().paws_dropped, 1U);
  EXPECT_EQ(t.acks().size(), 1U);
  t.connection().receive(data_at(t, 988, 1000));
  EXPECT_EQ(t.host.bytes_readable, 2 * 988U);
}

TEST(TcpTimestamps, TheComparisonIsModularAndARestIsPardonedAfter24Days) {
  Lone t(stamped());
  t.establish();
  t.connection().receive(data_at(t, 0, 0x7fff'fff0));
  t.connection().receive(data_at(t, 988, 0x8000'0010));
  EXPECT_EQ(t.host.bytes_readable, 2 * 988U);
  t.pass(25ULL * 24 * 3600 * kSecond);
  t.connection().receive(data_at(t, 2 * 988, 5));  // RFC 7323, 5.5
  EXPECT_EQ(t.host.bytes_readable, 3 * 988U);
}

TEST(TcpTimestamps, AResetNeedsNone) {
  Lone t(stamped());
  t.establish();
  t.connection().receive(data_at(t, 0, 1000));
  Segment reset = data_at(t, 988, 1);
  reset.length = 0;
  reset.flags = kRst;
  t.connection().receive(reset);
  EXPECT_EQ(t.host.ended_by, End::kReset);
}

}  // namespace
}  // namespace longhaul::tcp::rig
