// SPDX-License-Identifier: Apache-2.0
// Data that the offload engine receives: gathering, order, windows, stalls, full payload memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/toe/data_fixture.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::toe::rig {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint8_t kData = tcp::kAck;
constexpr std::uint8_t kPushed = tcp::kAck | tcp::kPsh;

using ToeReceive = ToeData;

TEST_F(ToeReceive, DataAreGatheredUpToASegmentBelowTheLimit) {
  peer_window = 60000;
  for (std::uint32_t i = 0; i < 12; ++i) arrive(kData, 1 + i * 1460, 1, 1460);
  run(kMs);
  // Eleven segments are 16060 B; the twelfth would exceed 16224 B.
  EXPECT_THAT(news(), ElementsAre("RxData tid 0 bytes 16060"));
  run(250 * kMs);
  EXPECT_THAT(news(), ElementsAre("RxData tid 0 bytes 1460"));
  ASSERT_EQ(received.size(), 12U * 1460U);
  for (std::size_t i = 0; i < received.size(); ++i) ASSERT_EQ(received[i], pattern(0, i)) << i;
  EXPECT_EQ(rx_pages(), 0U);
}

TEST_F(ToeReceive, ASegmentWithPshEndsTheGathering) {
  arrive(kData, 1, 1, 1000);
  arrive(kPushed, 1001, 1, 500);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("RxData tid 0 bytes 1500 push"));
}

TEST_F(ToeReceive, AHostMayTurnGatheringOff) {
  offer(SetTcbField{0, TcbField::kCoalesce, 0});
  run(kMs);
  arrive(kData, 1, 1, 1000);
  arrive(kData, 1001, 1, 1000);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("SetTcbReply tid 0", "RxData tid 0 bytes 1000",
                                  "RxData tid 0 bytes 1000"));
}

