// SPDX-License-Identifier: Apache-2.0
#include "models/nic/intel/descriptor_ring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/pcix/dma_test_bus.h"

namespace longhaul::nic::intel {
namespace {

using longhaul::testing::DmaTestBus;
using sc_core::sc_time;
using sc_core::SC_US;
using ::testing::ElementsAre;
using ::testing::Pair;

struct RingUser final : DescriptorUser {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> written;
  int arrivals = 0;
  int flushes = 0;
  void descriptors_arrived() override { ++arrivals; }
  void written_back(std::uint64_t begin, std::uint64_t end) override {
    written.emplace_back(begin, end);
  }
  void flushed() override { ++flushes; }
};

constexpr std::uint64_t kBase = 0x4000;

struct Ring : ::testing::Test {
  DmaTestBus bus{"bus", 1U << 16};
  pcix::DmaEngine dma{"dma", {}, [](pcix::DmaEngine::Limits& limits) { limits = {true, 4096, 8}; }};
  RingUser user;
  DescriptorRing ring{"ring", dma, user, 8, 6};

  Ring() {
    dma.dma_initiator.bind(bus.dma_target);
    for (std::uint32_t i = 0; i < 4096; ++i)
      bus.memory[kBase + i] = static_cast<std::uint8_t>(i / 16);
  }
  void set_up(std::uint32_t entries, DescriptorRing::Thresholds thresholds = {}) {
    ring.set_base(kBase);
    ring.set_length(entries * 16);
    ring.set_head(0);
    ring.set_tail(0);
    ring.set_thresholds(thresholds);
    ring.enable(true);
  }
  void settle() { sc_core::sc_start(sc_time(10, SC_US)); }
  /// Runs until a write that begins now has left the bus.
  void run_a_write() {
    sc_core::sc_start(bus.request_delay);
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  /// Bursts since the last call: (first descriptor, how many), of reads or of writes.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> bursts(bool reads) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> list;
    for (const DmaTestBus::Seen& seen : bus.seen) {
      if (seen.is_read == reads) list.emplace_back((seen.address - kBase) / 16, seen.bytes / 16);
    }
    bus.seen.clear();
    return list;
  }
};

TEST_F(Ring, FetchesInBurstsLimitedByBurstCacheAndRingEnd) {
  set_up(12);
  ring.set_tail(11);
  settle();
  // Six of a burst; no prefetching, so nothing more before they are used.
  EXPECT_THAT(bursts(true), ElementsAre(Pair(0, 6)));
  EXPECT_EQ(ring.cached(), 6U);
  EXPECT_EQ(ring.available(), 11U);
  for (int i = 0; i < 6; ++i) ring.complete(ring.take(), false);
  settle();
  EXPECT_THAT(bursts(true), ElementsAre(Pair(6, 2)));  // the cache's end
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ring.peek(0)[0], 6 + i);
    ring.complete(ring.take(), false);
  }
  settle();
  EXPECT_THAT(bursts(true), ElementsAre(Pair(8, 3)));
  EXPECT_EQ(ring.head(), 8U);
  for (int i = 0; i < 3; ++i) ring.complete(ring.take(), false);
  ring.set_tail(2);
  settle();
  EXPECT_THAT(bursts(true), ElementsAre(Pair(11, 1)));  // the ring's end
  EXPECT_EQ(ring.peek(0)[0], 11);
  ring.complete(ring.take(), false);
  settle();
  EXPECT_THAT(bursts(true), ElementsAre(Pair(0, 2)));
  EXPECT_EQ(ring.peek(0)[0], 0);
  EXPECT_EQ(ring.head(), 0U);
  EXPECT_FALSE(ring.drained());
  ring.complete(ring.take(), false);
  ring.complete(ring.take(), false);
  EXPECT_TRUE(ring.drained());
  EXPECT_EQ(ring.head(), 2U);
}

TEST_F(Ring, PrefetchWaitsForBothThresholds) {
  set_up(64, {2, 4, 0});
  ring.set_tail(4);
  settle();
  EXPECT_THAT(bursts(true), ElementsAre(Pair(0, 4)));
  ring.complete(ring.take(), false);
  ring.complete(ring.take(), false);  // two left: at the prefetch threshold
  ring.set_tail(7);                   // but the host offers three only
  settle();
  EXPECT_THAT(bursts(true), ElementsAre());
  ring.set_tail(8);
  settle();
  EXPECT_THAT(bursts(true), ElementsAre(Pair(4, 4)));
}

TEST_F(Ring, WriteBackIsImmediateWithoutAThresholdAndInOrder) {
  set_up(64);
  ring.set_tail(4);
  settle();
  const std::uint64_t a = ring.take();
  const std::uint64_t b = ring.take();
  const std::uint64_t c = ring.take();
  ring.slot(b)[12] = 0xb1;
  ring.complete(b, true);
  settle();
  EXPECT_THAT(bursts(false), ElementsAre());  // the first is not done
  ring.slot(a)[12] = 0xa1;
  ring.complete(a, true);
  settle();
  EXPECT_THAT(bursts(false), ElementsAre(Pair(0, 2)));
  EXPECT_EQ(bus.memory[kBase + 12], 0xa1);
  EXPECT_EQ(bus.memory[kBase + 28], 0xb1);
  EXPECT_THAT(user.written, ElementsAre(Pair(0, 2)));
  ring.slot(c)[12] = 0xc1;
  ring.complete(c, false);  // nothing to report
  settle();
  EXPECT_THAT(bursts(false), ElementsAre());
  EXPECT_EQ(ring.head(), 3U);
}

