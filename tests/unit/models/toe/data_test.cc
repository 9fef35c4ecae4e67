// SPDX-License-Identifier: Apache-2.0
// Data that the offload engine sends: payload memory, credits, windows, retransmission.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/toe/data_fixture.h"

namespace longhaul::toe::rig {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(ToeData, BytesStayInPayloadMemoryUntilTheyAreAcknowledged) {
  write(1000);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("PA 1+1000 ack 1"));
  std::vector<std::uint8_t> expected(1000);
  for (std::size_t i = 0; i < 1000; ++i) expected[i] = pattern(5, i);
  EXPECT_EQ(payload_of(), expected);
  EXPECT_EQ(tx_pages(), 1U);
  EXPECT_THAT(news(), IsEmpty());
  arrive(tcp::kAck, 1, 1001);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("TxDataAck tid 0 bytes 1000"));
  EXPECT_EQ(std::get<TxDataAck>(messages.back()).snd_una, isn + 1001);
  EXPECT_EQ(tx_pages(), 0U);
}

class ToeDataInPages : public ToeData {
 public:
  ToeDataInPages() : ToeData(two_small_pages()) {}

 private:
  static ToeParams two_small_pages() {
    ToeParams params = small_params();
    params.pm_page.value = units::KiB(4);
    params.ack_pages.value = 2;
    return params;
  }
};

TEST_F(ToeDataInPages, TheHostIsToldOfWholePagesAndWhenNothingIsInFlight) {
  constexpr std::uint32_t kBytes = 20'000;
  write(kBytes / 2);
  write(kBytes / 2);
  run(kMs);
  for (std::uint32_t acked = 1460; acked < kBytes; acked += 1460) {
    arrive(tcp::kAck, 1, 1 + acked);
    run(kMs);
  }
  // The first window is one segment. Then come the first ACKs beyond 8192 and 16384 B. The last
  // segment is short, and waits for the others.
  EXPECT_THAT(news(), ElementsAre("TxDataAck tid 0 bytes 1460", "TxDataAck tid 0 bytes 7300",
                                  "TxDataAck tid 0 bytes 8760", "TxDataAck tid 0 bytes 1460"));
  arrive(tcp::kAck, 1, 1 + kBytes);
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("TxDataAck tid 0 bytes 1020"));
  EXPECT_EQ(tx_pages(), 0U);
}

TEST_F(ToeData, TheFirstWindowIsOneSegmentAndAnAckLetsModulationEventsSend) {
  write(7300);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1+1460 ack 1"));
  EXPECT_EQ(modulations(), 0U);
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 1461+1460 ack 1", "A 2921+1460 ack 1"));
  // Each sends one segment. The last one finds the window full.
  EXPECT_EQ(modulations(), 2U);
  arrive(tcp::kAck, 1, 4381);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 4381+1460 ack 1", "PA 5841+1460 ack 1"));
  EXPECT_EQ(modulations(), 4U);
}

TEST_F(ToeData, WithinTheWindowTheHostsMessageItselfSends) {
  // Opens the window to four segments.
  write(4380);
  run(kMs);
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  arrive(tcp::kAck, 1, 2921);
  arrive(tcp::kAck, 1, 4381);
  run(kMs);
  sent();
  const std::uint64_t before = modulations();
  write(4 * 1460);
  run(kMs);
  EXPECT_EQ(sent().size(), 4U);
  EXPECT_EQ(modulations(), before);
}

TEST_F(ToeData, WithoutPushAShortSegmentWaitsForMore) {
  write(1000, false);
  run(kMs);
  EXPECT_THAT(sent(), IsEmpty());
  write(1000, false);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("PA 1+1460 ack 1"));
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  EXPECT_THAT(sent(), IsEmpty());
  offer(CloseRequest{0});
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("PA 1461+540 ack 1", "FA 2001 ack 1"));
}

TEST_F(ToeData, NagleHoldsAShortSegmentUntilItIsTurnedOff) {
  write(100);
  write(100);
  run(kMs);
  EXPECT_EQ(sent().size(), 1U);
  arrive(tcp::kAck, 1, 1);  // nothing is acknowledged
  run(kMs);
  EXPECT_THAT(sent(), IsEmpty());
  offer(SetTcbField{0, TcbField::kNodelay, 1});
  run(kMs);
  EXPECT_THAT(news(), ElementsAre("SetTcbReply tid 0"));
  EXPECT_THAT(sent(), ElementsAre("PA 101+100 ack 1"));
}

TEST_F(ToeData, AClosedWindowIsProbedAfterHalfASecondAndDoubles) {
  write(1000);
  run(kMs);
  peer_window = 0;
  arrive(tcp::kAck, 1, 1001);
  run(kMs);
  write(500);
  sent();
  const std::size_t first = frames.size();
  run(10 * kSecond);
  // PERS_MIN is 0.5 s, in ticks of 2^15 clocks; each probe has one byte.
  EXPECT_THAT(sent(), ElementsAre("PA 1001+1 ack 1", "PA 1001+1 ack 1", "PA 1001+1 ack 1",
                                  "PA 1001+1 ack 1"));
  EXPECT_NEAR(static_cast<double>(frames[first + 1].at_ps - frames[first].at_ps) / kSecond, 1,
              0.001);
  peer_window = 5000;
  arrive(tcp::kAck, 1, 1002);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("PA 1002+499 ack 1"));
}

