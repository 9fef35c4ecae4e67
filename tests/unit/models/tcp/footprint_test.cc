// SPDX-License-Identifier: Apache-2.0
// What the engine costs in memory and calls: nothing per segment, and nothing for the bytes in
// flight.
#include <gtest/gtest.h>

#include "models/common/ring_buffer.h"
#include "tests/unit/models/tcp/rig.h"
#include "tests/unit/support/allocations.h"
#include "tests/unit/times.h"

namespace longhaul::tcp {
namespace {

/// Two connections on a wire of fixed delay that itself allocates nothing once warm: two rings of
/// segments with their arrival times.
class Loop {
 public:
  Loop(const TcpParams& params, std::uint64_t delay, std::uint16_t mss, std::uint32_t offload)
      : config_(resolve(params, "loop")),
        delay_(delay),
        a_(*this, config_, 0),
        b_(*this, config_, 1) {
    b_.connection.listen({7, mss});
    a_.connection.connect({9, mss});
    a_.connection.set_offload(offload);
  }

  Connection& a() { return a_.connection; }
  Connection& b() { return b_.connection; }
  std::uint64_t now() const { return now_; }
  std::uint64_t delivered() const { return b_.delivered; }
  std::uint64_t wakes() const { return a_.wakes + b_.wakes; }
  /// Loses a's segments for which this is 1 when they are sent, counting down at each.
  std::uint64_t lose_in = 0;

  void run_until(std::uint64_t time) {
    while (step(time)) {
    }
    now_ = time;
  }

 private:
  struct Flying {
    std::uint64_t at = 0;
    Segment segment;
  };
  struct End final : Environment {
    End(Loop& owner, const TcpConfig& config, int number)
        : loop(owner), index(number), connection(config, *this) {}
    std::uint64_t now() const override { return loop.now_; }
    void wake(Timer timer, std::uint64_t at) override {
      due[static_cast<std::size_t>(timer)] = at;
      ++wakes;
    }
    bool transmit(Segment& segment) override {
      if (index == 0 && loop.lose_in > 0 && --loop.lose_in == 0) return true;
      loop.wire_[index].push_back({loop.now_ + loop.delay_, segment});
      return true;
    }
    void readable(std::uint64_t bytes) override {
      delivered += bytes;
      connection.read(bytes);
    }
    Loop& loop;
    int index;
    std::uint64_t due[kTimerKinds] = {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL};
    std::uint64_t delivered = 0;
    std::uint64_t wakes = 0;
    Connection connection;
  };

  bool step(std::uint64_t limit) {
    std::uint64_t next = ~0ULL;
    for (RingBuffer<Flying>& wire : wire_) {
      if (!wire.empty()) next = std::min(next, wire.front().at);
    }
    for (End* end : {&a_, &b_}) {
      for (const std::uint64_t due : end->due) next = std::min(next, due);
    }
    if (next > limit) return false;
    now_ = next;
    for (int i = 0; i < 2; ++i) {
      if (!wire_[i].empty() && wire_[i].front().at == now_) {
        const Flying flying = wire_[i].pop_front();
        (i == 0 ? b_ : a_).connection.receive(flying.segment);
        return true;
      }
    }
    for (End* end : {&a_, &b_}) {
      for (std::size_t i = 0; i < kTimerKinds; ++i) {
        if (end->due[i] != now_) continue;
        end->due[i] = ~0ULL;
        end->connection.on_timer(static_cast<Timer>(i));
        return true;
      }
    }
    return false;
  }

