// SPDX-License-Identifier: Apache-2.0
#include "models/common/packet_fifo.h"

#include <gtest/gtest.h>

namespace longhaul {
namespace {

TEST(PacketFifo, BytesAreRoundedUpToTheGranule) {
  PacketFifo<int> fifo("fifo", Bytes{64}, 8, 10);
  EXPECT_TRUE(fifo.fits(64));
  EXPECT_FALSE(fifo.fits(65));
  fifo.reserve(57);
  EXPECT_EQ(fifo.fill.value(), 64U);
  EXPECT_FALSE(fifo.fits(1));
  fifo.release(57);
  EXPECT_EQ(fifo.fill.value(), 0U);
  EXPECT_EQ(fifo.fill.highest(), 64U);
}

TEST(PacketFifo, ItemsLeaveInOrderAndKeepTheirPlace) {
  PacketFifo<int> fifo("fifo", Bytes{64}, 8, 3);
  for (int round = 0; round < 5; ++round) {
    const std::uint32_t a = fifo.push(1);
    const std::uint32_t b = fifo.push(2);
    fifo.push(3);
    EXPECT_FALSE(fifo.fits(1)) << "no item left";
    EXPECT_EQ(fifo.place_of(1), b);
    fifo.at(b) = 22;
    EXPECT_EQ(fifo.at(a), 1);
    EXPECT_EQ(fifo.pop(), 1);
    EXPECT_EQ(fifo.pop(), 22);
    EXPECT_EQ(fifo.pop(), 3);
    EXPECT_TRUE(fifo.empty());
  }
}

TEST(PacketFifo, ClearForgetsItemsAndBytes) {
  PacketFifo<int> fifo("fifo", Bytes{64}, 8, 3);
  fifo.push(1);
  fifo.reserve(10);
  fifo.clear();
  EXPECT_TRUE(fifo.empty());
  EXPECT_TRUE(fifo.fits(64));
}

}  // namespace
}  // namespace longhaul