TEST_F(ToeData, TwoDuplicateAcksShowALossAndModulationSendsItAgain) {
  peer_options.mss = 1460;
  write(8 * 1460);
  run(kMs);
  for (std::uint32_t acked : {1461U, 2921U, 4381U}) {
    arrive(tcp::kAck, 1, acked);
    run(kMs);
  }
  sent();
  const std::uint64_t before = modulations();
  arrive(tcp::kAck, 1, 4381);
  run(kMs);
  EXPECT_THAT(sent(), IsEmpty());
  arrive(tcp::kAck, 1, 4381);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 4381+1460 ack 1"));
  EXPECT_EQ(modulations(), before + 1);
  EXPECT_EQ(engine.tcp_counts.tx_resent.value(), 1U);
  std::vector<std::uint8_t> expected(1460);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = pattern(5, 4380 + i);
  EXPECT_EQ(payload_of(), expected);
  // Fast recovery: half of the four segments in flight.
  EXPECT_EQ(engine.fields(0)->ssthresh, 2U * 1460U);
}

TEST_F(ToeData, TheTimerSendsAgainAfterAQuarterOfASecondAtLeast) {
  write(1000);
  run(kMs);
  arrive(tcp::kAck, 1, 1001);
  run(kMs);
  write(1000);
  run(kMs);
  const std::uint64_t first = frames.back().at_ps;
  run(kSecond);
  ASSERT_GE(frames.size(), 2U);
  EXPECT_EQ(to_text(frames.back().parsed.segment, isn, kPeerIsn), "PA 1001+1000 ack 1");
  EXPECT_GT(frames.back().at_ps - first, 250 * kMs);
  EXPECT_GT(engine.lanes().front()->timer_events.value(), 0U);
}

TEST_F(ToeData, DataThatAreNeverAcknowledgedEndTheConnection) {
  write(1000);
  run(1200 * kSecond);
  EXPECT_EQ(news().back(), "Aborted tid 0 data were not acknowledged");
  EXPECT_EQ(tx_pages(), 0U);
  offer(AbortedReply{0});
  run(kMs);
  EXPECT_EQ(engine.connections(), 0U);
}

class ToeOnLoss : public ToeData {
 public:
  static T1Params rule(const char* on_loss) {
    T1Params t1;
    t1.on_loss.value = on_loss;
    return t1;
  }
  explicit ToeOnLoss(const char* on_loss)
      : ToeData(small_params(), t1_tcp_params(), rule(on_loss)) {}
  /// Data to 5841 are acknowledged, and two duplicates follow. Returns what was in flight.
  std::uint64_t lose_at_5841() {
    write(16000);
    run(kMs);
    for (std::uint32_t acked : {1461U, 2921U, 4381U, 5841U}) {
      arrive(tcp::kAck, 1, acked);
      run(kMs);
    }
    sent();
    cwnd_before = engine.fields(0)->cwnd;
    const std::uint64_t in_flight = engine.fields(0)->snd_nxt - engine.fields(0)->snd_una;
    arrive(tcp::kAck, 1, 5841);
    arrive(tcp::kAck, 1, 5841);
    run(kMs);
    return in_flight;
  }
  std::uint64_t cwnd_before = 0;
};
struct ToeTahoe : ToeOnLoss {
  ToeTahoe() : ToeOnLoss("tahoe") {}
};
struct ToeNoReduction : ToeOnLoss {
  ToeNoReduction() : ToeOnLoss("none") {}
};

TEST_F(ToeNoReduction, DuplicateAcksSendAllAgainAndTheWindowStays) {
  const std::uint64_t in_flight = lose_at_5841();
  EXPECT_THAT(sent(), SizeIs((in_flight + 1459) / 1460));
  EXPECT_EQ(engine.fields(0)->cwnd, cwnd_before);
}

TEST_F(ToeTahoe, DuplicateAcksStartOverFromOneSegment) {
  const std::uint64_t in_flight = lose_at_5841();
  EXPECT_THAT(sent(), ElementsAre("A 5841+1460 ack 1"));
  EXPECT_EQ(engine.fields(0)->cwnd, 1460U);
  EXPECT_EQ(engine.fields(0)->ssthresh, in_flight / 2);
  // Slow start over what was in flight.
  arrive(tcp::kAck, 1, 7301);
  run(kMs);
  EXPECT_THAT(sent(), ElementsAre("A 7301+1460 ack 1", "A 8761+1460 ack 1"));
}

}  // namespace
}  // namespace longhaul::toe::rig
