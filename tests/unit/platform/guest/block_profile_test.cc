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

/// Two blocks, of 3 and of 250 simple operations: 1 and 83 1/3 cycles on an ideal core. What counts
/// them takes room.
struct Block {
  std::size_t index;
  std::uint32_t offset;
  std::uint32_t place;
  int simple;
};
constexpr Block kFirst{0, 9, 5, 3};
constexpr Block kNext{1, 0x8e, 0x41, 250};

struct BlockProfileTest : ::testing::Test {
  std::string path =
      std::filesystem::temp_directory_path() / ("longhaul-profile-" + std::to_string(getpid()));
  cpu::PipelineParams pipeline = cpu::pipeline_preset("k8", "cpu");
  std::unique_ptr<cpu::BlockTable> blocks;
  std::unique_ptr<lh_page> page = std::make_unique<lh_page>();

  BlockProfileTest() {
    pipeline.rest.value = 0;
    std::string bytes = "LHBLOCK4";
    const auto put = [&bytes](auto value) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    put(kText);
    put(kText + 0x100);
    put(std::uint32_t{2});
    put(std::uint32_t{cpu::kOpClasses});
    put(std::uint32_t{1});
    for (const Block& block : {kFirst, kNext}) {
      put(block.offset);
      put(block.place);
      bytes += static_cast<char>(block.simple);
      bytes.append(cpu::kOpClasses - 1, '\0');
    }
    for (const std::uint32_t word : {0, 0x100, 2, 0}) put(word);  // the function
    std::ofstream(path, std::ios::binary) << bytes;
    blocks = std::make_unique<cpu::BlockTable>(path);
    std::memset(page.get(), 0, sizeof(lh_page));
  }
  ~BlockProfileTest() override { std::filesystem::remove(path); }

  static lh_block_table& table(BlockProfile& profile) {
    return *reinterpret_cast<lh_block_table*>(profile.table().data());
  }
  /// What the guest's kernel does for this block.
  static void run_block(BlockProfile& profile, const Block& block, std::uint64_t times) {
    table(profile).runs[block.index] += times;
  }
  void sample(std::uint64_t kind, std::uint64_t state, std::uint64_t weight,
              std::initializer_list<std::uint64_t> pcs) {
    page->sample[page->sample_words++] = kind | state << 8 | pcs.size() << 16 | weight << 32;
    for (const std::uint64_t pc : pcs) page->sample[page->sample_words++] = pc;
  }
};

TEST_F(BlockProfileTest, TableHasCostAndLineOfEachBlock) {
  BlockProfile profile(*blocks, pipeline);
  EXPECT_EQ(profile.base(), kText);
  ASSERT_EQ(profile.count(), 2U);
  const lh_block* const entry = table(profile).block;
  EXPECT_EQ(entry[0].offset, kFirst.offset);
  EXPECT_EQ(entry[0].cost, 64U);
  EXPECT_EQ(entry[0].line, kText / 64);
  EXPECT_EQ(entry[1].offset, kNext.offset);
  EXPECT_EQ(entry[1].cost, 5333U);                // 83.33 cycles of 64 units
  EXPECT_EQ(entry[1].line, (kText + 0x40) / 64);  // where it would be if nothing counted it
}

TEST_F(BlockProfileTest, LinesAreOfTheModelledCachesLength) {
  pipeline.icache_line.value = {32};
  BlockProfile profile(*blocks, pipeline);
  EXPECT_EQ(table(profile).block[1].line, (kText + 0x40) / 32);
}

TEST_F(BlockProfileTest, OnlyRunsInsideTheWindowCount) {
  BlockProfile profile(*blocks, pipeline);
  run_block(profile, kFirst, 100);
  profile.begin_window();
  run_block(profile, kFirst, 7);
  run_block(profile, kNext, 3);
  profile.end_window();
  run_block(profile, kFirst, 1000);
  EXPECT_EQ(profile.blocks_text(), "60001009 7 7 0\n6000108e 3 250 0\n");
}

TEST_F(BlockProfileTest, RunsBeyond32BitsCount) {
  BlockProfile profile(*blocks, pipeline);
  run_block(profile, kFirst, 65'530);
  profile.begin_window();
  run_block(profile, kFirst, 20'000'000'000);
  profile.end_window();
  EXPECT_EQ(profile.blocks_text(), "60001009 20000000000 20000000000 0\n");
}

TEST_F(BlockProfileTest, MissesOfTheInstructionCacheInsideTheWindowCount) {
  pipeline.fetch_miss.value = 12;
  BlockProfile profile(*blocks, pipeline);
  lh_u64& misses = table(profile).misses[kNext.index];
  misses = 5;
  profile.begin_window();
  run_block(profile, kNext, 3);
  misses += 2;
  profile.end_window();
  EXPECT_EQ(profile.blocks_text(), "6000108e 3 250 24\n");
}

TEST_F(BlockProfileTest, BlocksOfAModuleFollowTheKernelsAndCountFromTheirLoading) {
  BlockProfile profile(*blocks, pipeline);
  profile.begin_window();
  const lh_module_block block{0x5000'0027, 0x5000'0020, {6}};  // 6 simple operations: 2 cycles
  EXPECT_EQ(profile.add_module(&block, 1), 2U);
  EXPECT_EQ(profile.count(), 3U);
  EXPECT_EQ(table(profile).block[2].cost, 128U);
  EXPECT_EQ(table(profile).block[2].line, 0x5000'0020U / 64);
  table(profile).runs[2] += 4;
  run_block(profile, kFirst, 1);
  profile.end_window();
  EXPECT_EQ(profile.blocks_text(), "60001009 1 1 0\n50000027 4 8 0\n");
}

TEST_F(BlockProfileTest, ModuleThatDoesNotFitIsNotTakenAtAll) {
  BlockProfile profile(*blocks, pipeline);
  const std::vector<lh_module_block> many(LH_BLOCKS_MOST - 1);
  EXPECT_EQ(profile.add_module(many.data(), many.size()), LH_NO_ROOM);
  EXPECT_EQ(profile.count(), 2U);
  EXPECT_EQ(profile.add_module(many.data(), many.size() - 1), 2U);
  EXPECT_EQ(profile.count(), LH_BLOCKS_MOST);
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
