// SPDX-License-Identifier: Apache-2.0
// Send and receive memory of a socket, by themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "models/host/net/receive_memory.h"
#include "models/host/net/receive_queue.h"
#include "models/host/net/send_queue.h"
#include "models/memory/backing_store.h"

namespace longhaul::host {
namespace {

struct QueueTest : ::testing::Test {
  memory::BackingStore store{units::MiB(16), "test"};
  MemoryPool pool{store.mapping(), 4096, 1};
  ReceiveBuffers buffers{pool};
  NetParams params;
  std::mt19937_64 random{7};

  std::uint64_t upto(std::uint64_t most) { return random() % (most + 1); }
};

TEST_F(QueueTest, ReceivedBytesComeOutInOrderHoweverTheyCameIn) {
  int collapsed = 0;
  for (int round = 0; round < 100; ++round) {
    ReceiveQueue queue(buffers, round % 2 == 0);
    constexpr std::uint64_t kTotal = 5000;
    std::vector<std::uint8_t> here(kTotal, 0);
    std::uint64_t read = 0;
    while (read < kTotal) {
      const std::uint64_t offset = upto(kTotal - 1);
      const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(1 + upto(600), kTotal - offset));
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
            [&](std::uint64_t source, std::uint64_t target, std::uint32_t n) { pool.copy(source, target, n); },
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

/// Appends `bytes`, each the low byte of its offset.
void append(SendQueue& queue, MemoryPool& pool, std::uint64_t bytes, std::uint64_t sent) {
  while (bytes > 0) {
    const SendQueue::Space space = queue.space(sent);
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(space.bytes, bytes));
    for (std::uint32_t i = 0; i < n; ++i)
      pool.to_write(space.address, n)[i] = static_cast<std::uint8_t>(queue.end() + i);
    queue.append(n);
    bytes -= n;
  }
}

TEST_F(QueueTest, ASegmentIsTheLinearPieceWithItsHeadersAndPages) {
  SendQueue queue(pool, params);
  queue.start(9146, true);
  append(queue, pool, 9146, 0);
  TxPacket packet;
  SendQueue::Hold hold;
  std::uint64_t header = 0;
  ASSERT_TRUE(queue.locate(0, 9146, 66, packet, header, hold));
  EXPECT_EQ(packet.count, 3U);
  EXPECT_EQ(packet.extents[0].address, header);
  EXPECT_EQ(packet.extents[0].bytes, 66U + 3632);
  EXPECT_EQ(packet.extents[1].bytes, 4096U);
  EXPECT_EQ(packet.extents[2].bytes, 9146U - 3632 - 4096);
  // 4 KiB of linear memory, its overhead, and the bytes in pages.
  EXPECT_EQ(queue.charged(), 4096U + 336 + 9146 - 3632);
  // Sent again while the adapter has it: the headers go elsewhere, the first extent is theirs.
  TxPacket again;
  SendQueue::Hold second;
  ASSERT_TRUE(queue.locate(0, 9146, 66, again, header, second));
  EXPECT_EQ(header, 0U);
  EXPECT_EQ(again.count, 4U);
  queue.acknowledged(9146);
  EXPECT_EQ(queue.charged(), 0U);
  EXPECT_NE(pool.used(), 0U);  // the adapter may still read it
  queue.released(hold);
  queue.released(second);
  EXPECT_EQ(pool.used(), 0U);
}

TEST_F(QueueTest, APageIsSharedByNeighboursAndFreedWithTheLast) {
  params.send_linear.value = {0};
  SendQueue queue(pool, params);
  queue.start(1448, true);
  append(queue, pool, 2 * 1448, 0);
  EXPECT_EQ(pool.used(), 4096U);
  EXPECT_EQ(queue.buffers(), 2U);
  queue.acknowledged(1448);
  EXPECT_EQ(pool.used(), 4096U);
  queue.acknowledged(1448);
  EXPECT_EQ(pool.used(), 0U);
}

TEST_F(QueueTest, AnyRangeIsFoundInWhateverBuffersItLies) {
  for (const std::uint64_t linear : {0, 100, 3632, 65536}) {
    params.send_linear.value = {linear};
    params.send_page.value = {2048};
    SendQueue queue(pool, params);
    queue.start(1000 + static_cast<std::uint32_t>(upto(3000)), true);
    std::uint64_t sent = 0;
    std::uint64_t acked = 0;
    for (int step = 0; step < 3000; ++step) {
      append(queue, pool, 1 + upto(900), sent);
      sent += upto(queue.end() - sent);
      const std::uint64_t from = acked + upto(queue.end() - acked - 1);
      const auto bytes = static_cast<std::uint32_t>(1 + upto(std::min<std::uint64_t>(queue.end() - from, 6000) - 1));
      TxPacket packet;
      SendQueue::Hold hold;
      std::uint64_t header = 0;
      if (queue.locate(from, bytes, 54, packet, header, hold)) {
        std::uint64_t at = from;
        for (std::uint32_t i = header == 0 ? 1 : 0; i < packet.count; ++i) {
          const std::uint32_t skip = i == 0 ? 54 : 0;
          for (std::uint32_t k = skip; k < packet.extents[i].bytes; ++k, ++at) {
            ASSERT_EQ(pool.at(packet.extents[i].address)[k], static_cast<std::uint8_t>(at));
          }
        }
        ASSERT_EQ(at, from + bytes);
        queue.released(hold);
      }
      const std::uint64_t news = upto(sent - acked);
      queue.acknowledged(news);
      acked += news;
    }
    queue.acknowledged(queue.end() - acked);
    EXPECT_EQ(queue.charged(), 0U);
    EXPECT_EQ(pool.used(), 0U);
  }
}

TEST_F(QueueTest, AWriterIsWokenWhenAThirdIsFree) {
  SendQueue queue(pool, params);
  queue.start(1448, true);
  queue.set_limit(10 * (2048 + 336));
  append(queue, pool, 10 * 1448, 0);
  EXPECT_EQ(queue.room(), 0U);
  queue.acknowledged(3 * 1448);
  EXPECT_NE(queue.room(), 0U);
  EXPECT_FALSE(queue.worth_waking());  // 3 free, 7 queued
  queue.acknowledged(1448);
  EXPECT_TRUE(queue.worth_waking());
  params.send_low_water.value = {2384};
  queue.acknowledged(6 * 1448);
}

TEST(ReceiveMemoryTest, TheWindowGrowsAsFarAsTheBuffersAreUsed) {
  const NetParams params;
  constexpr std::uint32_t kMss = 1000;
  constexpr std::uint64_t kMemory = 100'000;
  const auto grown = [&](std::uint32_t charge, std::uint32_t payload) {
    ReceiveMemory memory(params);
    memory.start(kMemory, 2, kMss);
    for (int i = 0; i < 1000; ++i) memory.grow(charge, payload, 0);
    return memory.window(0);
  };
  EXPECT_EQ(grown(1333, 1000), 75'000U);  // 3/4 of the charge is the payload: all of 3/4 of the memory
  EXPECT_EQ(grown(1400, 1000), 38'000U);  // more: it stops above half of that
  EXPECT_EQ(grown(2700, 1000), 20'000U);  // twice as much: above a quarter
  EXPECT_EQ(grown(1333, 100), 2'000U);    // too small to tell
}

}  // namespace
}  // namespace longhaul::host
