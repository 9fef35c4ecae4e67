// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/block_profile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

namespace longhaul::guest {
namespace {

constexpr std::uint64_t kText = 0x6000'1000;

/// Two blocks of one cell, of 3 and of 250 simple operations: 1 and 83 1/3 cycles on an ideal core.
struct Hooked {
  std::uint32_t offset;
  std::uint8_t plane;
  int simple;
};
constexpr Hooked kFirst{9, 0, 3};
constexpr Hooked kSecond{0xe, 1, 250};

struct BlockProfileTest : ::testing::Test {
  std::string path = std::filesystem::temp_directory_path() / ("longhaul-profile-" + std::to_string(getpid()));
  cpu::PipelineParams pipeline = cpu::pipeline_preset("k8", "cpu");
  std::unique_ptr<cpu::BlockTable> blocks;
  std::unique_ptr<lh_page> page = std::make_unique<lh_page>();

  BlockProfileTest() {
    pipeline.rest.value = 0;
    std::string bytes = "LHBLOCK2";
    const auto put = [&bytes](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(kText);
    put(kText + 0x100);
    put(std::uint32_t{2});
    put(std::uint32_t{cpu::kOpClasses});
    for (const Hooked& block : {kFirst, kSecond}) {
      put(block.offset);
      put(block.plane);
      bytes += static_cast<char>(block.simple);
      bytes.append(cpu::kOpClasses - 1, '\0');
    }
    std::ofstream(path, std::ios::binary) << bytes;
    blocks = std::make_unique<cpu::BlockTable>(path);
    std::memset(page.get(), 0, sizeof(lh_page));
  }
  ~BlockProfileTest() override { std::filesystem::remove(path); }

  static lh_u32* entry(BlockProfile& profile, const Hooked& block) {
    return reinterpret_cast<lh_u32*>(profile.table().data()) + block.plane * profile.cells() +
           (block.offset >> LH_BLOCK_SHIFT);
  }
  /// What the guest's hook does for this block.
  static void run_block(BlockProfile& profile, const Hooked& block, std::uint64_t times) {
    lh_u32* const counted = entry(profile, block);
    for (; times > 0; --times) {
      if (__builtin_add_overflow(*counted, 1U << LH_BLOCK_COST_BITS, counted))
        ++counted[LH_BLOCK_PLANES * profile.cells()];
    }
  }
  void sample(std::uint64_t kind, std::uint64_t state, std::uint64_t weight, std::initializer_list<std::uint64_t> pcs) {
    page->sample[page->sample_words++] = kind | state << 8 | pcs.size() << 16 | weight << 32;
    for (const std::uint64_t pc : pcs) page->sample[page->sample_words++] = pc;
  }
};

TEST_F(BlockProfileTest, TableHasACostForEachBlockAndNoneElsewhere) {
  BlockProfile profile(*blocks, pipeline);
  EXPECT_EQ(profile.base(), kText);
  EXPECT_EQ(profile.cells(), 0x11U);
  EXPECT_EQ(*entry(profile, kFirst), 64U);
  EXPECT_EQ(*entry(profile, kSecond), 5333U);  // 83.33 cycles of 64 units
  const auto* const table = reinterpret_cast<const lh_u32*>(profile.table().data());
  EXPECT_EQ(std::count(table, table + 3 * LH_BLOCK_PLANES * profile.cells(), 0U),
            3 * LH_BLOCK_PLANES * profile.cells() - 2);
}

TEST_F(BlockProfileTest, CostThatDoesNotFitIsTheLargestThatDoes) {
  pipeline.width.value = 0.1;
  BlockProfile profile(*blocks, pipeline);
  EXPECT_EQ(*entry(profile, kSecond), 0xffffU);
}

TEST_F(BlockProfileTest, OnlyRunsInsideTheWindowCount) {
  BlockProfile profile(*blocks, pipeline);
  run_block(profile, kFirst, 100);
  profile.begin_window();
  run_block(profile, kFirst, 7);
  run_block(profile, kSecond, 3);
  profile.end_window();
  run_block(profile, kFirst, 1000);
  EXPECT_EQ(profile.blocks_text(), "60001009 7 7 0\n6000100e 3 250 0\n");
}

TEST_F(BlockProfileTest, MoreRunsThanAnEntryHoldsCountAll) {
  BlockProfile profile(*blocks, pipeline);
  run_block(profile, kFirst, 65'530);
  profile.begin_window();
  run_block(profile, kFirst, 200'000);
  run_block(profile, kSecond, 65'536);
  profile.end_window();
  EXPECT_EQ(profile.blocks_text(), "60001009 200000 200000 0\n6000100e 65536 5460992 0\n");
}

TEST_F(BlockProfileTest, MissesOfTheInstructionCacheInsideTheWindowCount) {
  pipeline.fetch_miss.value = 12;
  BlockProfile profile(*blocks, pipeline);
  lh_u32* const misses = entry(profile, kSecond) + 2 * LH_BLOCK_PLANES * profile.cells();
  *misses = 5;
  profile.begin_window();
  run_block(profile, kSecond, 3);
  *misses += 2;
  profile.end_window();
  EXPECT_EQ(profile.blocks_text(), "6000100e 3 250 24\n");
}

TEST_F(BlockProfileTest, WithoutAWindowTheWholeRunCounts) {
  BlockProfile profile(*blocks, pipeline);
  run_block(profile, kFirst, 5);
  EXPECT_EQ(profile.blocks_text(), "60001009 5 5 0\n");
}

TEST_F(BlockProfileTest, EqualStacksAddTheirWeightsAndThePageIsEmptied) {
  BlockProfile profile(*blocks, pipeline);
  profile.begin_window();
  sample(LH_SAMPLE_CODE, LH_STATE_SYSTEM, 2, {0x60001010, 0x60001020});
  sample(LH_SAMPLE_CODE, LH_STATE_SYSTEM, 3, {0x60001010, 0x60001020});
  sample(LH_SAMPLE_MMIO, LH_STATE_HARDIRQ, 1, {0x60001010});
  profile.take_samples(*page);
  EXPECT_EQ(page->sample_words, 0U);
  EXPECT_EQ(profile.stacks_text(), "0 1 5 60001010 60001020\n2 3 1 60001010\n");
}

TEST_F(BlockProfileTest, SamplesOutsideTheWindowAreDropped) {
  BlockProfile profile(*blocks, pipeline);
  sample(LH_SAMPLE_CODE, LH_STATE_USER, 1, {0x60001010});
  profile.take_samples(*page);
  profile.begin_window();
  profile.end_window();
  sample(LH_SAMPLE_CODE, LH_STATE_USER, 1, {0x60001010});
  profile.take_samples(*page);
  EXPECT_EQ(profile.stacks_text(), "");
}

TEST_F(BlockProfileTest, StacksBeyondTheMostAreCountedWithoutAddresses) {
  BlockProfile profile(*blocks, pipeline);
  for (std::uint64_t pc = 0; pc < 2100; ++pc) {
    sample(LH_SAMPLE_CODE, LH_STATE_SYSTEM, 1, {kText + pc});
    profile.take_samples(*page);
  }
  const std::string text = profile.stacks_text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2049);
  EXPECT_EQ(text.substr(0, text.find('\n')), "0 1 52");
}

TEST_F(BlockProfileTest, RecordThatClaimsMoreThanThePageHoldsIsCut) {
  BlockProfile profile(*blocks, pipeline);
  page->sample[0] = LH_SAMPLE_CODE | 0xffffULL << 16 | 1ULL << 32;
  page->sample[1] = 0x60001010;
  page->sample_words = 2;
  profile.take_samples(*page);
  EXPECT_EQ(profile.stacks_text(), "0 0 1 60001010\n");
  page->sample_words = ~0U;
  profile.take_samples(*page);  // no more than the page has
}

}  // namespace
}  // namespace longhaul::guest
