// SPDX-License-Identifier: Apache-2.0
// What the transmit ring writes for a packet, and when it says that one is sent.
#include <gtest/gtest.h>

#include "models/host/drivers/tx_ring.h"
#include "models/memory/backing_store.h"
#include "models/nic/intel/descriptors.h"
#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host::testing {
namespace {

namespace tx = nic::intel::tx;

constexpr std::uint32_t kData = 1U << tx::kTypeShift;

class TxRingTest : public KernelTest {
 protected:
  memory::BackingStore store{units::MiB(4), "test"};
  MemoryPool pool{store.mapping(), 1 << 20, 1};
  TxRing ring{pool, 64};
  TxFormat format;

  void SetUp() override {
    build();
    format.last = tx::kEop | tx::kRs;
    ASSERT_TRUE(ring.open(0));
  }
  static TxPacket packet(std::initializer_list<Extent> extents) {
    TxPacket made;
    for (const Extent& extent : extents) {
      made.extents[made.count++] = extent;
      made.bytes += extent.bytes;
    }
    return made;
  }
  std::uint32_t put(const TxPacket& made) {
    EXPECT_LE(ring.put(format, made, cpu->processor), TxRing::needed(format, made));
    return ring.tail();
  }
  std::uint32_t word(std::uint32_t index, std::uint32_t number) {
    return nic::read_le32(pool.at(ring.address()) + 16 * index + 4 * number);
  }
  void done(std::uint32_t index) {
    pool.to_write(ring.address(), ring.bytes())[16 * index + 12] |= tx::kDd;
  }
};

TEST_F(TxRingTest, APieceIsADescriptorAndTheLastOneReports) {
  EXPECT_EQ(put(packet({{0x1'2345'6789, 66}, {0x8000, 1448}})), 2U);
  EXPECT_EQ(word(0, 0), 0x2345'6789U);
  EXPECT_EQ(word(0, 1), 1U);
  EXPECT_EQ(word(0, 2), kData | 66U);
  EXPECT_EQ(word(0, 3), 0U);
  EXPECT_EQ(word(1, 0), 0x8000U);
  EXPECT_EQ(word(1, 2), kData | tx::kEop | tx::kRs | 1448U);
}

TEST_F(TxRingTest, APieceThatIsTooLongIsCut) {
  format.most_bytes = 4096;
  EXPECT_EQ(put(packet({{0x10000, 9212}})), 3U);
  EXPECT_EQ(word(1, 0), 0x11000U);
  EXPECT_EQ(word(2, 0), 0x12000U);
  EXPECT_EQ(word(2, 2) & tx::kLengthMask, 9212U - 8192U);
}

TEST_F(TxRingTest, AChecksumTakesAContextThatSaysWhere) {
  TxPacket made = packet({{0x1000, 100}});
  made.checksum = true;
  made.l4_offset = 34;
  EXPECT_EQ(put(made), 2U);
  EXPECT_EQ(word(0, 0), 0U);
  EXPECT_EQ(word(0, 1), 34U | 50U << 8) << "TCP's field is 16 bytes in";
  EXPECT_EQ(word(0, 2), 0U);
  EXPECT_EQ(word(1, 3), std::uint32_t{tx::kTxsm} << 8);
  made.udp = true;
  EXPECT_EQ(put(made), 4U);
  EXPECT_EQ(word(2, 1), 34U | 40U << 8);
}

TEST_F(TxRingTest, ASuperFramesContextHasHeadersMssAndPayload) {
  TxPacket made = packet({{0x1000, 66}, {0x2000, 4000}});
  made.checksum = true;
  made.l4_offset = 34;
  made.header_bytes = 66;
  made.mss = 1448;
  EXPECT_EQ(put(made), 3U);
  EXPECT_EQ(word(0, 0), 14U | 24U << 8 | 33U << 16);
  EXPECT_EQ(word(0, 1), 34U | 50U << 8);
  EXPECT_EQ(word(0, 2), tx::kTse | tx::kIp | tx::kEop | 4000U);
  EXPECT_EQ(word(0, 3), 66U << 8 | 1448U << 16);
  EXPECT_EQ(word(1, 2), kData | tx::kTse | 66U);
  EXPECT_EQ(word(1, 3), static_cast<std::uint32_t>(tx::kIxsm | tx::kTxsm) << 8);
}

TEST_F(TxRingTest, ARememberedContextIsNotSentAgain) {
  TxPacket made = packet({{0x1000, 100}});
  made.checksum = true;
  made.l4_offset = 34;
  EXPECT_EQ(put(made), 2U);
  EXPECT_EQ(put(made), 4U) << "unless the driver remembers";
  format.context_reuse = true;
  EXPECT_EQ(put(made), 5U);
  made.l4_offset = 54;
  EXPECT_EQ(put(made), 7U) << "another one";
  EXPECT_EQ(put(made), 8U);
}

TEST_F(TxRingTest, APacketIsSentWhenItsLastDescriptorIs) {
  TxPacket made = packet({{0x1000, 100}, {0x2000, 100}});
  std::uint64_t cookie = 0;
  for (made.cookie = 1; made.cookie <= 40; ++made.cookie) {
    const std::uint32_t first = ring.tail();
    put(made);
    EXPECT_EQ(ring.take_done(cpu->processor, cookie), 0U);
    done(first);
    EXPECT_EQ(ring.take_done(cpu->processor, cookie), 0U) << "half of it";
    done((first + 1) % 64);
    EXPECT_EQ(ring.take_done(cpu->processor, cookie), 2U);
    EXPECT_EQ(cookie, made.cookie);
    EXPECT_EQ(ring.free(), 63U);
  }
}

TEST_F(TxRingTest, WhatIsAbandonedComesBackInOrder) {
  TxPacket made = packet({{0x1000, 100}});
  for (made.cookie = 1; made.cookie <= 3; ++made.cookie) put(made);
  std::uint64_t cookie = 0;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    EXPECT_TRUE(ring.abandon(cookie));
    EXPECT_EQ(cookie, i);
  }
  EXPECT_FALSE(ring.abandon(cookie));
  ring.close();
  EXPECT_EQ(pool.used(), 0U);
}

}  // namespace
}  // namespace longhaul::host::testing