TEST_F(ToeReceive, EverySecondSegmentIsAcknowledgedAndALoneOneAfter200Milliseconds) {
  arrive(kData, 1, 1, 1460);
  arrive(kData, 1461, 1, 1460);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 2921"));
  const std::uint64_t before = now_ps();
  arrive(kData, 2921, 1, 1460);
  run(300 * kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 4381"));
  // In ticks of 2^17 clocks, up to one tick early.
  EXPECT_NEAR(static_cast<double>(frames.back().at_ps - before) / kMs, 200, 1.1);
}

TEST_F(ToeReceive, AHoleIsFilledAndEverythingBehindItIsDelivered) {
  arrive(kData, 1461, 1, 1460);
  arrive(kData, 2921, 1, 1460);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 1", "A 1 ack 1"));
  EXPECT_THAT(news(), IsEmpty());
  EXPECT_EQ(rx_pages(), 1U);
  arrive(kData, 1, 1, 1460);
  run(kMs);
  // The second one tells the window, which the host's credits have opened by three segments.
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 4381", "A 1 ack 4381"));
  EXPECT_THAT(news(), ElementsAre("RxData tid 0 bytes 4380"));
  for (std::size_t i = 0; i < received.size(); ++i) ASSERT_EQ(received[i], pattern(0, i)) << i;
}

TEST_F(ToeReceive, ADuplicateDoesNotChangeBytesThatWait) {
  arrive(kData, 1461, 1, 1460);
  run(kMs);
  // The same numbers with other bytes, in a segment that PAWS or a bad ACK refuses.
  tcp::Segment bad;
  bad.flags = kData;
  bad.seq = kPeerIsn + 1461;
  bad.ack = isn + 5'000'000;
  bad.window = 60000;
  bad.offset = 77;
  bad.length = 1460;
  arrive(bad);
  run(kMs);
  arrive(kPushed, 1, 1, 1460);
  run(kMs);
  ASSERT_EQ(received.size(), 2920U);
  for (std::size_t i = 0; i < received.size(); ++i) ASSERT_EQ(received[i], pattern(0, i)) << i;
}

TEST_F(ToeReceive, SegmentsBeyondTooManyHolesAreDropped) {
  for (std::uint32_t i = 1; i <= 9; ++i) arrive(kData, 1 + 2 * i * 1000, 1, 1000);
  run(kMs);
  EXPECT_EQ(engine.probes.rx_beyond_holes.value(), 2U);  // 7 ranges are kept
  arrive(kData, 1 + 3 * 1000, 1, 1000);                  // joins two ranges
  run(kMs);
  EXPECT_EQ(engine.probes.rx_beyond_holes.value(), 2U);
}

TEST_F(ToeReceive, TheWindowClosesWithoutCreditsAndCreditsOpenIt) {
  host_credits = false;
  for (std::uint32_t at = 0; at < 65535; at += 1460) {
    arrive(kPushed, 1 + at, 1, std::min(1460U, 65535U - at));
    run(kMs);
  }
  run(300 * kMs);
  EXPECT_EQ(received.size(), 65535U);
  EXPECT_EQ(frames.back().parsed.segment.window, 0U);
  EXPECT_EQ(rx_pages(), 0U);  // the host has taken all bytes
  sent();
  offer(RxCredits{0, 1000});
  run(kMs);
  EXPECT_THAT(sent(), IsEmpty());  // not yet worth telling
  offer(RxCredits{0, 40000});
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1 ack 65536"));
  EXPECT_EQ(frames.back().parsed.segment.window, 41000U);
}

TEST_F(ToeReceive, CreditsBeyondWhatWasGivenCountForNothing) {
  arrive(kPushed, 1, 1, 1000);
  offer(RxCredits{0, 1'000'000});
  run(kMs);
  EXPECT_EQ(engine.fields(0)->unread, 0U);
}

TEST_F(ToeReceive, PagesAreHeldUntilTheHostHasTakenTheBytes) {
  host_frees = false;
  arrive(kPushed, 1, 1, 1000);
  run(kMs);
  EXPECT_EQ(rx_pages(), 1U);
  engine.taken(std::get<RxData>(messages.back()));
  EXPECT_EQ(rx_pages(), 0U);
}

TEST_F(ToeReceive, DataOfAHostThatTakesNothingWaitInPayloadMemory) {
  host_takes = false;
  for (std::uint32_t i = 0; i < 100; ++i) arrive(kPushed, 1 + i * 100, 1, 100);
  run(kMs);
  EXPECT_EQ(engine.lanes().front()->reply_stalls.value(), 0U);
  EXPECT_EQ(engine.rx_fill(), 0U);
  EXPECT_EQ(engine.fields(0)->rcv_nxt - kPeerIsn, 10001U);
  EXPECT_EQ(rx_pages(), 1U);
  host_takes = true;
  engine.host_ready();
  run(kMs);
  ASSERT_EQ(received.size(), 10000U);
  EXPECT_EQ(rx_pages(), 0U);
  for (std::size_t i = 0; i < received.size(); ++i) ASSERT_EQ(received[i], pattern(0, i)) << i;
}

TEST_F(ToeReceive, PacketsOfAHostThatTakesNothingStallThePipelineAndNoneIsLost) {
  constexpr std::uint32_t kPackets = 100;  // more than `reply_messages`
  host_takes = false;
  test::Segment udp;
  udp.protocol = 17;
  udp.payload = 300;
  for (std::uint32_t i = 0; i < kPackets; ++i) engine.frame_received(test::ip_frame(udp));
  run(kMs);
  EXPECT_EQ(engine.lanes().front()->reply_stalls.value(), 1U);
  EXPECT_GT(engine.rx_fill(), 0U);
  EXPECT_GT(fills.back(), 0U);  // what a PAUSE mark sees
  host_takes = true;
  engine.host_ready();
  run(kMs);
  EXPECT_EQ(news().size(), kPackets);
  EXPECT_EQ(engine.rx_fill(), 0U);
}

TEST_F(ToeReceive, AWireThatTakesNothingStallsThePipelineAndLosesNothing) {
  wire_takes = false;
  write(1000);
  for (std::uint32_t i = 0; i < 2600; ++i) {
    arrive(kData, 1 + i, 1, 1);
    if (i % 100 == 0) run(100 * kUs);
  }
  run(kMs);
  EXPECT_GT(engine.lanes().front()->tx_fifo_stalls.value(), 0U);
  EXPECT_GT(engine.rx_fill(), 0U);
  wire_takes = true;
  frame_ready();
  run(kMs);
  EXPECT_EQ(engine.rx_fill(), 0U);
  EXPECT_EQ(engine.probes.rx_overflows.value(), 0U);
}

TEST_F(ToeReceive, ATransmitFifoThatIsFullOfDataLeavesRoomForAnswers) {
  peer_window = 65535;
  for (int i = 0; i < 30; ++i) write(8000);
  std::uint32_t acked = 1;
  while (acked < 90'000) {  // slow start, an ACK for each segment
    run(kMs);
    const tcp::Segment& last = frames.back().parsed.segment;
    const std::uint32_t end = last.seq - isn + last.length;
    wire_takes = end < 90'000;
    for (; acked < end; acked = std::min(acked + 1460, end))
      arrive(tcp::kAck, 1, std::min(acked + 1460, end));
  }
  run(kMs);
  const std::size_t before = frames.size();
  EXPECT_GT(engine.lanes().front()->tx_fifo_stalls.value(), 0U) << "data wait";
  for (std::uint32_t i = 0; i < 80; ++i) {
    if (i == 40) run(kMs);
    arrive(kPushed, 1 + i * 1460, acked, 1460);
  }
  run(kMs);
  EXPECT_EQ(engine.rx_fill(), 0U);
  EXPECT_EQ(received.size(), 80U * 1460);
  EXPECT_EQ(frames.size(), before) << "the wire takes nothing";
}

class ToeFullMemory : public ToeData {
 public:
  static ToeParams params() {
    ToeParams p = small_params();
    p.pm_size.value = units::MiB(1);
    p.pm_page.value = units::KiB(4);  // 96 pages for transmit, 120 for receive
    return p;
  }
  ToeFullMemory() : ToeData(params()) {}
  void start() override {
    options.window_scale = 5;
    options.receive_buffer = 2'000'000;
    peer_options.window_scale = 0;
    open_actively();
  }
};

TEST_F(ToeFullMemory, ATxDataWaitsForItsPagesAndTheOtherQueueGoesOn) {
  for (int i = 0; i < 30; ++i) write(16384);
  run(kMs);
  EXPECT_EQ(tx_pages(), 96U);
  EXPECT_EQ(engine.lanes().front()->payload_stalls.value(), 1U);
  // Credits and an ACK pass.
  arrive(kPushed, 1, 1461, 100);
  run(kMs);
  EXPECT_EQ(engine.fields(0)->unread, 0U);
  std::uint32_t acked = 1461;
  for (int round = 0; round < 2000 && acked < 30U * 16384U + 1; ++round) {
    acked = frames.back().parsed.segment.seq - isn + frames.back().parsed.segment.length;
    arrive(tcp::kAck, 101, acked);
    run(kMs);
  }
  EXPECT_EQ(acked, 30U * 16384U + 1);
  EXPECT_EQ(tx_pages(), 0U);
}

TEST_F(ToeFullMemory, TheAdvertisedWindowComesFromFreePages) {
  // 480 KiB of pages are less than the buffer of 2 MB.
  arrive(kPushed, 1, 1, 1460);
  run(300 * kMs);
  const std::uint32_t window = frames.back().parsed.segment.window << 5U;
  EXPECT_LE(window, 120U * 4096U);
  EXPECT_GT(window, 110U * 4096U);
}

TEST_F(ToeFullMemory, NothingAcknowledgedIsLostWhenAllPagesAreTaken) {
  // The host takes no bytes, and the peer ignores the window.
  host_frees = false;
  std::uint32_t next = 1;
  for (int i = 0; i < 500; ++i) {
    arrive(kPushed, next, 1, 1460);
    run(10 * kUs);
    next += 1460;
  }
  run(300 * kMs);
  EXPECT_GT(engine.probes.rx_no_page.value(), 0U);
  const std::uint32_t acked = frames.back().parsed.segment.ack - kPeerIsn;
  EXPECT_LE(acked - 1, 120U * 4096U);
  // The host frees pages; the peer repeats from the ACK on.
  for (const ToHost& message : messages)
    if (const auto* const data = std::get_if<RxData>(&message)) engine.taken(*data);
  host_frees = true;
  for (next = acked; next < 1 + 500 * 1460; next += 1460) {
    arrive(kPushed, next, 1, 1460);
    run(10 * kUs);
  }
  run(300 * kMs);
  ASSERT_GE(received.size(), 499U * 1460U);
  for (std::size_t i = 0; i < received.size(); ++i) ASSERT_EQ(received[i], pattern(0, i)) << i;
  EXPECT_EQ(rx_pages(), 0U);
}

TEST_F(ToeFullMemory, DataBeyondAHoleLeavePagesForTheHole) {
  // The window allows 480 KiB; pages far beyond the hole are taken one by one.
  for (std::uint32_t i = 1; i < 118; ++i) arrive(kData, 1 + i * 4096, 1, 1400);
  run(10 * kMs);
  EXPECT_LE(rx_pages(), 112U);  // 8 are kept
  arrive(kPushed, 1, 1, 1400);
  run(kMs);
  EXPECT_EQ(received.size(), 1400U);
}

}  // namespace
}  // namespace longhaul::toe::rig