  TcpConfig config_;
  std::uint64_t delay_;
  std::uint64_t now_ = 0;
  RingBuffer<Flying> wire_[2];
  End a_;
  End b_;
};

TcpParams large() {
  TcpParams params;
  params.receive_buffer.value = {625'000'000};
  params.cwnd_limit.value = {625'000'000};
  return params;
}

TEST(TcpFootprint, NoAllocationPerSegmentOrAck) {
  TcpParams params = large();
  params.receive_buffer.value = {4'000'000};
  Loop loop(params, 10 * kMs, 1460, 0);
  loop.a().write(1'000'000'000);
  loop.run_until(1000 * kMs);  // warm: the wire's rings have grown
  const std::uint64_t sent = loop.a().stats().segments_sent;
  const std::uint64_t before = test::allocations();
  loop.run_until(3000 * kMs);
  EXPECT_EQ(test::allocations() - before, 0U);
  EXPECT_GT(loop.a().stats().segments_sent - sent, 200'000U);
}

TEST(TcpFootprint, NoAllocationPerLossEitherOnceTheListsAreWarm) {
  TcpParams params = large();
  params.receive_buffer.value = {1'000'000};
  Loop loop(params, 10 * kMs, 1460, 0);
  loop.a().write(1'000'000'000);
  const auto lossy = [&loop](int losses) {
    for (int i = 0; i < losses; ++i) {
      loop.lose_in = 5;
      loop.run_until(loop.now() + 200 * kMs);
    }
  };
  lossy(50);
  const std::uint64_t before = test::allocations();
  const std::uint64_t recoveries = loop.a().stats().recoveries;
  lossy(50);
  EXPECT_EQ(test::allocations() - before, 0U);
  EXPECT_EQ(loop.a().stats().recoveries - recoveries, 50U);
}

TEST(TcpFootprint, AWindowOf625MegabytesInFlightTakesNoMemory) {
  // OPTERON-10G's largest case: 10 Gb/s over a round trip of 500 ms.
  TcpParams params = large();
  params.abc_limit.value = 64;  // an ACK for a super-segment counts for all of it
  Loop loop(params, 250 * kMs, 9000, 65'000);
  loop.a().write(6'000'000'000);
  const std::uint64_t start = test::allocations();
  std::uint64_t most = 0;
  for (int i = 0; i < 200; ++i) {
    loop.run_until(loop.now() + 50 * kMs);
    most = std::max(most, loop.a().sender().next() - loop.a().sender().una());
    ASSERT_EQ(loop.a().heap_bytes() + loop.b().heap_bytes(), 0U);
  }
  EXPECT_GT(most, 620'000'000U);
  EXPECT_EQ(loop.a().stats().retransmitted_segments, 0U);
  EXPECT_LT(test::allocations() - start, 40U);  // the wire's rings doubling
}

TEST(TcpFootprint, OneLossInA625MegabyteWindowIsOneRange) {
  TcpParams params = large();
  params.abc_limit.value = 2;
  Loop loop(params, 250 * kMs, 9000, 0);
  loop.a().write(60'000'000'000);
  loop.run_until(12'000 * kMs);
  ASSERT_GT(loop.a().sender().next() - loop.a().sender().una(), 600'000'000U);
  const std::uint64_t recoveries = loop.a().stats().recoveries;
  loop.lose_in = 1;
  loop.run_until(14'000 * kMs);
  EXPECT_EQ(loop.a().stats().recoveries - recoveries, 1U);
  // The hole, and the rescue of the last segment: behind a hole the window's edge stands still,
  // there is no new data to send.
  EXPECT_EQ(loop.a().stats().retransmitted_segments, 2U);
  EXPECT_LE(loop.a().heap_bytes() + loop.b().heap_bytes(), 4 * sizeof(Range64));
}

TEST(TcpFootprint, TimersAskTheEnvironmentOncePerExpiryAndNotPerAck) {
  TcpParams params = large();
  params.receive_buffer.value = {1'000'000};
  Loop loop(params, 10 * kMs, 1460, 0);
  loop.a().write(1'000'000'000);
  loop.run_until(10'000 * kMs);
  EXPECT_GT(loop.a().stats().segments_received, 100'000U);
  EXPECT_LT(loop.wakes(), 200U);
}

TEST(TcpFootprint, AConnectionFitsIntoTwoKilobytes) { EXPECT_LE(sizeof(Connection), 2048U); }

}  // namespace
}  // namespace longhaul::tcp
