// SPDX-License-Identifier: Apache-2.0
// Two adapters with offload engines on a cable: a stream, a host that takes nothing, and what a
// segment costs the simulator in memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/common/event_queue.h"
#include "tests/unit/models/toe/stream_pair.h"
#include "tests/unit/support/allocations.h"
#include "tests/unit/times.h"

namespace longhaul::toe {
namespace {

FrameRef zeros(std::uint32_t bytes) {
  FrameRef piece = Frame::allocate(bytes);
  piece.writable().leave_blank(0);
  return piece;
}

FrameRef ones(std::uint32_t bytes) {
  FrameRef piece = Frame::allocate(bytes);
  std::uint8_t* const data = piece.writable().data();
  std::fill(data, data + bytes, std::uint8_t{1});
  return piece;
}

struct ToeStream : ::testing::Test {
  StreamPair pair;
  // The first window is one segment, whose ACK is delayed by 200 ms.
  static constexpr std::uint64_t kWarmUp = 215 * kMs;
  void run(std::uint64_t ps) {
    EventQueue::get().go_ahead(now_ps() + ps);
    sc_core::sc_start(from_ps(ps));
  }
};

TEST_F(ToeStream, AStreamFillsTheCable) {
  pair.a.stream(ones(StreamHost::kPiece), 1 << 20U);
  run(kWarmUp);
  const std::uint64_t before = pair.b.received;
  run(20 * kMs);
  const double gbps = static_cast<double>(pair.b.received - before) * 8 / 20e-3 / 1e9;
  // 1448 B of payload in 1538 B of the wire's time are 9.41 Gb/s; the pipeline is slower.
  EXPECT_GT(gbps, 5);
  EXPECT_LT(gbps, 9.42);
  EXPECT_EQ(pair.a.lost_messages + pair.b.lost_messages, 0U);
  EXPECT_EQ(pair.b.adapter.engine.probes.rx_overflows.value(), 0U);
}

TEST_F(ToeStream, AHostThatTakesNothingClosesTheWindowAndNothingIsLost) {
  pair.a.stream(ones(StreamHost::kPiece), 8U << 20U);
  run(kWarmUp);
  pair.b.hold(true);
  // The window of 4 MB is full after 4 ms. No frame waits in a FIFO, so no PAUSE is sent.
  run(20 * kMs);
  EXPECT_LT(pair.a.adapter.engine.fields(0)->snd_wnd, 1460U);
  EXPECT_EQ(pair.b.adapter.engine.rx_fill(), 0U);
  EXPECT_EQ(pair.b.adapter.mac.tx_xoff.value(), 0U);
  pair.b.hold(false);
  const std::uint64_t before = pair.b.received;
  run(20 * kMs);
  EXPECT_GT(pair.b.received - before, 10'000'000U);
  EXPECT_EQ(pair.b.adapter.engine.probes.rx_overflows.value(), 0U);
  EXPECT_EQ(pair.a.lost_messages + pair.b.lost_messages, 0U);
}

TEST_F(ToeStream, ZerosAreNotStored) {
  pair.a.stream(zeros(StreamHost::kPiece), 1 << 20U);
  run(kWarmUp);
  EXPECT_GT(pair.b.received, 1'000'000U);
  EXPECT_GT(pair.a.adapter.engine.payload_memory().tx_pages.value(), 0U);
  EXPECT_EQ(pair.a.adapter.engine.payload_memory().backed_pages.highest(), 0U);
  EXPECT_EQ(pair.b.adapter.engine.payload_memory().backed_pages.highest(), 0U);
}

TEST_F(ToeStream, NoAllocationPerSegment) {
  pair.a.stream(ones(StreamHost::kPiece), 1 << 20U);
  run(kWarmUp);
  const std::uint64_t allocations = test::allocations();
  const std::uint64_t segments = pair.a.adapter.engine.probes.tx_segments.value();
  run(10 * kMs);
  EXPECT_GT(pair.a.adapter.engine.probes.tx_segments.value() - segments, 5'000U);
  EXPECT_LT(test::allocations() - allocations, 10U);  // sc_start() itself
}

}  // namespace
}  // namespace longhaul::toe
