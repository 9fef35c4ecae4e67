// SPDX-License-Identifier: Apache-2.0
// Received bytes of a socket: what is in order, what waits, what they count, and whose memory they
// keep.
#include "models/host/net/receive_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "models/memory/backing_store.h"

namespace longhaul::host {
namespace {

using ::testing::ElementsAre;

struct ReceiveQueueTest : ::testing::Test {
  static constexpr std::uint32_t kMemory = 2048;
  memory::BackingStore store{units::MiB(16), "test"};
  MemoryPool pool{store.mapping(), 4096, 1};
  ReceiveBuffers buffers{pool};
  std::mt19937_64 random{7};

  std::uint64_t upto(std::uint64_t most) { return random() % (most + 1); }
  /// Brings [offset, offset + bytes) in a buffer of its own, and says where it lies.
  std::uint64_t bring(ReceiveQueue& queue, std::uint64_t offset, std::uint32_t bytes,
                      std::uint32_t charge = 1000) {
    RxPacket packet;
    packet.buffer = pool.allocate(kMemory);
    packet.buffer_bytes = kMemory;
    const std::uint64_t address = packet.buffer + 66;
    for (std::uint32_t i = 0; i < bytes; ++i)
      pool.to_write(address, bytes)[i] = byte_at(offset + i);
    queue.insert(packet, offset, address, bytes, charge);
    return address;
  }
  static std::uint8_t byte_at(std::uint64_t offset) {
    return static_cast<std::uint8_t>(offset * 7 >> 2);
  }
  std::uint64_t held() const { return pool.used() / kMemory; }  // buffers
  /// Reads all that is in order; the pieces that it came in.
  std::vector<std::uint32_t> read(ReceiveQueue& queue) {
    std::vector<std::uint32_t> pieces;
    for (Extent front = queue.front(); front.bytes != 0; front = queue.front()) {
      pieces.push_back(front.bytes);
      for (std::uint32_t i = 0; i < front.bytes; ++i) {
        EXPECT_EQ(pool.at(front.address)[i], byte_at(queue.read_offset() + i))
            << queue.read_offset() + i;
      }
      queue.consume(front.bytes);
    }
    return pieces;
  }
};

TEST_F(ReceiveQueueTest, WhatIsInOrderIsReadWhereItLies) {
  ReceiveQueue queue(buffers, false);
  EXPECT_EQ(queue.front().bytes, 0U);
  const std::uint64_t first = bring(queue, 0, 100);
  const std::uint64_t second = bring(queue, 100, 50);
  EXPECT_EQ(queue.end(), 150U);
  EXPECT_EQ(queue.waiting(), 0U);
  EXPECT_EQ(queue.front().address, first);
  EXPECT_EQ(queue.front().bytes, 100U);
  queue.consume(60);
  EXPECT_EQ(queue.read_offset(), 60U);
  EXPECT_EQ(queue.front().address, first + 60);
  EXPECT_EQ(queue.front().bytes, 40U);
  EXPECT_EQ(held(), 2U);
  queue.consume(40);
  EXPECT_EQ(held(), 1U) << "emptied";
  EXPECT_EQ(queue.front().address, second);
}

TEST_F(ReceiveQueueTest, OnlyWhatIsInsertedWithItsSumDueIsSummedByTheCopy) {
  ReceiveQueue queue(buffers, false);
  RxPacket packet;  // its adapter has summed nothing
  packet.buffer_bytes = kMemory;
  for (const bool due : {false, true}) {
    packet.buffer = pool.allocate(kMemory);
    queue.insert(packet, due ? 100 : 0, packet.buffer, 100, 1000, due);
  }
  EXPECT_FALSE(queue.sum_due());
  queue.consume(100);
  EXPECT_TRUE(queue.sum_due());
}

TEST_F(ReceiveQueueTest, WhatIsHereAlreadyIsFreed) {
  ReceiveQueue queue(buffers, false);
  bring(queue, 0, 100);
  bring(queue, 0, 100);
  bring(queue, 20, 80);
  bring(queue, 300, 100);
  bring(queue, 300, 100);
  bring(queue, 310, 90);
  EXPECT_EQ(held(), 2U);
  EXPECT_EQ(queue.charged(), 2000U);
  EXPECT_EQ(queue.end(), 100U);
  EXPECT_EQ(queue.waiting(), 100U);
  EXPECT_THAT(read(queue), ElementsAre(100));
  bring(queue, 40, 60);
  EXPECT_EQ(held(), 1U) << "though it has been read since";
}

TEST_F(ReceiveQueueTest, OfAnOverlapOnlyTheNewEndCounts) {
  ReceiveQueue queue(buffers, false);
  bring(queue, 0, 100);
  const std::uint64_t second = bring(queue, 60, 100);
  EXPECT_EQ(queue.end(), 160U);
  queue.consume(100);
  EXPECT_EQ(queue.front().address, second + 40);
  EXPECT_THAT(read(queue), ElementsAre(60));
}

TEST_F(ReceiveQueueTest, WhatIsBehindAHoleWaitsUntilThatIsFilled) {
  ReceiveQueue queue(buffers, false);
  bring(queue, 200, 100);
  bring(queue, 400, 50);
  bring(queue, 100, 50);
  EXPECT_EQ(queue.end(), 0U);
  EXPECT_EQ(queue.front().bytes, 0U);
  EXPECT_EQ(queue.waiting(), 200U);
  EXPECT_EQ(queue.end_with(0, 99), 99U);
  EXPECT_EQ(queue.end_with(0, 100), 150U);
  EXPECT_EQ(queue.end_with(0, 200), 300U);
  EXPECT_EQ(queue.end_with(1, 200), 0U) << "behind a hole itself";
  bring(queue, 0, 100);
  EXPECT_EQ(queue.end(), 150U);
  EXPECT_EQ(queue.waiting(), 150U);
  bring(queue, 150, 70);  // reaches into the next one
  EXPECT_EQ(queue.end(), 300U);
  EXPECT_EQ(queue.waiting(), 50U);
  EXPECT_THAT(read(queue), ElementsAre(100, 50, 70, 80));
  EXPECT_EQ(held(), 1U);
}

TEST_F(ReceiveQueueTest, OneThatCoversOthersTakesTheirPlace) {
  ReceiveQueue queue(buffers, false);
  bring(queue, 100, 50);
  bring(queue, 200, 50);
  bring(queue, 300, 50);
  bring(queue, 120, 200);  // the second whole, parts of both others
  EXPECT_EQ(held(), 3U);
  EXPECT_EQ(queue.waiting(), 250U);
  EXPECT_EQ(queue.charged(), 3000U);
  bring(queue, 0, 350);  // and all of them
  EXPECT_EQ(queue.waiting(), 0U);
  EXPECT_EQ(queue.end(), 350U);
  EXPECT_EQ(held(), 1U);
  EXPECT_EQ(queue.charged(), 1000U);
  EXPECT_THAT(read(queue), ElementsAre(350));
}

TEST_F(ReceiveQueueTest, PiecesThatMeetExactlyLeaveNoHole) {
  ReceiveQueue queue(buffers, false);
  bring(queue, 300, 100);
  bring(queue, 100, 100);
  bring(queue, 200, 100);
  EXPECT_EQ(held(), 3U);
  EXPECT_EQ(queue.waiting(), 300U);
  bring(queue, 0, 100);
  EXPECT_THAT(read(queue), ElementsAre(100, 100, 100, 100));
  EXPECT_EQ(held(), 0U);
}

TEST_F(ReceiveQueueTest, CountsBuffersOrBytes) {
  ReceiveQueue by_buffers(buffers, false);
  ReceiveQueue by_bytes(buffers, true);
  for (ReceiveQueue* const queue : {&by_buffers, &by_bytes}) {
    bring(*queue, 0, 100, 2384);
    bring(*queue, 200, 30, 400);
    queue->consume(60);
  }
  EXPECT_EQ(by_buffers.charged(), 2784U);
  EXPECT_EQ(by_bytes.charged(), 70U);
}

TEST_F(ReceiveQueueTest, ClearingGivesAllOfItBack) {
  ReceiveQueue queue(buffers, false);
  bring(queue, 0, 100);
  bring(queue, 200, 100);
  queue.clear();
  EXPECT_EQ(pool.used(), 0U);
  EXPECT_EQ(queue.charged(), 0U);
  EXPECT_EQ(queue.waiting(), 0U);
  EXPECT_EQ(queue.front().bytes, 0U);
  EXPECT_EQ(queue.read_offset(), 100U);
  {
    ReceiveQueue gone(buffers, false);
    bring(gone, 0, 100);
    bring(gone, 200, 100);
  }
  EXPECT_EQ(pool.used(), 0U);
}

TEST_F(ReceiveQueueTest, EntriesAreUsedAgain) {
  ReceiveQueue queue(buffers, false);
  for (std::uint64_t at = 0; at < 8; ++at) bring(queue, at * 10, 10);
  const std::size_t bytes = buffers.heap_bytes();
  for (std::uint64_t at = 8; at < 10'000; ++at) {
    queue.consume(10);
    bring(queue, at * 10, 10);
  }
  EXPECT_EQ(buffers.heap_bytes(), bytes);
}

struct CollapseTest : ReceiveQueueTest {
  std::uint32_t made = 0;
  std::uint64_t bytes_copied = 0;
  /// Into buffers of 1024 bytes that take 700 each; those with less than 300 are wasteful.
  void collapse(ReceiveQueue& queue) {
    queue.collapse(
        1024, 700, 500, [](std::uint32_t, std::uint32_t payload) { return payload < 300; },
        [&](std::uint64_t source, std::uint64_t target, std::uint32_t n) {
          pool.copy(source, target, n);
          bytes_copied += n;
        },
        [&] { ++made; });
  }
};

TEST_F(CollapseTest, NeighboursAreCopiedTogether) {
  ReceiveQueue queue(buffers, false);
  for (std::uint64_t at = 0; at < 1000; at += 200) bring(queue, at, 200);
  collapse(queue);
  EXPECT_EQ(made, 2U);
  EXPECT_EQ(bytes_copied, 1000U);
  EXPECT_EQ(queue.charged(), 2U * 500);
  EXPECT_EQ(pool.used(), 2U * 1024);
  EXPECT_EQ(queue.end(), 1000U);
  EXPECT_THAT(read(queue), ElementsAre(700, 300));
  EXPECT_EQ(pool.used(), 0U);
}

TEST_F(CollapseTest, NeitherAcrossAHoleNorAcrossOneThatIsUsedWell) {
  ReceiveQueue queue(buffers, false);
  bring(queue, 0, 100);
  bring(queue, 100, 300);
  bring(queue, 400, 100);
  bring(queue, 600, 100);  // waits
  bring(queue, 800, 100);
  collapse(queue);
  EXPECT_EQ(made, 4U);
  EXPECT_EQ(bytes_copied, 400U);
  EXPECT_EQ(queue.charged(), 1000U + 4 * 500);
  EXPECT_EQ(queue.waiting(), 200U);
  EXPECT_THAT(read(queue), ElementsAre(100, 300, 100));
  bring(queue, 500, 100);
  bring(queue, 700, 100);
  EXPECT_THAT(read(queue), ElementsAre(100, 100, 100, 100));
  EXPECT_EQ(pool.used(), 0U);
}

TEST_F(CollapseTest, WhereMemoryEndsTheRestStaysWhereItIs) {
  ReceiveQueue queue(buffers, false);
  bring(queue, 0, 600);
  bring(queue, 600, 600);
  const std::uint64_t last = pool.allocate(1024);
  for (const std::uint32_t bytes : {kMemory, 256U}) {
    while (pool.allocate(bytes) != 0) {
    }
  }
  pool.free(last, 1024);
  queue.collapse(
      1024, 500, 700, [](std::uint32_t charge, std::uint32_t) { return charge == 1000; },
      [&](std::uint64_t source, std::uint64_t target, std::uint32_t n) {
        pool.copy(source, target, n);
      },
      [&] { ++made; });
  EXPECT_EQ(made, 1U);
  EXPECT_EQ(queue.charged(), 700U + 2 * 1000);
  EXPECT_EQ(queue.end(), 1200U);
  EXPECT_THAT(read(queue), ElementsAre(500, 100, 600));
  EXPECT_EQ(queue.charged(), 0U);
}

TEST_F(ReceiveQueueTest, ReceivedBytesComeOutInOrderHoweverTheyCameIn) {
  int collapsed = 0;
  for (int round = 0; round < 100; ++round) {
    ReceiveQueue queue(buffers, round % 2 == 0);
    constexpr std::uint64_t kTotal = 5000;
    std::vector<std::uint8_t> here(kTotal, 0);
    std::uint64_t read = 0;
    while (read < kTotal) {
      const std::uint64_t offset = upto(kTotal - 1);
      const auto bytes =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(1 + upto(600), kTotal - offset));
      const std::uint64_t memory = pool.allocate(2048);
      for (std::uint32_t i = 0; i < bytes; ++i)
        pool.to_write(memory, bytes)[i] = static_cast<std::uint8_t>((offset + i) * 7 >> 2);
      const std::uint64_t expected_end = queue.end_with(offset, bytes);
      RxPacket packet;
      packet.buffer = memory;
      packet.buffer_bytes = 2048;
      queue.insert(packet, offset, memory, bytes, 1);
      for (std::uint32_t i = 0; i < bytes; ++i) here[offset + i] = 1;
      std::uint64_t end = queue.read_offset();
      while (end < kTotal && here[end] != 0) ++end;
      ASSERT_EQ(queue.end(), end);
      ASSERT_EQ(expected_end, end);
      const auto late = static_cast<std::uint64_t>(
          std::count(here.begin() + static_cast<std::ptrdiff_t>(end), here.end(), std::uint8_t{1}));
      ASSERT_EQ(queue.waiting(), late);
      if (upto(20) == 0) {
        queue.collapse(
            1024, 700, 1, [](std::uint32_t, std::uint32_t payload) { return payload < 300; },
            [&](std::uint64_t source, std::uint64_t target, std::uint32_t n) {
              pool.copy(source, target, n);
            },
            [&] { ++collapsed; });
        ASSERT_EQ(queue.end(), end);
        ASSERT_EQ(queue.waiting(), late);
      }
      while (queue.front().bytes != 0 && upto(3) != 0) {
        const Extent front = queue.front();
        const auto n = static_cast<std::uint32_t>(1 + upto(front.bytes - 1));
        for (std::uint32_t i = 0; i < n; ++i) {
          ASSERT_EQ(pool.at(front.address)[i], static_cast<std::uint8_t>((read + i) * 7 >> 2));
        }
        queue.consume(n);
        read += n;
      }
    }
    queue.clear();
    ASSERT_EQ(queue.charged(), 0U);
    ASSERT_EQ(pool.used(), 0U);
  }
  EXPECT_GT(collapsed, 100);
}

}  // namespace
}  // namespace longhaul::host
