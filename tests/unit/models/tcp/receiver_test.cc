// SPDX-License-Identifier: Apache-2.0
// When the receiving half acknowledges, and what with.
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

using Blocks = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// SACK blocks of an ACK in bytes of the peer's stream.
Blocks blocks_of(const Segment& segment) {
  Blocks blocks;
  for (std::size_t i = 0; i < segment.options.sack_count; ++i) {
    blocks.emplace_back(segment.options.sack[i].begin - Pair::kIssB - 1,
                        segment.options.sack[i].end - Pair::kIssB - 1);
  }
  return blocks;
}

std::uint64_t acked_by(const Segment& segment) { return segment.ack - Pair::kIssB - 1; }

/// ACKs every second full segment; the reader takes everything at once, and opens no window that
/// would have to be told.
TcpParams delaying() {
  TcpParams params = plain();
  params.receive_buffer.value = {60'000};
  params.update_segments.value = 1024;
  params.ack_every.value = 2;
  params.delayed_ack.value = TcpParams::ms(200);
  return params;
}

TEST(TcpReceiver, EverySecondFullSegmentIsAcknowledgedAtOnceAndASingleOneLater) {
  Lone t(delaying());
  t.establish();
  t.data(0, 1000);
  EXPECT_TRUE(t.acks().empty());
  t.data(1000, 1000);
  ASSERT_EQ(t.host.sent.size(), 1U);
  EXPECT_EQ(acked_by(t.host.sent[0].segment), 2000U);
  t.acks();
  t.data(2000, 1000);
  t.pass(200 * kMs - 1);
  EXPECT_TRUE(t.acks().empty());
  t.pass(1);
  const std::vector<Segment> late = t.acks();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(acked_by(late[0]), 3000U);
  t.pass(kSecond);
  EXPECT_TRUE(t.acks().empty());  // once
}

TEST(TcpReceiver, TheDelayRunsFromTheFirstSegmentThatWaits) {
  Lone t(delaying());
  t.establish();
  t.data(0, 100);
  t.pass(150 * kMs);
  t.data(100, 50);
  t.pass(50 * kMs);
  EXPECT_EQ(t.acks().size(), 1U);
}

TEST(TcpReceiver, AHeartbeatAnswersWhateverWaitsAtItsTick) {
  TcpParams params = delaying();
  params.delayed_ack_tick.value = TcpParams::ms(200);
  Lone t(params);
  t.establish();
  t.pass(190 * kMs);
  t.data(0, 1000);
  t.pass(10 * kMs - 1);
  EXPECT_TRUE(t.acks().empty());
  t.pass(1);
  EXPECT_EQ(t.acks().size(), 1U);
}

TEST(TcpReceiver, AnAckForEightSegmentsWhenToldSo) {
  TcpParams params = delaying();
  params.ack_every.value = 8;
  Lone t(params);
  t.establish();
  for (std::uint64_t i = 0; i < 24; ++i) t.data(i * 1000, 1000);
  EXPECT_EQ(t.acks().size(), 3U);
}

TEST(TcpReceiver, AMergedSegmentCountsAsAllThatItCarries) {
  Lone t(delaying());
  t.establish();
  t.data(0, 1000);
  t.acks();
  t.data(1000, 8000);  // LRO
  EXPECT_EQ(t.acks().size(), 1U);
}

TEST(TcpReceiver, TheFirstSegmentsOfAConnectionAreAcknowledgedAtOnce) {
  TcpParams params = delaying();
  params.quick_acks.value = 3;
  Lone t(params);
  t.establish();
  std::vector<std::size_t> acks;
  for (std::uint64_t i = 0; i < 6; ++i) {
    t.data(i * 1000, 1000);
    acks.push_back(t.acks().size());
  }
  EXPECT_EQ(acks, (std::vector<std::size_t>{1, 1, 1, 0, 1, 0}));
}

TEST(TcpReceiver, OutOfOrderDuplicateAndHoleFillingSegmentsAreAcknowledgedAtOnce) {
  TcpParams params = delaying();
  params.sack.value = true;
  Lone t(params);
  t.establish();
  t.data(2000, 1000);
  std::vector<Segment> acks = t.acks();
  ASSERT_EQ(acks.size(), 1U);
  EXPECT_EQ(acked_by(acks[0]), 0U);
  EXPECT_EQ(blocks_of(acks[0]), (Blocks{{2000, 3000}}));
  t.data(0, 1000);  // part of the hole
  acks = t.acks();
  ASSERT_EQ(acks.size(), 1U);
  EXPECT_EQ(acked_by(acks[0]), 1000U);
  EXPECT_EQ(blocks_of(acks[0]), (Blocks{{2000, 3000}}));
  t.data(1000, 1000);
  acks = t.acks();
  ASSERT_EQ(acks.size(), 1U);
  EXPECT_EQ(acked_by(acks[0]), 3000U);
  EXPECT_TRUE(blocks_of(acks[0]).empty());
  t.data(1000, 1000);
  acks = t.acks();
  ASSERT_EQ(acks.size(), 1U);
  EXPECT_EQ(blocks_of(acks[0]), (Blocks{{1000, 2000}}));  // D-SACK
  EXPECT_EQ(t.host.bytes_readable, 3000U);
}

TEST(TcpReceiver, BlocksComeMostRecentFirstAndFourAtMost) {
  TcpParams params = plain();
  params.sack.value = true;
  Lone t(params);
  t.establish();
  for (std::uint64_t at : {2, 4, 6, 8, 10}) t.data(at * 1000, 1000);
  EXPECT_EQ(blocks_of(t.acks().back()),
            (Blocks{{10'000, 11'000}, {8000, 9000}, {6000, 7000}, {4000, 5000}}));
  t.data(5000, 1000);  // joins two: they are one block, the most recent
  EXPECT_EQ(blocks_of(t.acks().back()), (Blocks{{4000, 7000}, {10'000, 11'000}, {8000, 9000}}));
  t.data(0, 1000);
  EXPECT_EQ(blocks_of(t.acks().back()), (Blocks{{4000, 7000}, {10'000, 11'000}, {8000, 9000}}));
}

TEST(TcpReceiver, WithTimestampsThereIsRoomForThreeBlocks) {
  TcpParams params = plain();
  params.sack.value = true;
  params.timestamps.value = true;
  Lone t(params);
  t.establish();
  for (std::uint64_t at : {2, 4, 6, 8}) t.data(at * 1000, 988);
  EXPECT_EQ(blocks_of(t.acks().back()).size(), 3U);
}

TEST(TcpReceiver, ADuplicateAboveAHoleIsReportedInsideItsBlock) {
  // RFC 2883, 4.2.1 to 4.2.3: the duplicate first, then the block that holds it.
  TcpParams params = plain();
  params.sack.value = true;
  Lone t(params);
  t.establish();
  t.data(2000, 1000);
  t.data(3000, 1000);
  t.data(2000, 1000);
  EXPECT_EQ(blocks_of(t.acks().back()), (Blocks{{2000, 3000}, {2000, 4000}}));
  t.data(6000, 1000);
  EXPECT_EQ(blocks_of(t.acks().back()),
            (Blocks{{6000, 7000}, {2000, 4000}}));  // each duplicate once
}

TEST(TcpReceiver, WithoutDsackADuplicateIsOnlyAcknowledged) {
  TcpParams params = plain();
  params.sack.value = true;
  params.dsack.value = false;
  Lone t(params);
  t.establish();
  t.data(0, 1000);
  t.acks();
  t.data(0, 1000);
  const std::vector<Segment> acks = t.acks();
  ASSERT_EQ(acks.size(), 1U);
  EXPECT_TRUE(blocks_of(acks[0]).empty());
}

TEST(TcpReceiver, AnAnswerCarriesTheAck) {
  Lone t(delaying());
  t.establish();
  t.data(0, 500);
  t.connection().write(300);
  EXPECT_EQ(t.host.sent.size(), 1U);
  EXPECT_EQ(acked_by(t.host.sent[0].segment), 500U);
  t.pass(kSecond - 1);
  EXPECT_EQ(t.host.sent.size(), 1U);  // the delayed ACK is not due
}

TEST(TcpReceiver, WhileTheReaderIsBehindAcksStretchUntilItReads) {
  TcpParams params = delaying();
  params.ack_follows_reader.value = true;
  params.receive_buffer.value = {10'000};
  Lone t(params);
  t.host.reads = false;
  t.establish();
  t.data(0, 1000);
  t.data(1000, 1000);
  t.data(2000, 1000);
  EXPECT_TRUE(t.acks().empty());  // nothing was read: the window's edge cannot move
  t.connection().read(3000);
  const std::vector<Segment> acks = t.acks();
  ASSERT_EQ(acks.size(), 1U);
  EXPECT_EQ(acked_by(acks[0]), 3000U);
  EXPECT_EQ(acks[0].window, 10'000);
}

TEST(TcpReceiver, AReaderThatIsOneSegmentLateStillHoldsTheAckBack) {
  // Linux, __tcp_ack_snd_check(): the window that an ACK could offer must be no less than the one
  // offered last.
  TcpParams params = delaying();
  params.ack_follows_reader.value = true;
  params.receive_buffer.value = {10'000};
  Lone t(params);
  t.host.reads = false;
  t.establish();
  t.data(0, 1000);
  t.data(1000, 1000);
  t.connection().read(1000);
  EXPECT_EQ(t.acks().size(), 1U);  // offers 9000
  t.data(2000, 1000);
  t.connection().read(1000);
  t.data(3000, 1000);
  EXPECT_TRUE(t.acks().empty());  // the edge could move, but the window would be 8000
  t.connection().read(1000);
  const std::vector<Segment> acks = t.acks();
  ASSERT_EQ(acks.size(), 1U);
  EXPECT_EQ(acked_by(acks[0]), 4000U);
  EXPECT_EQ(acks[0].window, 9000);
}

TEST(TcpReceiver, WhatAReaderTakesAsItComesIsAcknowledgedByItsRead) {
  // Linux 2.4, tcp_rcv_established(): what is eaten leaves its ACK to tcp_recvmsg().
  TcpParams params = delaying();
  params.ack_follows_reader.value = true;
  params.receive_buffer.value = {10'000};
  Lone t(params);
  t.host.reads = false;
  t.establish();
  t.connection().set_receive_limit(30'000);
  t.connection().hold_acks(true);
  for (std::uint32_t i = 0; i < 5; ++i) t.data(i * 1000, 1000);
  EXPECT_TRUE(t.acks().empty());
  t.connection().read(5000);
  const std::vector<Segment> acks = t.acks();
  ASSERT_EQ(acks.size(), 1U);
  EXPECT_EQ(acked_by(acks[0]), 5000U);
  t.data(6000, 1000);
  EXPECT_EQ(t.acks().size(), 1U) << "a hole does not wait";
  t.data(5000, 1000);
  EXPECT_EQ(t.acks().size(), 1U) << "nor does what fills it";
  t.connection().hold_acks(false);
  t.connection().set_receive_limit(60'000);
  t.data(7000, 1000);
  t.data(8000, 1000);
  EXPECT_EQ(t.acks().size(), 1U) << "every second one again";
}

TEST(TcpReceiver, DataBeyondTheWindowAreCutOff) {
  TcpParams params = plain();
  params.receive_buffer.value = {1500};
  params.window_scaling.value = false;
  Lone t(params);
  t.host.reads = false;
  t.establish();
  t.data(0, 1000);
  t.data(1000, 1000);
  EXPECT_EQ(t.host.bytes_readable, 1500U);
  EXPECT_EQ(acked_by(t.acks().back()), 1500U);
}

}  // namespace
}  // namespace longhaul::tcp::rig
