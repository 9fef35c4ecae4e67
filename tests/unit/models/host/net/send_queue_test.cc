// SPDX-License-Identifier: Apache-2.0
// Send memory of a socket: where bytes lie, what they count, and who keeps them.
#include "models/host/net/send_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/models/host/net/send_queue_rig.h"

namespace longhaul::host {
namespace {

using testing::append;

struct SendQueueTest : testing::SendQueueFixture {};

TEST_F(SendQueueTest, ASegmentIsTheLinearPieceWithItsHeadersAndPages) {
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

TEST_F(SendQueueTest, AnyRangeIsFoundInWhateverBuffersItLies) {
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
      const auto bytes = static_cast<std::uint32_t>(
          1 + upto(std::min<std::uint64_t>(queue.end() - from, 6000) - 1));
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

TEST_F(SendQueueTest, AWriterIsWokenWhenAThirdIsFree) {
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

TEST_F(SendQueueTest, WithoutGatheringABufferIsOnePiece) {
  SendQueue queue(pool, params);
  queue.start(9146, false);
  const SendQueue::Space space = queue.space(0);
  EXPECT_TRUE(space.opens_buffer);
  EXPECT_FALSE(space.opens_page);
  EXPECT_TRUE(space.completes);
  EXPECT_EQ(space.bytes, 9146U);
  EXPECT_EQ(space.address % 64, 0U) << "behind the headers, on a cache line's boundary";
  append(queue, pool, 9146, 0);
  TxPacket packet;
  SendQueue::Hold hold;
  std::uint64_t header = 0;
  ASSERT_TRUE(queue.locate(0, 9146, 54, packet, header, hold));
  EXPECT_EQ(packet.count, 1U);
  EXPECT_EQ(header, space.address - 54);
  EXPECT_EQ(packet.extents[0].address, header);
  EXPECT_EQ(packet.extents[0].bytes, 9146U + 54);
  queue.released(hold);
}

TEST_F(SendQueueTest, ABufferTakesMoreUntilItIsFullOrSent) {
  SendQueue queue(pool, params);
  queue.start(1448, true);
  append(queue, pool, 100, 0);
  SendQueue::Space space = queue.space(0);
  EXPECT_FALSE(space.opens_buffer);
  EXPECT_EQ(space.bytes, 1348U);
  EXPECT_TRUE(space.completes);
  space = queue.space(100);  // what is in it has been sent
  EXPECT_TRUE(space.opens_buffer);
  EXPECT_EQ(space.bytes, 1448U);
  EXPECT_EQ(queue.buffers(), 2U);
  append(queue, pool, 1448, 100);
  EXPECT_EQ(queue.buffers(), 2U);
  EXPECT_TRUE(queue.space(100).opens_buffer) << "the last one is full";
  append(queue, pool, 1, 100);
  EXPECT_EQ(queue.end(), 1549U);
}

TEST_F(SendQueueTest, WhatIsAcknowledgedInPartIsKeptAndChargedWhole) {
  SendQueue queue(pool, params);
  queue.start(1448, true);
  append(queue, pool, 2 * 1448, 0);
  constexpr std::uint64_t kEach = 2048 + 336;
  EXPECT_EQ(queue.charged(), 2 * kEach);
  queue.acknowledged(1447);
  EXPECT_EQ(queue.begin(), 1447U);
  EXPECT_EQ(queue.charged(), 2 * kEach);
  EXPECT_EQ(pool.used(), 2U * 2048);
  queue.acknowledged(1);
  EXPECT_EQ(queue.charged(), kEach);
  EXPECT_EQ(pool.used(), 2048U);
  EXPECT_EQ(queue.buffers(), 1U);
}

TEST_F(SendQueueTest, SystemsThatCountBytesChargeThem) {
  params.truesize.value = false;
  SendQueue queue(pool, params);
  queue.start(1448, true);
  queue.set_limit(2000);
  EXPECT_EQ(queue.room(), 2000U);
  append(queue, pool, 1448, 0);
  EXPECT_EQ(queue.charged(), 1448U);
  EXPECT_EQ(queue.room(), 552U);
  queue.acknowledged(1000);
  EXPECT_EQ(queue.charged(), 448U);
  append(queue, pool, 1552, 1448);
  EXPECT_EQ(queue.room(), 0U);
  EXPECT_FALSE(queue.worth_waking());
}

TEST_F(SendQueueTest, WithTruesizeOneByteOfRoomLetsAWholeCallIn) {
  SendQueue queue(pool, params);
  queue.start(1448, true);
  append(queue, pool, 1, 0);
  queue.set_limit(queue.charged());
  EXPECT_EQ(queue.room(), 0U);
  queue.set_limit(queue.charged() + 1);
  EXPECT_EQ(queue.room(), ~std::uint64_t{0});
}

TEST_F(SendQueueTest, ALowWaterMarkWakesAtItsBytesOrAtAllOfASmallerBuffer) {
  params.truesize.value = false;
  params.send_low_water.value = {500};
  SendQueue queue(pool, params);
  queue.start(1448, true);
  queue.set_limit(1000);
  append(queue, pool, 501, 0);
  EXPECT_FALSE(queue.worth_waking());
  queue.acknowledged(1);
  EXPECT_TRUE(queue.worth_waking());
  queue.set_limit(400);
  EXPECT_FALSE(queue.worth_waking());
  queue.acknowledged(500);
  EXPECT_TRUE(queue.worth_waking());
}

TEST_F(SendQueueTest, WithoutOneHalfOfWhatIsQueuedWakesAndAFullBufferDoesNot) {
  params.truesize.value = false;
  SendQueue queue(pool, params);
  queue.start(1448, true);
  append(queue, pool, 1000, 0);
  queue.set_limit(1499);
  EXPECT_FALSE(queue.worth_waking());
  queue.set_limit(1500);
  EXPECT_TRUE(queue.worth_waking());
  queue.set_limit(0);
  queue.acknowledged(1000);
  EXPECT_FALSE(queue.worth_waking()) << "nothing queued, and no room either";
}

TEST_F(SendQueueTest, WhatTheAdapterHoldsOutlivesTheConnection) {
  SendQueue queue(pool, params);
  queue.start(1448, true);
  append(queue, pool, 3 * 1448, 0);
  TxPacket packet;
  SendQueue::Hold hold;
  std::uint64_t header = 0;
  ASSERT_TRUE(queue.locate(1448, 2 * 1448, 54, packet, header, hold));
  EXPECT_EQ(hold.count, 2U);
  EXPECT_EQ(queue.held(), 2U);
  queue.abandon();
  EXPECT_EQ(queue.charged(), 0U);
  EXPECT_EQ(pool.used(), 2U * 2048);
  queue.released(hold);
  EXPECT_EQ(queue.held(), 0U);
  EXPECT_EQ(pool.used(), 0U);
}

TEST_F(SendQueueTest, HeadersMayStandThereAgainOnceTheFirstAreGone) {
  SendQueue queue(pool, params);
  queue.start(1448, true);
  append(queue, pool, 1448, 0);
  const auto header_of = [&](std::uint64_t offset, SendQueue::Hold& hold) {
    TxPacket packet;
    std::uint64_t header = 0;
    EXPECT_TRUE(queue.locate(offset, 100, 54, packet, header, hold));
    return header;
  };
  SendQueue::Hold first;
  SendQueue::Hold second;
  const std::uint64_t place = header_of(0, first);
  EXPECT_NE(place, 0U);
  EXPECT_TRUE(first.in_place);
  EXPECT_EQ(header_of(0, second), 0U);
  queue.released(second);
  EXPECT_EQ(header_of(0, second), 0U) << "the first one's are still there";
  queue.released(first);
  queue.released(second);
  EXPECT_EQ(header_of(0, first), place);
  queue.released(first);
  EXPECT_EQ(header_of(100, first), 0U) << "from the middle: payload is in front";
  queue.released(first);
}

TEST_F(SendQueueTest, WhatHasTooManyPiecesIsNotHeld) {
  params.send_linear.value = {0};
  params.send_page.value = {2048};
  SendQueue queue(pool, params);
  queue.start(65000, true);
  append(queue, pool, std::uint64_t{20} * 2048, 0);
  TxPacket packet;
  SendQueue::Hold hold;
  std::uint64_t header = 0;
  EXPECT_FALSE(queue.locate(0, 20 * 2048, 54, packet, header, hold))
      << "with the headers' own one too many";
  EXPECT_EQ(queue.held(), 0U);
  EXPECT_EQ(packet.count, 0U);
  ASSERT_TRUE(queue.locate(0, 19 * 2048, 54, packet, header, hold));
  EXPECT_EQ(packet.count, TxPacket::kMostExtents);
  queue.released(hold);
}

TEST_F(SendQueueTest, GatheringTellsOfEveryPieceInOrder) {
  SendQueue queue(pool, params);
  params.send_linear.value = {600};
  queue.start(1000, true);
  append(queue, pool, 3000, 0);
  const std::uint64_t target = pool.allocate(4096);
  std::vector<std::uint32_t> pieces;
  queue.gather(100, 1600, target, [&](std::uint64_t from, std::uint64_t to, std::uint32_t n) {
    pieces.push_back(n);
    pool.copy(from, to, n);
  });
  EXPECT_THAT(pieces, ::testing::ElementsAre(500, 400, 600, 100));
  for (std::uint32_t i = 0; i < 1600; ++i)
    ASSERT_EQ(pool.at(target)[i], static_cast<std::uint8_t>(100 + i));
}

TEST_F(SendQueueTest, WithoutMemoryThereIsNoSpaceAndNothingIsCharged) {
  while (pool.allocate(256) != 0) {
  }
  const std::uint64_t used = pool.used();
  {
    SendQueue queue(pool, params);
    queue.start(1448, true);
    EXPECT_EQ(queue.space(0).bytes, 0U);
    EXPECT_EQ(queue.charged(), 0U);
    EXPECT_EQ(queue.buffers(), 0U);
  }
  EXPECT_EQ(pool.used(), used);
}

TEST_F(SendQueueTest, AQueueThatGoesGivesItsMemoryBackHeldOrNot) {
  {
    SendQueue queue(pool, params);
    queue.start(9146, true);
    append(queue, pool, 20'000, 0);
    TxPacket packet;
    SendQueue::Hold hold;
    std::uint64_t header = 0;
    ASSERT_TRUE(queue.locate(0, 9146, 54, packet, header, hold));
  }
  EXPECT_EQ(pool.used(), 0U);
}

}  // namespace
}  // namespace longhaul::host
