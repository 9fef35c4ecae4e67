// SPDX-License-Identifier: Apache-2.0
// Context memory and payload memory of the offload engine.
#include <gtest/gtest.h>

#include <vector>

#include "models/toe/context_memory.h"
#include "models/toe/payload_memory.h"

namespace longhaul::toe {
namespace {

using Half = PayloadMemory::Half;
constexpr std::uint64_t kPage = 65536;

TEST(ContextMemory, TheLowerHalfHoldsTheMillionConnectionsOfTheMaker) {
  const ContextMemory memory{ToeParams{}};
  EXPECT_EQ(memory.capacity(), 1U << 20U);  // 256 MB / 2 / 128 B
}

TEST(ContextMemory, IsFullAtItsCapacity) {
  ToeParams params;
  params.cm_size.value = {4096};
  ContextMemory memory(params);
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(memory.take());
  EXPECT_FALSE(memory.take());
  memory.give_back(3);
  EXPECT_TRUE(memory.take());
}

TEST(ContextMemory, AMissReadsTheBlockAndWritesBackTheOneUsedLongestAgo) {
  ToeParams params;
  params.cm_cache.value = 2;
  ContextMemory memory(params);
  constexpr std::uint32_t kAccess = 3 + 4;  // latency, and 128 B at 32 B a clock
  EXPECT_EQ(memory.access(1), kAccess);
  EXPECT_EQ(memory.access(2), kAccess);
  EXPECT_EQ(memory.access(1), 0U);
  EXPECT_EQ(memory.access(3), 2 * kAccess);  // 2 leaves
  EXPECT_EQ(memory.access(1), 0U);
  EXPECT_EQ(memory.access(2), 2 * kAccess);  // 3 leaves
  EXPECT_EQ(memory.access(1), 0U);
  EXPECT_EQ(memory.hits.value(), 3U);
  EXPECT_EQ(memory.misses.value(), 4U);
}

TEST(ContextMemory, WithoutACacheEveryAccessReadsAndWrites) {
  ToeParams params;
  params.cm_cache.value = 0;
  ContextMemory memory(params);
  EXPECT_EQ(memory.access(1), 14U);
  EXPECT_EQ(memory.access(1), 14U);
}

struct PayloadMemoryTest : ::testing::Test {
  ToeParams params = [] {
    ToeParams p;
    p.pm_size.value = units::MiB(8);
    return p;
  }();
  ContextMemory contexts{params};
  PayloadMemory memory{params, contexts};
  PayloadStream stream;

