// SPDX-License-Identifier: Apache-2.0
// Pages of a send queue, which neighbours share, and where a retransmission finds its bytes.
#include <gtest/gtest.h>

#include "tests/unit/models/host/net/send_queue_rig.h"

namespace longhaul::host {
namespace {

using testing::append;

struct SendQueuePagesTest : testing::SendQueueFixture {};

TEST_F(SendQueuePagesTest, APageIsSharedByNeighboursAndFreedWithTheLast) {
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

TEST_F(SendQueuePagesTest, PagesAreTakenToTheirEnd) {
  params.send_linear.value = {0};
  SendQueue queue(pool, params);
  queue.start(3000, true);
  SendQueue::Space space = queue.space(0);
  EXPECT_TRUE(space.opens_page);
  EXPECT_EQ(space.bytes, 3000U);
  queue.append(3000);
  const std::uint64_t page = space.address;
  space = queue.space(0);
  EXPECT_FALSE(space.opens_page);
  EXPECT_EQ(space.address, page + 3000);
  EXPECT_EQ(space.bytes, 1096U);
  EXPECT_FALSE(space.completes);
  queue.append(1096);
  space = queue.space(0);
  EXPECT_TRUE(space.opens_page);
  EXPECT_FALSE(space.opens_buffer);
  EXPECT_EQ(space.bytes, 3000U - 1096);
  EXPECT_TRUE(space.completes);
}

TEST_F(SendQueuePagesTest, AnEmptyQueueKeepsNoHalfUsedPage) {
  params.send_linear.value = {0};
  SendQueue queue(pool, params);
  queue.start(1448, true);
  append(queue, pool, 1000, 0);
  queue.acknowledged(1000);
  EXPECT_EQ(queue.buffers(), 0U);
  EXPECT_EQ(pool.used(), 0U);
  EXPECT_TRUE(queue.space(1000).opens_page);
  EXPECT_EQ(queue.space(1000).bytes, 1448U);
  append(queue, pool, 500, 1000);
  TxPacket packet;
  SendQueue::Hold hold;
  std::uint64_t header = 0;
  ASSERT_TRUE(queue.locate(1000, 500, 54, packet, header, hold));
  EXPECT_EQ(pool.at(packet.extents[1].address)[0], static_cast<std::uint8_t>(1000));
  queue.released(hold);
}

TEST_F(SendQueuePagesTest, AFullPageGoesWithItsBytesThoughALaterBufferBeganBehindIt) {
  params.send_linear.value = {100};
  SendQueue queue(pool, params);
  queue.start(100 + 4096, true);
  append(queue, pool, 4196, 0);  // to the page's end
  append(queue, pool, 50, 0);    // linear
  queue.acknowledged(4196);
  EXPECT_EQ(pool.used(), 256U);
  append(queue, pool, 1000, 0);
  TxPacket packet;
  SendQueue::Hold hold;
  std::uint64_t header = 0;
  ASSERT_TRUE(queue.locate(4196, 1050, 54, packet, header, hold));
  ASSERT_EQ(packet.count, 2U);
  EXPECT_EQ(packet.extents[1].bytes, 950U);
  EXPECT_EQ(packet.extents[1].address % 4096, 0U);
  EXPECT_EQ(pool.at(packet.extents[1].address)[0], static_cast<std::uint8_t>(4296));
  queue.released(hold);
}

TEST_F(SendQueuePagesTest, SpaceThatIsBeingFilledStaysWhateverIsAcknowledged) {
  SendQueue queue(pool, params);
  queue.start(100, true);
  append(queue, pool, 100, 0);
  const SendQueue::Space space = queue.space(100);
  queue.acknowledged(100);
  *pool.to_write(space.address, 1) = 77;
  queue.append(1);
  EXPECT_EQ(queue.buffers(), 1U);
  TxPacket packet;
  SendQueue::Hold hold;
  std::uint64_t header = 0;
  ASSERT_TRUE(queue.locate(100, 1, 54, packet, header, hold));
  EXPECT_EQ(pool.at(packet.extents[0].address)[54], 77);
  queue.released(hold);
}

TEST_F(SendQueuePagesTest, BytesOfSomePiecesAreThoseOfTheBuffersAndPagesThere) {
  params.send_linear.value = {600};
  SendQueue queue(pool, params);
  queue.start(1000, true);
  append(queue, pool, 8500, 0);  // each buffer: 600 B in one piece, 400 B in a page
  EXPECT_EQ(queue.bytes_in(0, 1), 600U);
  EXPECT_EQ(queue.bytes_in(0, 2), 1000U);
  EXPECT_EQ(queue.bytes_in(0, 5), 2600U);
  EXPECT_EQ(queue.bytes_in(700, 1), 300U);
  EXPECT_EQ(queue.bytes_in(700, 2), 900U);
  EXPECT_EQ(queue.bytes_in(8000, 9), 500U) << "no more are there";
}

TEST_F(SendQueuePagesTest, ARetransmissionFindsTheBufferThatItBeginsWith) {
  SendQueue queue(pool, params);
  queue.start(1000, true);
  append(queue, pool, 8000, 0);
  for (const std::uint64_t offset : {7000U, 1000U, 4000U, 0U}) {
    TxPacket packet;
    SendQueue::Hold hold;
    std::uint64_t header = 0;
    ASSERT_TRUE(queue.locate(offset, 1000, 54, packet, header, hold));
    EXPECT_EQ(hold.first, offset / 1000);
    EXPECT_EQ(hold.count, 1U);
    EXPECT_TRUE(hold.in_place);
    queue.released(hold);
  }
}

}  // namespace
}  // namespace longhaul::host
