// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/memory_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "models/memory/backing_store.h"

namespace longhaul::host {
namespace {

/// 1 MiB from 0x100000 on, in two nodes, of which the kernel itself has the first 64 KiB.
struct MemoryPoolTest : ::testing::Test {
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(1 << 20);
  MemoryPool pool{{bytes.data(), bytes.size(), 0x100000}, 0x110000, 2};
};

TEST_F(MemoryPoolTest, TakesPowersOfTwoFromTheBeginning) {
  EXPECT_EQ(MemoryPool::rounded(1), 256U);
  EXPECT_EQ(MemoryPool::rounded(256), 256U);
  EXPECT_EQ(MemoryPool::rounded(257), 512U);
  EXPECT_EQ(MemoryPool::rounded(9216), 16384U);
  EXPECT_EQ(pool.allocate(9216), 0x110000U);
  EXPECT_EQ(pool.allocate(2000), 0x114000U);
  EXPECT_EQ(pool.allocate(2048), 0x114800U);
  EXPECT_EQ(pool.allocate(4096), 0x115000U);
  EXPECT_EQ(pool.used(), 16384U + 2 * 2048 + 4096);
}

TEST_F(MemoryPoolTest, GivesTheLastFreedFirst) {
  const std::uint64_t a = pool.allocate(1500);
  const std::uint64_t b = pool.allocate(1500);
  pool.free(a, 1500);
  pool.free(b, 1500);
  EXPECT_EQ(pool.allocate(1600), b);
  EXPECT_EQ(pool.allocate(1600), a);
}

TEST_F(MemoryPoolTest, ObjectsAndPagesKeepApartUntilNothingElseIsLeft) {
  using Use = MemoryPool::Use;
  const std::uint64_t object = pool.allocate(4096);
  pool.free(object, 4096);
  std::vector<std::uint64_t> pages;
  for (std::uint64_t page = pool.allocate(4096, 0, Use::kPage); page != 0;
       page = pool.allocate(4096, 0, Use::kPage))
    pages.push_back(page);
  EXPECT_EQ(pages.size(), (0x200000U - 0x110000U) / 4096);
  EXPECT_EQ(std::count(pages.begin(), pages.end(), object), 1);
  EXPECT_NE(pages.front(), object);
  pool.free(pages[3], 4096, Use::kPage);
  EXPECT_EQ(pool.allocate(4096), pages[3]);
}

TEST_F(MemoryPoolTest, NodesHaveHalvesAndHelpOutEachOther) {
  const std::uint64_t there = pool.allocate(4096, 1);
  EXPECT_EQ(there, 0x180000U);
  EXPECT_EQ(pool.node_of(there), 1U);
  EXPECT_EQ(pool.node_of(pool.allocate(4096, 0)), 0U);
  pool.free(there, 4096);
  EXPECT_NE(pool.allocate(4096, 0), there);
  EXPECT_EQ(pool.allocate(4096, 1), there);
  while (pool.node_of(pool.allocate(4096, 0)) == 0) {
  }
  EXPECT_EQ(pool.used(), 0x180000U - 0x110000U + 2 * 4096U);
}

TEST_F(MemoryPoolTest, WhenNothingIsLeftSaysSoAndGoesOnWithWhatIsFreed) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t page = pool.allocate(4096); page != 0; page = pool.allocate(4096))
    all.push_back(page);
  EXPECT_EQ(all.size(), (0x200000U - 0x110000U) / 4096);
  EXPECT_EQ(pool.allocate(1), 0U);
  EXPECT_EQ(pool.used(), 0x200000U - 0x110000U);
  pool.free(all[7], 4096);
  // A larger one is cut up: 256 from its beginning, then its nearest neighbours.
  EXPECT_EQ(pool.allocate(100), all[7]);
  EXPECT_EQ(pool.allocate(100), all[7] + 256);
  EXPECT_EQ(pool.allocate(1024), all[7] + 1024);
  EXPECT_EQ(pool.allocate(4096), 0U);
  EXPECT_EQ(pool.allocate(std::uint64_t{1} << 50), 0U);
}

TEST_F(MemoryPoolTest, ReachesTheBytesBehindAnAddress) {
  const std::uint64_t address = pool.allocate(256);
  pool.to_write(address, 4)[3] = 7;
  EXPECT_EQ(bytes[address - 0x100000 + 3], 7U);
}

TEST_F(MemoryPoolTest, TheFirstPageIsNeverGiven) {
  std::vector<std::uint8_t> own(8192);
  MemoryPool low({own.data(), own.size(), 0}, 0, 1);
  EXPECT_EQ(low.allocate(4096), 4096U);
  EXPECT_EQ(low.allocate(256), 0U);
}

TEST_F(MemoryPoolTest, BlocksNeverOverlapAndAreAligned) {
  std::mt19937 random(3);
  std::map<std::uint64_t, std::uint64_t> taken;
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 2 == 0 && !taken.empty()) {
      auto victim = taken.begin();
      std::advance(victim, random() % taken.size());
      pool.free(victim->first, victim->second);
      taken.erase(victim);
      continue;
    }
    const std::uint64_t bytes_wanted = std::uint64_t{1} << (random() % 15);
    const std::uint64_t address = pool.allocate(bytes_wanted, random() % 2);
    if (address == 0) continue;
    const std::uint64_t size = MemoryPool::rounded(bytes_wanted);
    EXPECT_EQ(address % std::min<std::uint64_t>(size, 4096), 0U);
    const auto after = taken.lower_bound(address);
    if (after != taken.end()) {
      EXPECT_LE(address + size, after->first);
    }
    if (after != taken.begin()) {
      EXPECT_LE(std::prev(after)->first + MemoryPool::rounded(std::prev(after)->second), address);
    }
    taken[address] = bytes_wanted;
  }
}

TEST(MemoryPool, CopiesOfWhatNobodyWroteStayUnwritten) {
  const memory::BackingStore store(units::MiB(1), "test");
  const memory::MemoryMapping& mapping = store.mapping();
  MemoryPool pool(mapping, 0x10000, 1);
  const std::uint64_t source = pool.allocate(4096);
  const std::uint64_t target = pool.allocate(4096);
  pool.copy(source, target, 4000);
  EXPECT_EQ(mapping.extent(target, 4096), 0U);
  *pool.to_write(source + 1000, 1) = 7;
  *pool.to_write(target + 3000, 1) = 9;
  pool.copy(source, target, 4000);
  EXPECT_EQ(mapping.extent(target, 4096), 1024U);
  EXPECT_EQ(pool.at(target)[1000], 7);
  EXPECT_EQ(pool.at(target)[3000], 0);
}

}  // namespace
}  // namespace longhaul::host
