// SPDX-License-Identifier: Apache-2.0
// What goes out when: Nagle, silly windows, boundaries, offload, a full sending queue.
#include <gtest/gtest.h>

#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {
namespace {

using Texts = std::vector<std::string>;

TEST(TcpSender, NagleHoldsAShortSegmentUntilEverythingIsAcknowledged) {
  Lone t(plain());
  t.establish();
  t.connection().write(100);
  t.connection().write(200);
  EXPECT_EQ(t.sent(), Texts{"0+100B"});
  t.connection().write(1500);  // 1700 wait: a full segment goes, the rest stays
  EXPECT_EQ(t.sent(), Texts{"100B"});
  t.ack(1100);
  EXPECT_EQ(t.sent(), Texts{"1100B+700B"});
}

TEST(TcpSender, MinshallHoldsOnlyBehindAnotherShortSegment) {
  TcpParams params = plain();
  params.nagle.value = "minshall";
  Lone t(params);
  t.establish();
  t.connection().write(1500);
  EXPECT_EQ(t.sent(), (Texts{"0", "1+500B"}));  // only full segments are unacknowledged
  t.connection().write(100);
  EXPECT_EQ(t.sent(), Texts{});
  t.ack(1000);
  EXPECT_EQ(t.sent(), Texts{});
  t.ack(1500);
  EXPECT_EQ(t.sent(), Texts{"1500B+100B"});
}

TEST(TcpSender, WithNodelayEveryWriteIsASegmentWithPush) {
  TcpParams params = plain();
  params.initial_window.value = 10;
  Lone t(params);
  t.establish();
  t.connection().set_nodelay(true);
  t.connection().write(100);
  t.connection().write(1200);
  t.connection().write(10);
  std::vector<bool> pushed;
  for (const Sighting& s : t.host.sent) pushed.push_back(s.segment.has(kPsh));
  EXPECT_EQ(t.sent(), (Texts{"0+100B", "100B", "1100B+200B", "1300B+10B"}));
  EXPECT_EQ(pushed, (std::vector<bool>{true, false, true, true}));
}

TEST(TcpSender, TurningNodelayOnReleasesWhatNagleHeld) {
  Lone t(plain());
  t.establish();
  t.connection().write(100);
  t.connection().write(200);
  t.sent();
  t.connection().set_nodelay(true);
  EXPECT_EQ(t.sent(), Texts{"100B+200B"});
}

TEST(TcpSender, WritesThatWaitForTheWindowAreSentAsOneStream) {
  TcpParams params = plain();
  params.nagle.value = "off";
  params.initial_window.value = 1;
  Lone t(params, 4);
  t.establish();
  for (int i = 0; i < 30; ++i) t.connection().write(100);
  EXPECT_EQ(t.sent(), (Texts{"0+100B", "100B+100B", "200B+100B", "300B+100B", "400B+100B",
                             "500B+100B", "600B+100B", "700B+100B", "800B+100B", "900B+100B"}));
  t.ack(1000);
  EXPECT_EQ(t.sent(), (Texts{"1", "2"}));
}

TEST(TcpSender, ASillyWindowIsNotFilledBeforeTheOverride) {
  Lone t(plain());
  t.establish(8000);
  t.connection().write(20'000);
  EXPECT_EQ(t.sent(), (Texts{"0", "1", "2", "3"}));
  for (std::uint64_t i = 1; i <= 4; ++i) {
    t.set_window(8000 - i * 1000 + 300);
    t.ack(i * 1000);
  }
  // 4300 are open, of which four segments go and 300 bytes are neither one nor half of the largest
  // window seen.
  EXPECT_EQ(t.sent(), (Texts{"4", "5", "6", "7"}));
  t.set_window(300);
  t.ack(8000);
  EXPECT_EQ(t.sent(), Texts{});
  t.pass(kSecond);  // RFC 9293, 3.8.6.2.1, (4)
  EXPECT_EQ(t.sent(), Texts{"8+300B"});
}

TEST(TcpSender, HalfOfTheLargestWindowIsWorthASegment) {
  Lone t(plain());
  t.establish(900);
  t.connection().write(5000);
  EXPECT_EQ(t.sent(), Texts{"0+900B"});
  t.set_window(450);
  t.ack(900);
  EXPECT_EQ(t.sent(), Texts{"900B+450B"});
  t.set_window(449);
  t.ack(1350);
  EXPECT_EQ(t.sent(), Texts{});
}

TEST(TcpSender, OffloadHandsOverWholeSegmentsUpToItsLimit) {
  TcpParams params = plain();
  params.initial_window.value = 25;
  Lone t(params, 4);
  t.connection().set_offload(10'500);
  t.establish();
  t.connection().write(23'400);
  EXPECT_EQ(t.sent(), (Texts{"0+10000B", "10+10000B",
                             "20+3400B"}));  // a short end rides along, as Linux has it
  Lone tail(params, 4);
  tail.connection().set_offload(10'500);
  tail.connection().set_nodelay(true);
  tail.establish();
  tail.connection().write(3400);
  EXPECT_EQ(tail.host.sent.back().segment.mss, 1000U);
  EXPECT_EQ(tail.sent(), Texts{"0+3400B"});
}

TEST(TcpSender, OffloadStaysWithinWindowsAndItsShareOfThem) {
  TcpParams params = plain();
  params.initial_window.value = 9;
  params.offload_divisor.value = 3;
  Lone t(params);
  t.connection().set_offload(65'000);
  t.establish(7500);
  t.connection().write(60'000);
  EXPECT_EQ(t.sent(), (Texts{"0+3000B", "3+3000B", "6"}));
}

TEST(TcpSender, RetransmissionsAreSegmentsOfTheirOwn) {
  TcpParams params = plain();
  params.initial_window.value = 8;
  Lone t(params);
  t.connection().set_offload(8000);
  t.establish();
  t.connection().write(8000);
  t.sent();
  t.pass(kSecond);
  EXPECT_EQ(t.sent(), Texts{"0"});
}

TEST(TcpSender, WhatTheQueueRefusesWasNotSentAndFollowsWhenThereIsRoom) {
  TcpParams params = plain();
  params.initial_window.value = 6;
  Lone t(params);
  t.establish();
  t.host.room = [&t](const Segment&) { return t.host.sent.size() < 3; };
  t.connection().write(6000);
  EXPECT_EQ(t.sent(), (Texts{"0", "1", "2"}));
  t.connection().write(1000);  // still waiting: nothing is tried
  EXPECT_EQ(t.connection().stats().refused, 1U);
  t.host.room = [](const Segment&) { return true; };
  t.connection().on_room();
  EXPECT_EQ(t.sent(), (Texts{"3", "4", "5"}));
  EXPECT_EQ(t.connection().stats().retransmitted_segments, 0U);
}

TEST(TcpSender, WhatIsCutOffASegmentFollowsInTheNext) {
  TcpParams params = plain();
  params.initial_window.value = 10;
  Lone t(params);
  t.establish();
  t.host.room = [](Segment&) { return false; };
  t.connection().write(2000);
  t.connection().close();
  t.host.room = [](Segment& segment) {
    segment.shorten(600);
    return true;
  };
  t.connection().on_room();
  EXPECT_EQ(t.sent(), (Texts{"0+600B", "600B+600B", "1200B+600B", "1800B+200BF"}));
  t.ack(600);
  EXPECT_EQ(t.sent(), Texts{});
  t.pass(2000 * kMs);  // the timer goes off: the hole is cut again, and cut off again
  const Texts again = t.sent();
  ASSERT_FALSE(again.empty());
  EXPECT_EQ(again.front(), "600B+600B");
}

TEST(TcpSender, ARefusalIsCongestionIfTheSystemTakesItForThat) {
  for (const auto& [answer, cwnd] : {std::pair<const char*, std::uint64_t>{"ignore", 10'000},
                                     {"reduce", 2000},
                                     {"collapse", 1000}}) {
    TcpParams params = plain();
    params.initial_window.value = 10;
    params.local_congestion.value = answer;
    Lone t(params);
    t.establish();
    t.host.room = [&t](const Segment&) { return t.host.sent.size() < 4; };
    t.connection().write(20'000);
    EXPECT_EQ(t.connection().sender().control().cwnd(), cwnd)
        << answer;  // half of the four in flight
  }
}

TEST(TcpSender, ARefusedAckIsGivenWhenThereIsRoom) {
  Lone t(plain());
  t.establish();
  t.host.room = [](const Segment&) { return false; };
  t.data(0, 1000);
  EXPECT_TRUE(t.acks().empty());
  t.host.room = [](const Segment&) { return true; };
  t.connection().on_room();
  EXPECT_EQ(t.acks().size(), 1U);
}

TEST(TcpSender, AnOlderSegmentsWindowDoesNotReplaceANewerOnes) {
  Lone t(plain());
  t.establish(50'000);
  t.data(0, 1000);
  t.set_window(20'000);
  t.data(1000, 1000);
  ASSERT_EQ(t.connection().sender().window(), 20'000U);
  t.set_window(60'000);
  Segment late = t.from_peer(0);  // overtaken on its way: it begins below the one that was heard
  late.seq += 500;
  late.length = 1600;
  t.connection().receive(late);
  EXPECT_EQ(t.connection().sender().window(), 20'000U);
}

TEST(TcpSender, AckedBytesAreToldToTheWriterWithoutSynAndFin) {
  Lone t(plain());
  t.establish();
  t.connection().write(1500);
  t.connection().close();
  t.ack(1000);
  EXPECT_EQ(t.host.bytes_acked, 1000U);
  t.ack(1501);
  EXPECT_EQ(t.host.bytes_acked, 1500U);
  EXPECT_EQ(t.connection().state(), State::kFinWait2);
}

TEST(TcpSender, StreamsBeyondFourGigabytesGoThroughTheWrapOfSequenceNumbers) {
  TcpParams params;
  params.receive_buffer.value = {64'000'000};
  Pair pair(params, params, 10 * kMs, 8, 8960);
  pair.a.keep_sent = pair.b.keep_sent = false;
  pair.a.connection().set_offload(65'000);
  pair.a.fate = [](const Segment&, std::uint64_t i) {
    return Fate{i % 20'011 == 20'010, 0, false};
  };
  pair.establish();
  constexpr std::uint64_t kBytes = 9'000'000'000;
  pair.a.connection().write(kBytes);
  pair.a.connection().close();
  ASSERT_TRUE(pair.calendar.run_while([&] { return !pair.b.saw_end; }, 10'000 * kSecond));
  EXPECT_EQ(pair.b.bytes_readable, kBytes);
  EXPECT_GT(pair.a.connection().stats().recoveries, 2U);
}

}  // namespace
}  // namespace longhaul::tcp::rig
