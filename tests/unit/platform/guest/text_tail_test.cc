// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/text_tail.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace longhaul::guest {
namespace {

struct TextTail : ::testing::Test {
  std::string path =
      (std::filesystem::temp_directory_path() / ("longhaul-tail-" + std::to_string(getpid())))
          .string();
  ~TextTail() override { std::filesystem::remove(path); }
  std::string tail_of(const std::string& text, std::size_t lines) {
    std::ofstream(path, std::ios::binary) << text;
    return text_tail(path, lines);
  }
};

TEST_F(TextTail, HasTheLastLinesThatAreNotEmpty) {
  EXPECT_EQ(tail_of("one\ntwo\n\nthree\r\n  \n", 2), "  | two\n  | three\n");
}

TEST_F(TextTail, ALastLineNeedsNoNewline) {
  EXPECT_EQ(tail_of("one\ntwo", 5), "  | one\n  | two\n");
}

TEST_F(TextTail, NoFileHasNone) { EXPECT_EQ(text_tail("/nowhere/at/all"), ""); }

TEST_F(TextTail, BytesThatAreNoTextAreMarked) {
  EXPECT_EQ(tail_of(std::string("a\x1b[2J\0b\n", 8), 5), "  | a?[2J?b\n");
}

TEST_F(TextTail, ALongLineIsCut) {
  EXPECT_EQ(tail_of(std::string(5000, 'x') + "\n", 5), "  | " + std::string(200, 'x') + "...\n");
}

TEST_F(TextTail, OnlyTheEndOfALargeFileIsRead) {
  std::string text(1 << 20, 'x');
  EXPECT_EQ(tail_of(text + "\nlast\n", 5), "  | last\n");
}

}  // namespace
}  // namespace longhaul::guest
