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
  std::string path =
      std::filesystem::temp_directory_path() / ("longhaul-blocks-" + std::to_string(getpid()));
  std::string bytes;

  ~BlockTableTest() override { std::filesystem::remove(path); }
  template <class T>
  void put(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void header(std::uint32_t count, std::uint32_t functions = 1,
              std::uint32_t classes = kOpClasses) {
    bytes = "LHBLOCK4";
    put<std::uint64_t>(0x6000'1000);
    put<std::uint64_t>(0x6000'2000);
    put(count);
    put(classes);
    put(functions);
  }
  void block(std::uint32_t offset, std::uint8_t simple, std::uint32_t place = 0) {
    put(offset);
    put(place);
    bytes += static_cast<char>(simple);
    bytes.append(kOpClasses - 1, '\0');
  }
  void function(const TextFunction& function) {
    for (const std::uint32_t word :
         {function.place, function.bytes, function.blocks, function.stretch})
      put(word);
  }
  void write() { std::ofstream(path, std::ios::binary) << bytes; }
  std::string failure() {
    write();
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
  function({0, 0x500, 2, 0});
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
  header(0, 0, kOpClasses + 1);
  EXPECT_THAT(failure(), HasSubstr("is cut short or of another version"));
}

TEST_F(BlockTableTest, BlockOutsideTheTextIsRefused) {
  header(1);
  block(0x1000, 1);
  function({0, 0x1000, 1, 0});
  EXPECT_THAT(failure(), HasSubstr("lies outside the text"));
}

TEST_F(BlockTableTest, FunctionsThatCannotBeAreRefused) {
  header(1, 2);
  block(8, 1);
  function({0, 0x20, 1, 0});
  function({0x1f, 0x20, 0, 0});
  EXPECT_THAT(failure(), HasSubstr("function 1 overlaps the one before"));
  header(1);
  block(8, 1);
  function({0, 0x20, 2, 0});
  EXPECT_THAT(failure(), HasSubstr("function 0 has more blocks than there are"));
  header(1, 0);
  block(8, 1);
  EXPECT_THAT(failure(), HasSubstr("1 blocks belong to no function"));
}

TEST_F(BlockTableTest, InALayoutAFunctionsBlocksMoveTogether) {
  const std::vector<TextFunction> functions = {
      {0, 0x28, 2, 0}, {0x30, 0x10, 1, 0}, {0x40, 0x71, 0, 0}, {0xc0, 9, 2, 0}};
  header(5, 4);
  for (const std::uint32_t place : {0U, 0x25U, 0x30U, 0xc0U, 0xc8U}) block(2 * place, 1, place);
  for (const TextFunction& each : functions) function(each);
  write();
  EXPECT_EQ(BlockTable(path, 0).blocks()[4].place, 0xc8U);
  for (const std::uint64_t layout : {0, 1, 2, 3}) {
    const std::vector<BlockTable::Block> blocks = BlockTable(path, layout).blocks();
    const std::vector<std::uint32_t> places = places_in_layout(functions, layout);
    EXPECT_EQ(blocks[0].place, places[0]);
    EXPECT_EQ(blocks[1].place, places[0] + 0x25);
    EXPECT_EQ(blocks[2].place, places[1]);
    EXPECT_EQ(blocks[3].place, places[3]);
    EXPECT_EQ(blocks[4].place, places[3] + 8);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      EXPECT_EQ(blocks[i].offset, BlockTable(path).blocks()[i].offset);
  }
}

}  // namespace
}  // namespace longhaul::cpu
