// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace longhaul::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Notes its calls and falls asleep again.
struct LightSleeper final : Transactor {
  Watcher* watcher = nullptr;
  std::uint32_t samples = 0;
  std::vector<std::uint64_t> edges;
  void sample() override { ++samples; }
  void clocked(std::uint64_t edge_ps) override {
    edges.push_back(edge_ps);
    watcher->sleep();
  }
};

/// Ports of a block, side by side as Verilator keeps them.
struct WatcherTest : ::testing::Test {
  std::array<std::uint8_t, 64> ports{};
  WatcherList list;
  std::uint64_t ps = 0;

  Watcher& add(LightSleeper& sleeper, bool samples) {
    sleeper.watcher = &list.add(sleeper, samples);
    sleeper.watcher->sleep();
    return *sleeper.watcher;
  }
  Pin pin(std::uint32_t byte, std::uint32_t lsb = 0, std::uint32_t width = 1) {
    return {&ports[byte], lsb, width};
  }
  /// `change` is the block's at this edge.
  void edge(const std::function<void()>& change = {}) {
    list.sample();
    if (change) change();
    list.clocked(++ps);
  }
};

TEST_F(WatcherTest, AChangeWakesTheWatcherOfThatPinOnly) {
  constexpr std::array<std::uint32_t, 7> kBytes = {0, 1, 7, 8, 20, 40, 63};
  std::array<LightSleeper, kBytes.size()> sleepers;
  for (std::size_t i = 0; i < kBytes.size(); ++i)
    add(sleepers[i], false).wake_by(pin(kBytes[i], 2), 1);
  for (const std::uint32_t byte : kBytes) ports[byte] = 0b0100;
  edge();
  for (std::size_t i = 0; i < kBytes.size(); ++i) {
    for (LightSleeper& sleeper : sleepers) sleeper.edges.clear();
    edge([&] { ports[kBytes[i]] = 0b1011; });
    for (std::size_t other = 0; other < kBytes.size(); ++other)
      EXPECT_EQ(sleepers[other].edges.size(), other == i ? 1U : 0U) << kBytes[i];
    ports[kBytes[i]] = 0b1111;  // other bits of the byte are not watched
    edge();
    EXPECT_EQ(sleepers[i].edges.size(), 1U) << kBytes[i];
  }
}

TEST_F(WatcherTest, BytesThatNobodyWatchesWakeNobody) {
  LightSleeper sleeper;
  Watcher& watcher = add(sleeper, false);
  watcher.wake_by(pin(16), 0);
  watcher.wake_by(pin(31), 0);
  for (std::uint32_t byte = 0; byte < ports.size(); ++byte)
    if (byte != 16 && byte != 31) ports[byte] = 0xff;
  edge();
  EXPECT_THAT(sleeper.edges, IsEmpty());
  edge([this] { ports[31] = 1; });
  EXPECT_THAT(sleeper.edges, ElementsAre(2));
}

TEST_F(WatcherTest, EveryBitOfAWidePinIsWatched) {
  LightSleeper sleeper;
  constexpr std::uint64_t kQuiet = 0x0707'0707'0707'0707;
  add(sleeper, false).wake_by(pin(24, 0, 64), kQuiet);
  Pin wide = pin(24, 0, 64);
  for (std::uint32_t bit = 0; bit < 64; ++bit) {
    wide.set(kQuiet);
    edge();
    ASSERT_EQ(sleeper.edges.size(), bit);
    edge([&] { wide.set(kQuiet ^ std::uint64_t{1} << bit); });
  }
  EXPECT_EQ(sleeper.edges.size(), 64U);
}

TEST_F(WatcherTest, TwoWatchersOfABitMayWaitForDifferentLevels) {
  LightSleeper neighbour;
  LightSleeper of_high;
  LightSleeper of_low;
  add(neighbour, false).wake_by(pin(9), 0);
  add(of_high, false).wake_by(pin(0), 0);
  add(of_low, false).wake_by(pin(0), 1);
  edge();
  edge([this] { ports[0] = 1; });
  edge();
  edge([this] { ports[0] = 0; });
  EXPECT_THAT(of_high.edges, ElementsAre(2, 3));
  EXPECT_THAT(of_low.edges, ElementsAre(1, 4));
  EXPECT_THAT(neighbour.edges, IsEmpty());
}

TEST_F(WatcherTest, AWatcherThatSamplesLooksBeforeTheEdge) {
  LightSleeper before;
  LightSleeper after;
  add(before, true).wake_by(pin(0), 0);
  add(after, false).wake_by(pin(8), 0);
  edge();
  edge([this] { ports[0] = ports[8] = 1; });
  EXPECT_THAT(before.edges, IsEmpty());
  EXPECT_THAT(after.edges, ElementsAre(2));
  edge([this] { ports[0] = ports[8] = 0; });
  EXPECT_THAT(before.edges, ElementsAre(3));
  EXPECT_EQ(before.samples, 1U);
  EXPECT_THAT(after.edges, ElementsAre(2));
}

TEST_F(WatcherTest, APresentLevelMayBeTheQuietOne) {
  LightSleeper sleeper;
  Watcher& watcher = add(sleeper, false);
  watcher.wake_by(pin(3), 0);
  watcher.wake_by(pin(12), 0);
  ports[3] = 1;
  watcher.sleep_as_it_is();
  edge();
  EXPECT_THAT(sleeper.edges, IsEmpty());
  edge([this] { ports[3] = 0; });
  EXPECT_THAT(sleeper.edges, ElementsAre(2));
}

TEST_F(WatcherTest, AFurtherPinWakesItsSleepingWatcher) {
  LightSleeper sleeper;
  add(sleeper, false).wake_by(pin(0), 0);
  edge();
  sleeper.watcher->wake_by(pin(10), 0);
  edge([this] { ports[10] = 1; });
  EXPECT_THAT(sleeper.edges, ElementsAre(2));
}

}  // namespace
}  // namespace longhaul::cosim