  std::vector<std::uint8_t> read(std::uint64_t offset, std::uint32_t length) {
    std::vector<std::uint8_t> bytes(length, 0xee);
    memory.read(stream, offset, bytes.data(), length);
    return bytes;
  }
  void write(std::uint64_t offset, std::uint32_t length, std::uint8_t first) {
    std::vector<std::uint8_t> bytes(length);
    for (std::uint32_t i = 0; i < length; ++i) bytes[i] = static_cast<std::uint8_t>(first + i);
    memory.write(stream, offset, bytes.data(), length, length);
  }
};

TEST_F(PayloadMemoryTest, PagesComeInGroupsAndTheTransmitHalfHasAReservedPart) {
  // 4 MB are 64 pages, 48 in whole groups; 64 KB less are 63 pages, 48 in whole groups.
  EXPECT_EQ(memory.pages(Half::kTransmit), 48U);
  EXPECT_EQ(memory.pages(Half::kReceive), 48U);
}

TEST_F(PayloadMemoryTest, BytesAcrossPagesComeBack) {
  ASSERT_TRUE(memory.reserve(Half::kTransmit, stream, kPage - 10, kPage + 10));
  write(kPage - 10, 20, 1);
  EXPECT_EQ(memory.tx_pages.value(), 2U);
  EXPECT_EQ(read(kPage - 10, 20)[19], 20);
  EXPECT_EQ(read(kPage - 1, 1)[0], 10);
  EXPECT_EQ(contexts.p_structs.value(), 2U);
  memory.release_below(Half::kTransmit, stream, kPage);
  EXPECT_EQ(memory.tx_pages.value(), 1U);
  EXPECT_EQ(read(kPage, 10)[0], 11);
  memory.release_all(Half::kTransmit, stream);
  EXPECT_EQ(memory.tx_pages.value(), 0U);
  EXPECT_EQ(contexts.p_structs.value(), 0U);
  EXPECT_EQ(memory.backed_pages.value(), 0U);
}

TEST_F(PayloadMemoryTest, ZerosNeedNoMemoryOfTheSimulatorUntilOtherBytesCome) {
  ASSERT_TRUE(memory.reserve(Half::kReceive, stream, 0, 1000));
  memory.write(stream, 0, nullptr, 0, 1000);
  EXPECT_EQ(memory.backed_pages.value(), 0U);
  EXPECT_TRUE(memory.is_blank(stream, 0, 1000));
  write(500, 2, 7);
  EXPECT_EQ(memory.backed_pages.value(), 1U);
  EXPECT_FALSE(memory.is_blank(stream, 0, 1000));
  EXPECT_EQ(read(499, 4), (std::vector<std::uint8_t>{0, 7, 8, 0}));
  memory.write(stream, 500, nullptr, 0, 1);
  EXPECT_EQ(read(499, 4), (std::vector<std::uint8_t>{0, 0, 8, 0}));
}

TEST_F(PayloadMemoryTest, StoredZerosNeedNoMemoryEither) {
  const std::vector<std::uint8_t> zeros(1000);
  ASSERT_TRUE(memory.reserve(Half::kReceive, stream, 0, 1000));
  memory.write(stream, 0, zeros.data(), 1000, 1000);
  EXPECT_TRUE(memory.is_blank(stream, 0, 1000));
  EXPECT_EQ(read(0, 1000), zeros);
}

TEST_F(PayloadMemoryTest, AUsedPageShowsNothingOfItsLastOwner) {
  ASSERT_TRUE(memory.reserve(Half::kReceive, stream, 0, kPage));
  write(0, kPage, 1);
  memory.release_all(Half::kReceive, stream);
  ASSERT_TRUE(memory.reserve(Half::kReceive, stream, 0, 100));
  memory.write(stream, 0, nullptr, 0, 50);
  write(50, 1, 9);
  EXPECT_EQ(read(0, 50), std::vector<std::uint8_t>(50, 0));
}

TEST_F(PayloadMemoryTest, DataBeyondAHoleTakeNoPageForTheHole) {
  ASSERT_TRUE(memory.reserve(Half::kReceive, stream, 5 * kPage, 5 * kPage + 1));
  EXPECT_EQ(memory.rx_pages.value(), 1U);
  ASSERT_TRUE(memory.reserve(Half::kReceive, stream, 2 * kPage, 2 * kPage + 1));
  EXPECT_EQ(memory.rx_pages.value(), 2U);
  write(2 * kPage, 1, 3);
  write(5 * kPage, 1, 4);
  EXPECT_EQ(read(2 * kPage, 1)[0], 3);
  EXPECT_EQ(read(5 * kPage, 1)[0], 4);
  // Both pages count as room, and 46 others are free.
  EXPECT_EQ(memory.available(Half::kReceive, stream, 2 * kPage + 10), 48 * kPage - 10);
}

TEST_F(PayloadMemoryTest, AFullHalfTakesNothingAndTheOtherHalfIsFree) {
  EXPECT_FALSE(memory.reserve(Half::kReceive, stream, 0, 49 * kPage));
  EXPECT_EQ(memory.rx_pages.value(), 0U);
  EXPECT_FALSE(memory.reserve(Half::kReceive, stream, 0, 41 * kPage, 8));
  ASSERT_TRUE(memory.reserve(Half::kReceive, stream, 0, 40 * kPage, 8));
  ASSERT_TRUE(memory.reserve(Half::kReceive, stream, 0, 48 * kPage));
  EXPECT_EQ(memory.available(Half::kReceive, stream, 48 * kPage), 0U);
  PayloadStream other;
  EXPECT_FALSE(memory.fits(Half::kReceive, other, 0, 1));
  EXPECT_TRUE(memory.fits(Half::kTransmit, other, 0, 1));
}

TEST_F(PayloadMemoryTest, EachPageNeedsAStructureThatDescribesIt) {
  params.p_structs.value = 3;
  ContextMemory few{params};
  PayloadMemory small{params, few};
  EXPECT_FALSE(small.reserve(Half::kTransmit, stream, 0, 4 * kPage));
  ASSERT_TRUE(small.reserve(Half::kTransmit, stream, 0, 3 * kPage));
  EXPECT_EQ(few.free_p_structs(), 0U);
  small.release_all(Half::kTransmit, stream);
}

TEST_F(PayloadMemoryTest, AnAccessTakesItsBankCycleAndItsData) {
  // 10 + 1460 / 32 clocks of 150 MHz are 56 clocks, 46.7 of 125 MHz.
  EXPECT_EQ(memory.clocks(1460), 47U);
  EXPECT_EQ(memory.clocks(1), 10U);  // 11 of 150 MHz
  EXPECT_EQ(memory.clocks(0), 0U);
}

}  // namespace
}  // namespace longhaul::toe
