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

/// Two blocks, of 3 and of 250 simple operations: 1 and 83 1/3 cycles on an ideal core.
struct BlockProfileTest : ::testing::Test {
  std::string path = std::filesystem::temp_directory_path() / ("longhaul-profile-" + std::to_string(getpid()));
  cpu::PipelineParams pipeline = cpu::pipeline_preset("k8", "cpu");
  std::unique_ptr<cpu::BlockTable> blocks;
  std::unique_ptr<lh_page> page = std::make_unique<lh_page>();

  BlockProfileTest() {
    pipeline.rest.value = 0;
    std::string bytes = "LHBLOCK1";
    const auto put = [&bytes](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(kText);
    put(kText + 0x100);
    put(std::uint32_t{2});
    put(std::uint32_t{cpu::kOpClasses});
    for (const auto& [offset, simple] : {std::pair{9U, 3}, std::pair{0x40U, 250}}) {
      put(std::uint32_t{offset});
      bytes += static_cast<char>(simple);
      bytes.append(cpu::kOpClasses - 1, '\0');
    }
    std::ofstream(path, std::ios::binary) << bytes;
    blocks = std::make_unique<cpu::BlockTable>(path);
    std::memset(page.get(), 0, sizeof(lh_page));
  }
  ~BlockProfileTest() override { std::filesystem::remove(path); }

  /// What the guest's hook does for the block at this offset.
  static void run_block(BlockProfile& profile, std::uint32_t offset, std::uint64_t times) {
    lh_u32* const entry = reinterpret_cast<lh_u32*>(profile.table().data()) + (offset >> LH_BLOCK_SHIFT);
    for (; times > 0; --times) {
      if (__builtin_add_overflow(*entry, 1U << LH_BLOCK_COST_BITS, entry)) ++entry[profile.entries()];
    }
  }
  void sample(std::uint64_t kind, std::uint64_t state, std::uint64_t weight, std::initializer_list<std::uint64_t> pcs) {
    page->sample[page->sample_words++] = kind | state << 8 | pcs.size() << 16 | weight << 32;
    for (const std::uint64_t pc : pcs) page->sample[page->sample_words++] = pc;
  }
};

TEST_F(BlockProfileTest, TableHasACostForEachBlockAndNoneElsewhere) {
  BlockProfile profile(*blocks, pipeline);
  const auto* const table = reinterpret_cast<const lh_u32*>(profile.table().data());
  EXPECT_EQ(profile.base(), kText);
  EXPECT_EQ(profile.entries(), 0x41U);
  EXPECT_EQ(table[9 >> 2], 64U);
  EXPECT_EQ(table[0x40 >> 2], 5333U);  // 83.33 cycles of 64 units
  EXPECT_EQ(table[3], 0U);
}

TEST_F(BlockProfileTest, CostThatDoesNotFitIsTheLargestThatDoes) {
  pipeline.width.value = 0.1;
  BlockProfile profile(*blocks, pipeline);
  EXPECT_EQ(reinterpret_cast<const lh_u32*>(profile.table().data())[0x40 >> 2], 0xffffU);
}

TEST_F(BlockProfileTest, OnlyRunsInsideTheWindowCount) {
  BlockProfile profile(*blocks, pipeline);
  run_block(profile, 9, 100);
  profile.begin_window();
  run_block(profile, 9, 7);
  run_block(profile, 0x40, 3);
  profile.end_window();
  run_block(profile, 9, 1000);
  EXPECT_EQ(profile.blocks_text(), "60001008 7 7\n60001040 3 250\n");
}

TEST_F(BlockProfileTest, MoreRunsThanAnEntryHoldsCountAll) {
  BlockProfile profile(*blocks, pipeline);
  run_block(profile, 9, 65'530);
  profile.begin_window();
  run_block(profile, 9, 200'000);
  run_block(profile, 0x40, 65'536);
  profile.end_window();
  EXPECT_EQ(profile.blocks_text(), "60001008 200000 200000\n60001040 65536 5460992\n");
}

TEST_F(BlockProfileTest, WithoutAWindowTheWholeRunCounts) {
  BlockProfile profile(*blocks, pipeline);
  run_block(profile, 9, 5);
  EXPECT_EQ(profile.blocks_text(), "60001008 5 5\n");
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
