// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "platform/observe/sink_error.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::observe {
namespace {

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const SinkError& error) {
    return error.what();
  }
  return "";
}

/// A full disk for `name`: its .part is the device that has room for nothing.
void fill_disk(const ScratchDir& dir, const std::string& name) {
  std::filesystem::create_symlink("/dev/full", dir.path(name + ".part"));
}

TEST(OutputFile, HasItsNameOnlyOnceItIsWhole) {
  ScratchDir dir;
  OutputFile file(dir.path("x"));
  file.write("abc", 3);
  EXPECT_TRUE(dir.exists("x.part"));
  EXPECT_FALSE(dir.exists("x"));
  file.close();
  EXPECT_FALSE(dir.exists("x.part"));
  EXPECT_EQ(dir.text("x"), "abc");
}

TEST(OutputFile, RemovesTheFileOfAnEarlierRunAtTheStart) {
  ScratchDir dir;
  std::ofstream(dir.path("x")) << "stale";
  OutputFile file(dir.path("x"));
  EXPECT_FALSE(dir.exists("x"));
}

TEST(OutputFile, KeepsThePartOfARunThatBroke) {
  ScratchDir dir;
  { OutputFile(dir.path("x")).write("abc", 3); }
  EXPECT_FALSE(dir.exists("x"));
  EXPECT_EQ(dir.text("x.part"), "abc");
}

TEST(OutputFile, KeepsOrderAcrossItsBufferAndLargeWrites) {
  ScratchDir dir;
  OutputFile file(dir.path("x"));
  std::string expected;
  for (const std::size_t size :
       {std::size_t{1}, OutputFile::kBufferBytes - 2, std::size_t{2}, OutputFile::kBufferBytes,
        OutputFile::kBufferBytes * 3 + 5, std::size_t{7}}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 26));
    file.write(piece.data(), piece.size());
    expected += piece;
    EXPECT_EQ(file.offset(), expected.size());
  }
  file.close();
  EXPECT_EQ(dir.text("x"), expected);
}

TEST(OutputFile, PatchReplacesBytesStillInTheBufferAndAppendsGoOnAtTheEnd) {
  ScratchDir dir;
  OutputFile file(dir.path("x"));
  file.write("________", 8);
  file.patch(2, "ab", 2);
  file.write("!", 1);
  file.close();
  EXPECT_EQ(dir.text("x"), "__ab____!");
}

TEST(OutputFile, AFullDiskIsOneLineThatNamesFileAndReason) {
  ScratchDir dir;
  fill_disk(dir, "x");
  OutputFile file(dir.path("x"));
  file.write("abc", 3);  // fits the buffer
  EXPECT_EQ(error_of([&] { file.close(); }),
            dir.path("x") + ": cannot write: No space left on device");
  EXPECT_FALSE(dir.exists("x"));
}

TEST(OutputFile, AfterAFailureWritesDoNothingAndTheRestThrowsTheFirstError) {
  ScratchDir dir;
  fill_disk(dir, "x");
  OutputFile file(dir.path("x"));
  const std::string big(OutputFile::kBufferBytes + 1, 'x');
  const std::string first = dir.path("x") + ": cannot write: No space left on device";
  EXPECT_NO_THROW(file.check());
  file.write(big.data(), big.size());
  EXPECT_EQ(error_of([&] { file.check(); }), first);
  EXPECT_EQ(error_of([&] { file.write("a", 1); }), "");
  EXPECT_EQ(error_of([&] { file.patch(0, "a", 1); }), first);
  EXPECT_EQ(error_of([&] { file.close(); }), first);
}

TEST(OutputFile, ADirectoryThatIsNotThereIsNamed) {
  ScratchDir dir;
  EXPECT_EQ(error_of([&] { OutputFile file(dir.path("no/x")); }),
            dir.path("no/x") + ": cannot create: No such file or directory");
}

}  // namespace
}  // namespace longhaul::observe
