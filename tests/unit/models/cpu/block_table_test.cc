// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/block_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace longhaul::cpu {
namespace {

using ::testing::HasSubstr;

struct BlockTableTest : ::testing::Test {
  std::string path = std::filesystem::temp_directory_path() / ("longhaul-blocks-" + std::to_string(getpid()));
  std::string bytes;

  ~BlockTableTest() override { std::filesystem::remove(path); }
  template <class T>
  void put(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void header(std::uint32_t count, std::uint32_t classes = kOpClasses) {
    bytes = "LHBLOCK3";
    put<std::uint64_t>(0x6000'1000);
    put<std::uint64_t>(0x6000'2000);
    put(count);
    put(classes);
  }
  void block(std::uint32_t offset, std::uint8_t simple, std::uint32_t place = 0) {
    put(offset);
    put(place);
    bytes += static_cast<char>(simple);
    bytes.append(kOpClasses - 1, '\0');
  }
  std::string failure() {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      BlockTable table(path);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(BlockTableTest, ReadsTextAndBlocks) {
  header(2);
  block(8, 3);
  block(0xffc, 250, 0x456);
  EXPECT_EQ(failure(), "");
  const BlockTable table(path);
  EXPECT_EQ(table.begin(), 0x6000'1000U);
  EXPECT_EQ(table.end(), 0x6000'2000U);
  ASSERT_EQ(table.blocks().size(), 2U);
  EXPECT_EQ(table.blocks()[1].offset, 0xffcU);
  EXPECT_EQ(table.blocks()[0].place, 0U);
  EXPECT_EQ(table.blocks()[1].place, 0x456U);
  EXPECT_EQ(table.blocks()[1].ops[0], 250U);
}

TEST_F(BlockTableTest, MissingFileSaysWhatIsWanted) {
  try {
    BlockTable table("/nonexistent/blocks.bin");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent/blocks.bin: cannot be read"));
  }
}

TEST_F(BlockTableTest, AnotherFileIsRefused) {
  bytes = std::string(100, 'x');
  EXPECT_THAT(failure(), HasSubstr("is no table of basic blocks"));
}

TEST_F(BlockTableTest, CutFileAndOtherClassesAreRefused) {
  header(2);
  block(8, 3);
  EXPECT_THAT(failure(), HasSubstr("is cut short or of another version"));
  header(0, kOpClasses + 1);
  EXPECT_THAT(failure(), HasSubstr("is cut short or of another version"));
}

TEST_F(BlockTableTest, BlockOutsideTheTextIsRefused) {
  header(1);
  block(0x1000, 1);
  EXPECT_THAT(failure(), HasSubstr("lies outside the text"));
}

}  // namespace
}  // namespace longhaul::cpu