TEST_F(Ring, WriteBackThresholdGathersAndFlushLetsGo) {
  set_up(64, {0, 0, 4});
  ring.set_tail(6);
  settle();
  for (int i = 0; i < 3; ++i) ring.complete(ring.take(), true);
  settle();
  EXPECT_THAT(bursts(false), ElementsAre());
  ring.complete(ring.take(), true);
  settle();
  EXPECT_THAT(bursts(false), ElementsAre(Pair(0, 4)));
  ring.complete(ring.take(), true);
  ring.flush();
  settle();
  EXPECT_THAT(bursts(false), ElementsAre(Pair(4, 1)));
  EXPECT_THAT(user.written, ElementsAre(Pair(0, 4), Pair(4, 5)));
}

TEST_F(Ring, AFlushEndsWhenWhatATimerCoversHasLeftTheBus) {
  set_up(64, {0, 0, 4});
  ring.set_tail(6);
  settle();
  for (int i = 0; i < 2; ++i) ring.complete(ring.take(), true);
  ring.flush();
  EXPECT_EQ(user.flushes, 1) << "no timer covers anything";
  settle();
  ring.complete(ring.take(), true);
  ring.cover();
  ring.flush();
  EXPECT_EQ(user.flushes, 1);
  EXPECT_THAT(user.written, ElementsAre(Pair(0, 2)));
  ring.complete(ring.take(), true);  // after the flush: it waits for the threshold
  run_a_write();
  EXPECT_EQ(user.flushes, 2);
  EXPECT_THAT(user.written, ElementsAre(Pair(0, 2), Pair(2, 3)));
  ring.flush();
  EXPECT_EQ(user.flushes, 3) << "what is covered is in memory";
}

TEST_F(Ring, AFlushBehindOthersDoesNotPutTheFirstOff) {
  set_up(64, {0, 0, 20});
  ring.set_tail(6);
  settle();
  std::vector<std::size_t> written_at_flush;
  for (int i = 0; i < 4; ++i) {
    ring.complete(ring.take(), true);
    ring.cover();
    ring.flush();
  }
  for (int i = 0; i < 4; ++i) {
    run_a_write();
    written_at_flush.push_back(static_cast<std::size_t>(user.flushes));
  }
  EXPECT_THAT(written_at_flush, ElementsAre(1, 1, 1, 2)) << "the second to fourth end together";
  EXPECT_EQ(user.written.size(), 4U);
}

TEST_F(Ring, AFlushGoesOnWhenAWriteBackIsFreeAgain) {
  DescriptorRing large("large", dma, user, 64, 64);
  large.set_base(kBase);
  large.set_length(64 * 16);
  large.set_thresholds({0, 0, 40});
  large.enable(true);
  large.set_tail(63);
  settle();
  // Each second one is written back, so each makes a write-back of its own: 16 are under way.
  for (int i = 0; i < 50; ++i) large.complete(large.take(), i % 2 == 1);
  large.cover();
  large.flush();
  EXPECT_EQ(large.written.value(), 16U);
  EXPECT_EQ(user.flushes, 0);
  settle();
  EXPECT_EQ(large.written.value(), 25U);
  EXPECT_EQ(user.written.size(), 25U);
  EXPECT_EQ(user.flushes, 1);
}

TEST_F(Ring, ANewHeadForgetsFlushes) {
  set_up(64, {0, 0, 4});
  ring.set_tail(6);
  settle();
  ring.complete(ring.take(), true);
  ring.cover();
  ring.flush();
  ring.enable(false);
  ring.set_head(0);
  settle();
  EXPECT_EQ(user.flushes, 0);
  ring.flush();
  EXPECT_EQ(user.flushes, 1);
}

TEST_F(Ring, AFullCacheWritesBackBelowTheThreshold) {
  set_up(64, {0, 0, 60});
  ring.set_tail(20);
  for (int i = 0; i < 20; ++i) {
    settle();
    ASSERT_GT(ring.cached(), 0U) << "the ring stands still at " << i;
    ring.complete(ring.take(), true);
  }
  settle();
  EXPECT_GE(ring.written.value(), 16U);
}

TEST_F(Ring, AnErrorOnTheBusStopsFetchingUntilTheNextDoorbell) {
  bus.hole_begin = kBase;
  set_up(64);
  ring.set_tail(4);
  settle();
  EXPECT_EQ(ring.cached(), 0U);
  EXPECT_EQ(ring.dma_errors.value(), 1U);
  EXPECT_EQ(ring.fetches.value(), 1U);
  bus.hole_begin = ~0ULL;
  ring.set_tail(5);
  settle();
  EXPECT_EQ(ring.cached(), 5U);
}

TEST_F(Ring, ResetForgetsAndAStaleFetchIsNotTaken) {
  set_up(64);
  ring.set_tail(4);
  sc_core::sc_start(sc_time(100, sc_core::SC_NS));  // the fetch is under way
  ring.enable(false);
  ring.set_head(32);
  ring.set_tail(34);
  ring.enable(true);
  settle();
  EXPECT_EQ(ring.cached(), 2U);
  EXPECT_EQ(ring.peek(0)[0], 32);
  EXPECT_EQ(ring.head(), 32U);
  dma.abandon_all();
  ring.reset();
  settle();
  EXPECT_EQ(ring.cached(), 0U);
  EXPECT_EQ(ring.available(), 0U);
}

TEST_F(Ring, DoorbellsOfARingWithoutLengthDoNothing) {
  ring.enable(true);
  ring.set_tail(17);
  settle();
  EXPECT_TRUE(bus.seen.empty());
  EXPECT_EQ(ring.head(), 0U);
}

}  // namespace
}  // namespace longhaul::nic::intel
