// SPDX-License-Identifier: Apache-2.0
// Exact times of the offload engine: how long each event holds the pipeline, and when its frames
// and messages leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/toe/rig.h"

namespace longhaul::toe::rig {
namespace {

constexpr std::uint64_t kClock = 8 * kNs;

// The parameters' own values.
constexpr std::uint64_t kFixed = 16;    // clocks of any event
constexpr std::uint64_t kSegment = 8;   // headers of a segment
constexpr std::uint64_t kSearch = 21;   // TCAM
constexpr std::uint64_t kMiss = 3 + 4;  // TCB from context memory

/// Clocks of 125 MHz for a move in payload memory: 10 + bytes / 32 clocks of 150 MHz.
constexpr std::uint64_t moved(std::uint64_t bytes) {
  return ((10 + (bytes + 31) / 32) * 125 + 149) / 150;
}

class ToeTime : public EngineFixture {
 public:
  explicit ToeTime(const ToeParams& params = small_params()) : EngineFixture(params) {}

 protected:
  void SetUp() override {
    open_actively();
    start_ = now_ps();
  }
  std::uint64_t clocks_of_last_frame() { return (frames.back().at_ps - start_) / kClock; }
  std::uint64_t clocks_of_last_message() { return (message_ps.back() - start_) / kClock; }
  std::uint64_t start_ = 0;
};

TEST_F(ToeTime, ASynIsSentAfterSearchAndTables) {
  offer(ActOpenRequest{7, Ends{kHere, kThere, 9, 9}, options});
  run(kMs);
  EXPECT_EQ(clocks_of_last_frame(), kFixed + kSearch + kMiss + kSegment);
  EXPECT_EQ(clocks_of_last_message(), clocks_of_last_frame());
}

TEST_F(ToeTime, DataAreWrittenToPayloadMemoryAndReadForTheirSegment) {
  offer(TxData{0, piece(0, 0, 1460)});
  run(kMs);
  EXPECT_EQ(clocks_of_last_frame(), kFixed + moved(1460) + kSegment + moved(1460));
}

TEST_F(ToeTime, AReceivedSegmentIsStoredAndReadForTheHost) {
  host_credits = false;
  arrive(tcp::kAck | tcp::kPsh, 1, 1, 1460);
  run(kMs);
  EXPECT_EQ(clocks_of_last_message(), kFixed + kSearch + moved(1460) + moved(1460));
}

TEST_F(ToeTime, AnAckThatOpensTheWindowTakesAReceiveEventAndAModulationEvent) {
  offer(TxData{0, piece(0, 0, 1460)});
  offer(TxData{0, piece(0, 1460, 1460)});
  run(kMs);
  start_ = now_ps();
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  EXPECT_EQ(clocks_of_last_message(), kFixed + kSearch);  // TxDataAck
  EXPECT_EQ(clocks_of_last_frame(), kFixed + kSearch + kFixed + kSegment + moved(1460));
}

TEST_F(ToeTime, TheSeparatorSpacesTheSegmentsOfAWindow) {
  engine.set_separators(500, 0);
  for (int i = 0; i < 12; ++i) offer(TxData{0, piece(0, i * 1460ULL, 1460)});
  run(kMs);
  for (std::uint32_t acked : {1461U, 4381U}) {
    arrive(tcp::kAck, 1, acked);
    run(kMs);
  }
  const std::size_t before = frames.size();
  arrive(tcp::kAck, 1, 7301);
  run(kMs);
  ASSERT_EQ(frames.size(), before + 3);
  for (std::size_t i = before + 1; i < frames.size(); ++i)
    EXPECT_EQ(frames[i].at_ps - frames[i - 1].at_ps, 500 * kClock);
}

TEST_F(ToeTime, DataOfTheHostDoNotWaitForAToken) {
  engine.set_separators(10000, 0);
  for (int i = 0; i < 12; ++i) offer(TxData{0, piece(0, i * 1460ULL, 1460)});
  run(kMs);
  for (std::uint32_t acked : {1461U, 4381U}) {
    arrive(tcp::kAck, 1, acked);
    run(kMs);
  }
  const std::size_t before = frames.size();
  arrive(tcp::kAck, 1, 7301);  // three segments may go
  run(200 * kClock);
  ASSERT_EQ(frames.size(), before + 1) << "by the first token";
  offer(TxData{0, piece(0, 12 * 1460ULL, 1460)});
  run(5000 * kClock);
  EXPECT_EQ(frames.size(), before + 3) << "by the event of TxData";
}

TEST_F(ToeTime, WithoutASeparatorModulationStarvesTheReceiveFifo) {
  for (int i = 0; i < 64; ++i) offer(TxData{0, piece(0, i * 1460ULL, 1460)});
  peer_window = 65535;
  std::uint32_t acked = 1;
  // Acknowledges all segments that are under way, each by its own ACK, at one instant. Returns how
  // long their ACKs are in the receive FIFO.
  const auto acknowledge = [&] {
    run(kMs);
    const tcp::Segment& last = frames.back().parsed.segment;
    const std::uint32_t target = last.seq - isn + last.length;
    for (; acked < target; acked += 1460) arrive(tcp::kAck, 1, acked + 1460);
    const std::uint64_t begin = now_ps();
    while (engine.rx_fill() > 0) run(kClock);
    return (now_ps() - begin) / kClock;
  };
  for (int round = 0; round < 3; ++round) acknowledge();  // slow start: 1, 2, 4 segments
  // Eight ACKs, each of which lets two segments go before the next ACK is taken.
  const std::uint64_t each = 2 * (kFixed + kSegment + moved(1460)) + kFixed + kSearch;
  EXPECT_NEAR(static_cast<double>(acknowledge()), static_cast<double>(7 * each), 2);
  // Sixteen ACKs with a separator that is longer than all of them.
  engine.set_separators(10000, 0);
  EXPECT_NEAR(static_cast<double>(acknowledge()),
              static_cast<double>(15 * (kFixed + kSearch) + kFixed + kSegment + moved(1460)), 2);
}

struct ToeTimeCacheOfOne : ToeTime {
  static ToeParams params() {
    ToeParams p = small_params();
    p.cm_cache.value = 1;
    return p;
  }
  ToeTimeCacheOfOne() : ToeTime(params()) {}
};
TEST_F(ToeTimeCacheOfOne, AConnectionOutOfTheCacheIsReadAndTheOtherWrittenBack) {
  offer(ActOpenRequest{1, Ends{kHere, kThere, 9, 9}, options});
  run(kMs);
  start_ = now_ps();
  offer(TxData{0, piece(0, 0, 1460)});
  run(kMs);
  EXPECT_EQ(clocks_of_last_frame(), kFixed + 2 * kMiss + moved(1460) + kSegment + moved(1460));
}

struct ToeTimeNoCache : ToeTime {
  static ToeParams params() {
    ToeParams p = small_params();
    p.cm_cache.value = 0;
    return p;
  }
  ToeTimeNoCache() : ToeTime(params()) {}
};
TEST_F(ToeTimeNoCache, TheTcbIsReadAndWrittenForEachEvent) {
  offer(TxData{0, piece(0, 0, 1460)});
  run(kMs);
  EXPECT_EQ(clocks_of_last_frame(), kFixed + 2 * kMiss + moved(1460) + kSegment + moved(1460));
}

TEST_F(ToeTime, TheOccupancyIsTheSumOfTheEvents) {
  const observe::StateClock& occupancy = engine.lanes().front()->occupancy;
  const std::uint64_t receive = occupancy.spent_ps(1);
  const std::uint64_t message = occupancy.spent_ps(2);
  offer(TxData{0, piece(0, 0, 1460)});
  run(kMs);
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  EXPECT_EQ(occupancy.spent_ps(1) - receive, (kFixed + kSearch) * kClock);
  EXPECT_EQ(occupancy.spent_ps(2) - message,
            (kFixed + moved(1460) + kSegment + moved(1460)) * kClock);
}

}  // namespace
}  // namespace longhaul::toe::rig
