// SPDX-License-Identifier: Apache-2.0
// The window that is advertised, and what happens when it is zero.
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

TcpParams with_buffer(std::uint64_t bytes) {
  TcpParams params = plain();
  params.receive_buffer.value = {bytes};
  params.window_scaling.value = false;
  return params;
}

std::uint16_t last_window(Lone& t) { return t.acks().back().window; }

TEST(TcpReceiveWindow, IsWhatIsFreeOfTheBuffer) {
  Lone t(with_buffer(10'000));
  t.host.reads = false;
  t.establish();
  t.data(0, 1000);
  EXPECT_EQ(last_window(t), 9000);
  t.data(1000, 1000);
  EXPECT_EQ(last_window(t), 8000);
}

TEST(TcpReceiveWindow, OpensByASegmentOrHalfTheBufferButNotByLess) {
  Lone t(with_buffer(10'000));
  t.host.reads = false;
  t.establish();
  for (std::uint64_t i = 0; i < 10; ++i) t.data(i * 1000, 1000);
  EXPECT_EQ(last_window(t), 0);
  t.connection().read(999);
  t.data(9000, 1000);  // provokes an ACK
  EXPECT_EQ(last_window(t), 0);
  t.connection().read(1);
  t.data(9000, 1000);
  EXPECT_EQ(last_window(t), 1000);
}

TEST(TcpReceiveWindow, ThePeerIsToldWhenItOpensByTwoSegments) {
  Lone t(with_buffer(10'000));
  t.host.reads = false;
  t.establish();
  for (std::uint64_t i = 0; i < 10; ++i) t.data(i * 1000, 1000);
  t.acks();
  t.connection().read(1999);
  EXPECT_TRUE(t.acks().empty());
  t.connection().read(1);
  EXPECT_EQ(last_window(t), 2000);
}

TEST(TcpReceiveWindow, ThePeerIsToldOfNoOpeningBehindItsFin) {
  Lone t(with_buffer(10'000));
  t.host.reads = false;
  t.establish();
  for (std::uint64_t i = 0; i < 8; ++i) t.data(i * 1000, 1000);
  t.data(9000, 1000, kAck | kFin);
  t.acks();
  t.connection().read(2000);
  EXPECT_EQ(last_window(t), 4000);  // above a hole the FIN is none yet
  t.data(8000, 1000);
  EXPECT_TRUE(t.host.saw_end);
  t.acks();
  EXPECT_EQ(t.connection().read(8000), 8000U);
  EXPECT_TRUE(t.host.sent.empty());
}

TEST(TcpReceiveWindow, OrByTheShareOfTheBufferThatIsSaid) {
  TcpParams params = with_buffer(10'000);
  params.update_segments.value = 100;
  params.update_share.value = 0.5;
  Lone t(params);
  t.host.reads = false;
  t.establish();
  for (std::uint64_t i = 0; i < 10; ++i) t.data(i * 1000, 1000);
  t.acks();
  t.connection().read(4999);
  EXPECT_TRUE(t.acks().empty());
  t.connection().read(1);
  EXPECT_EQ(last_window(t), 5000);
}

TEST(TcpReceiveWindow, WhatWasPromisedStaysPromisedWhenTheBufferShrinks) {
  Lone t(with_buffer(10'000));
  t.host.reads = false;
  t.establish();
  t.data(0, 1000);
  EXPECT_EQ(last_window(t), 9000);
  t.connection().set_receive_limit(2000);
  t.data(1000, 1000);
  EXPECT_EQ(last_window(t), 8000);  // the same edge
  t.data(2000, 8000);
  EXPECT_EQ(t.host.bytes_readable, 10'000U);
  EXPECT_EQ(last_window(t), 0);
  t.connection().read(10'000);
  EXPECT_EQ(last_window(t), 2000);  // and only now the smaller buffer
}

TEST(TcpReceiveWindow, InWholeSegmentsTheRestOfTheBufferIsNotOffered) {
  TcpParams params = with_buffer(17'520);  // twelve segments of 1460, and 17 of 1000 and a bit
  params.window_in_segments.value = true;
  Lone t(params);
  t.establish();
  EXPECT_EQ(t.connection().receiver().window().edge(), 1U + 17'000);
}

TEST(TcpReceiveWindow, WithoutScalingIt65535AtMost) {
  Lone t(with_buffer(1'000'000));
  t.establish();
  t.data(0, 1000);
  EXPECT_EQ(last_window(t), 65535);
}

TEST(TcpReceiveWindow, AWindowThatStartsSmallGrowsWithTheSegments) {
  TcpParams params = with_buffer(60'000);
  params.window_start.value = 4;
  params.window_growth.value = 2;
  Lone t(params);
  t.establish();
  t.data(0, 1000);
  EXPECT_EQ(t.acks().back().window, 6000);
  t.data(1000, 1000);
  EXPECT_EQ(t.acks().back().window, 8000);
  for (std::uint64_t i = 2; i < 60; ++i) t.data(i * 1000, 1000);
  EXPECT_EQ(t.acks().back().window,
            59'000);  // the buffer, less the segment that is being acknowledged
}

/// `a` sends to a reader that takes nothing before 30 s. Returns the times of a's segments from the
/// moment that the window is full.
std::vector<std::string> probes(const char* kind, Pair** out = nullptr) {
  TcpParams params = with_buffer(4000);
  params.window_probe.value = kind;
  static std::unique_ptr<Pair> pair;
  pair = std::make_unique<Pair>(params);
  pair->b.reads = false;
  pair->establish();
  pair->a.connection().write(10'000);
  pair->calendar.run_until(200 * kMs);
  pair->a.sent.clear();
  pair->calendar.run_until(20 * kSecond);
  std::vector<std::string> texts;
  for (const Sighting& s : pair->a.sent) {
    texts.push_back(std::to_string(s.at / kMs) + ":" +
                    std::to_string(s.segment.seq - Pair::kIssA - 1) + "+" +
                    std::to_string(s.segment.length));
  }
  if (out != nullptr) *out = pair.get();
  return texts;
}

TEST(TcpReceiveWindow, AWindowThatStartsSmallIsNotScaledAway) {
  TcpParams params = with_buffer(700'000'000);
  params.window_start.value = 4;
  const TcpConfig config = resolve(params, "window");
  ReceiveWindow window(config);
  window.start(1000, 14);  // 4000 bytes, in units of 16 KiB
  EXPECT_EQ(window.offer(1, true), 1);
  EXPECT_EQ(window.edge(), 1U + 16384);
}

TEST(TcpReceiveWindow, AZeroWindowIsProbedWithTheIntervalDoubling) {
  // The window is full and acknowledged at 120 ms; the RTO is 1 s.
  EXPECT_EQ(probes("byte"), (std::vector<std::string>{"1120:4000+1", "3120:4000+1", "7120:4000+1",
                                                      "15120:4000+1"}));
  EXPECT_EQ(probes("empty"), (std::vector<std::string>{"1120:3999+0", "3120:3999+0", "7120:3999+0",
                                                       "15120:3999+0"}));
}

TEST(TcpReceiveWindow, AfterAnOpeningThatWasLostAProbeFindsIt) {
  for (const char* kind : {"byte", "empty"}) {
    Pair* pair = nullptr;
    probes(kind, &pair);
    pair->b.fate = [](const Segment&, std::uint64_t) { return Fate{true, 0, false}; };
    pair->b.connection().read(4000);  // its update is lost
    pair->b.fate = nullptr;
    pair->b.reads = true;
    pair->calendar.run_until(40 * kSecond);
    EXPECT_EQ(pair->b.bytes_readable, 10'000U) << kind;
    EXPECT_EQ(pair->a.bytes_acked, 10'000U) << kind;
  }
}

TEST(TcpReceiveWindow, AnOpeningLetsTheSenderGoOnAtOnce) {
  Pair* pair = nullptr;
  probes("byte", &pair);
  pair->b.reads = true;
  pair->b.connection().read(4000);
  pair->calendar.run_until(20'020 * kMs);
  EXPECT_EQ(pair->b.bytes_readable, 8000U);
}

TEST(TcpReceiveWindow, AFinIsTakenAtAClosedWindow) {
  TcpParams params = with_buffer(4000);
  Pair pair(params);
  pair.b.reads = false;
  pair.establish();
  pair.a.connection().write(4000);
  pair.calendar.run_until(200 * kMs);
  pair.a.connection().close();
  pair.calendar.run_until(300 * kMs);
  EXPECT_TRUE(pair.b.saw_end);
  EXPECT_EQ(pair.a.connection().state(), State::kFinWait2);
}

}  // namespace
}  // namespace longhaul::tcp::rig
