// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/digest.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace longhaul::observe {
namespace {

std::uint64_t of(const std::string& text, std::uint64_t seed = 0) {
  return digest(text.data(), text.size(), seed);
}

// xxHash's own vectors: libxxhash 0.8.1, XXH64.
TEST(Digest, IsXxh64) {
  EXPECT_EQ(of(""), 0xef46db3751d8e999);
  EXPECT_EQ(of("a"), 0xd24ec4f1a98c6e5b);
  EXPECT_EQ(of("abc"), 0x44bc2cf5ad770999);
  EXPECT_EQ(of("Nobody inspects the spammish repetition"),
            0xfbcea83c8a378bf1);  // stripes, words, rest
}

TEST(Digest, TheSeedChangesIt) { EXPECT_NE(of("abc", 1), of("abc")); }

FrameRef frame_of(std::uint32_t size, std::uint8_t fill) {
  FrameRef frame = Frame::allocate(size);
  std::memset(frame.writable().data(), fill, size);
  return frame;
}

TEST(Digest, ABlankTailIsTheSameAsStoredZeros) {
  FrameRef stored = frame_of(2000, 0);
  std::memset(stored.writable().data(), 7, 301);
  FrameRef blank = frame_of(2000, 0);
  std::memset(blank.writable().data(), 7, 301);
  blank.writable().leave_blank(301);
  ASSERT_LT(blank->stored(), stored->stored());
  EXPECT_EQ(digest(*blank), digest(*stored));
}

TEST(Digest, OneMoreZeroAtTheEndIsAnotherFrame) {
  EXPECT_NE(digest(*frame_of(2000, 0)), digest(*frame_of(2001, 0)));
}

TEST(Digest, OneBitIsAnotherFrame) {
  for (const std::uint32_t at : {0U, 999U, 1999U}) {
    FrameRef frame = frame_of(2000, 1);
    frame.writable().data()[at] ^= 0x80;
    EXPECT_NE(digest(*frame), digest(*frame_of(2000, 1))) << at;
  }
}

}  // namespace
}  // namespace longhaul::observe
