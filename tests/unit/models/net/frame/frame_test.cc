// SPDX-License-Identifier: Apache-2.0
#include "models/net/frame/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace longhaul {
namespace {

/// FCS by the definition in IEEE 802.3, 3.2.9: bit by bit, polynomial 0x04c11db7 reflected.
std::uint32_t fcs_by_definition(const Frame& frame) {
  std::uint32_t crc = 0xffff'ffff;
  for (std::uint32_t i = 0; i < frame.size(); ++i) {
    crc ^= frame.data()[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xedb8'8320U : 0U);
  }
  return ~crc;
}

FrameRef patterned(std::uint32_t size) {
  FrameRef ref = Frame::allocate(size);
  for (std::uint32_t i = 0; i < size; ++i)
    ref.writable().data()[i] = static_cast<std::uint8_t>(i * 7 + 1);
  return ref;
}

TEST(Frame, FcsIsTheStandardsCrc) {
  FrameRef check = Frame::allocate(9);
  std::memcpy(check.writable().data(), "123456789", 9);
  EXPECT_EQ(check->fcs(), 0xcbf43926U);  // check value of CRC-32
  for (std::uint32_t size : {1U, 60U, 1514U, 9212U, Frame::kMaxBytes}) {
    const FrameRef frame = patterned(size);
    EXPECT_EQ(frame->fcs(), fcs_by_definition(*frame)) << size;
    EXPECT_TRUE(frame->fcs_matches());
  }
}

TEST(Frame, FcsFollowsTheBytesUntilABitIsFlipped) {
  FrameRef frame = patterned(100);
  const std::uint32_t before = frame->fcs();
  frame.writable().data()[50] ^= 0xff;
  EXPECT_NE(frame->fcs(), before);
  EXPECT_EQ(frame->fcs(), fcs_by_definition(*frame));
  EXPECT_TRUE(frame->fcs_matches());
}

TEST(Frame, AFlippedBitIsDetectedAndTheOldFcsStays) {
  FrameRef frame = patterned(100);
  const std::uint32_t before = frame->fcs();
  frame.writable().flip_bit(50 * 8 + 3);
  EXPECT_EQ(frame->data()[50], static_cast<std::uint8_t>(50 * 7 + 1) ^ 0x08);
  EXPECT_EQ(frame->fcs(), before);
  EXPECT_FALSE(frame->fcs_matches());
}

TEST(Frame, FlippingTheSameBitBackHealsTheFrame) {
  FrameRef frame = patterned(100);
  frame.writable().flip_bit(17);
  frame.writable().flip_bit(17);
  EXPECT_TRUE(frame->fcs_matches());
}

TEST(Frame, BitsOfTheFcsItselfCanFlip) {
  FrameRef frame = patterned(100);
  const std::uint32_t before = frame->fcs();
  frame.writable().flip_bit(100 * 8 + 31);
  EXPECT_EQ(frame->fcs(), before ^ 0x8000'0000U);
  EXPECT_FALSE(frame->fcs_matches());
  EXPECT_THROW(frame.writable().flip_bit(104 * 8), std::length_error);
}

TEST(Frame, AnErrorPatternThatIsACodewordGoesUndetected) {
  // The polynomial itself, as 33 bits in a row, is divisible by itself: the check is computed, not
  // remembered.
  FrameRef frame = patterned(100);
  constexpr std::uint64_t kPolynomial = 0x1'04c1'1db7ULL;  // most significant bit is sent first
  for (std::uint32_t i = 0; i < 33; ++i) {
    if ((kPolynomial >> (32 - i) & 1U) != 0) frame.writable().flip_bit(200 + i);
  }
  EXPECT_TRUE(frame->fcs_matches());
}

TEST(Frame, AnFcsThatCameWithTheBytesStaysRightOrWrong) {
  FrameRef frame = patterned(60);
  const std::uint32_t right = frame->fcs();
  frame.writable().set_fcs(right ^ 0x100);
  EXPECT_FALSE(frame->fcs_matches());
  EXPECT_EQ(frame->fcs(), right ^ 0x100);
  frame.writable().set_fcs(right);
  EXPECT_TRUE(frame->fcs_matches());
  EXPECT_EQ(frame->fcs(), right);
}

TEST(Frame, SharedFramesAreCopiedBeforeTheyChange) {
  FrameRef one = patterned(100);
  FrameRef two = one;
  const std::uint64_t id = one->id();
  two.writable().flip_bit(0);
  EXPECT_TRUE(one->fcs_matches());
  EXPECT_FALSE(two->fcs_matches());
  EXPECT_EQ(one->id(), id);
  EXPECT_NE(two->id(), id);
  FrameRef three = two;
  three.writable().data()[5] = 0;  // a copy keeps the damage of the original
  EXPECT_FALSE(three->fcs_matches());
  EXPECT_EQ(three->fcs(), two->fcs());
}

TEST(Frame, ASoleHolderChangesInPlace) {
  FrameRef one = patterned(100);
  const std::uint8_t* bytes = one->data();
  EXPECT_EQ(one.writable().data(), bytes);
}

TEST(Frame, PaddingZeroFillsToTheMinimum) {
  FrameRef frame = patterned(200);
  frame.writable().resize(20);
  frame.writable().pad_to_minimum();
  EXPECT_EQ(frame->size(), Frame::kMinBytes);
  for (std::uint32_t i = 20; i < Frame::kMinBytes; ++i) EXPECT_EQ(frame->data()[i], 0) << i;
  EXPECT_EQ(frame->data()[19], static_cast<std::uint8_t>(19 * 7 + 1));
}

TEST(Frame, SizesOutsideTheRangeAreRefused) {
  EXPECT_THROW(Frame::allocate(0), std::length_error);
  EXPECT_THROW(Frame::allocate(Frame::kMaxBytes + 1), std::length_error);
  FrameRef frame = Frame::allocate(1);
  EXPECT_NO_THROW(frame.writable().resize(Frame::kMinBytes));
  EXPECT_THROW(frame.writable().resize(Frame::kMaxBytes), std::length_error);
}

using ByteVector = std::vector<std::uint8_t>;

/// A frame whose bytes from `from` on are zero, as data() gives them.
ByteVector blank_tail(std::uint32_t size, std::uint32_t from) {
  const FrameRef whole = patterned(size);
  ByteVector bytes(whole->data(), whole->data() + size);
  std::fill(bytes.begin() + std::min(from, size), bytes.end(), std::uint8_t{0});
  return bytes;
}
ByteVector bytes_of(const FrameRef& frame) {
  return {frame->data(), frame->data() + frame->size()};
}

TEST(Frame, ABlankTailIsZeroForWhoeverLooks) {
  for (const std::uint32_t from : {0U, 60U, 256U, 257U, 1000U, 1999U, 2000U, 5000U}) {
    FrameRef frame = patterned(2000);
    frame.writable().leave_blank(from);
    EXPECT_EQ(frame->stored(), std::min(std::max(from, Frame::kHeadBytes), 2000U)) << from;
    const ByteVector wanted = blank_tail(2000, from);
    EXPECT_TRUE(std::equal(frame->head(), frame->head() + frame->stored(), wanted.begin())) << from;
    EXPECT_EQ(bytes_of(frame), wanted) << from;
    EXPECT_EQ(frame->stored(), 2000U);
  }
  FrameRef small = patterned(100);
  small.writable().leave_blank(70);
  EXPECT_EQ(small->stored(), 100U);
  EXPECT_EQ(bytes_of(small), blank_tail(100, 70));
}

TEST(Frame, CopiesShareABlankTailAndChangeApart) {
  FrameRef one = patterned(3000);
  one.writable().leave_blank(500);
  FrameRef two = one;
  two.writable().flip_bit(8 * 2000);
  EXPECT_EQ(one->stored(), 500U);
  ByteVector flipped = blank_tail(3000, 500);
  EXPECT_EQ(bytes_of(one), flipped);
  flipped[2000] = 1;
  EXPECT_EQ(bytes_of(two), flipped);
  EXPECT_FALSE(two->fcs_matches());
  EXPECT_TRUE(one->fcs_matches());
}

TEST(Frame, TheFcsCountsABlankTail) {
  FrameRef blank = patterned(3000);
  blank.writable().leave_blank(700);
  FrameRef stored = Frame::allocate(3000);
  const ByteVector bytes = blank_tail(3000, 700);
  std::memcpy(stored.writable().data(), bytes.data(), bytes.size());
  EXPECT_EQ(blank->fcs(), stored->fcs());
}

TEST(Frame, ABlankTailKeepsItsZerosWhenTheSizeChanges) {
  FrameRef frame = patterned(2000);
  frame.writable().leave_blank(300);
  frame.writable().resize(1000);
  EXPECT_EQ(bytes_of(frame), blank_tail(1000, 300));
  FrameRef grown = patterned(1000);
  grown.writable().leave_blank(300);
  grown.writable().resize(1020);
  EXPECT_EQ(ByteVector(grown->data(), grown->data() + 1000), blank_tail(1000, 300));
  FrameRef cut = patterned(2000);
  cut.writable().leave_blank(900);
  cut.writable().resize(600);
  EXPECT_EQ(cut->stored(), 600U);
}

TEST(FramePool, EverySizeFitsItsClassWithoutOverlap) {
  std::vector<FrameRef> held;
  for (std::uint32_t size = 1; size <= Frame::kMaxBytes; size += 97) {
    held.push_back(Frame::allocate(size));
    std::memset(held.back().writable().data(), static_cast<int>(held.size() & 0xff), size);
  }
  for (std::size_t i = 0; i < held.size(); ++i) {
    const auto mark = static_cast<std::uint8_t>((i + 1) & 0xff);
    EXPECT_EQ(held[i]->data()[0], mark);
    EXPECT_EQ(held[i]->data()[held[i]->size() - 1], mark);
  }
}

TEST(FramePool, ReusesMemoryOnceWarm) {
  const std::uint64_t live = frame_pool_stats().live;
  {
    std::vector<FrameRef> warm;
    for (int i = 0; i < 100; ++i) warm.push_back(Frame::allocate(1514));
    EXPECT_EQ(frame_pool_stats().live, live + 100);
  }
  EXPECT_EQ(frame_pool_stats().live, live);
  const FramePoolStats before = frame_pool_stats();
  for (int round = 0; round < 50; ++round) {
    std::vector<FrameRef> frames;
    for (int i = 0; i < 100; ++i) frames.push_back(Frame::allocate(1514));
  }
  EXPECT_EQ(frame_pool_stats().allocated, before.allocated);
  EXPECT_EQ(frame_pool_stats().bytes, before.bytes);
}

TEST(FramePool, ADamagedFrameComesBackClean) {
  FrameRef frame = patterned(60);
  const std::uint8_t* bytes = frame->data();
  frame.writable().flip_bit(3);
  frame.reset();
  FrameRef again = patterned(60);
  ASSERT_EQ(again->data(), bytes);  // last in, first out
  EXPECT_TRUE(again->fcs_matches());
}

}  // namespace
}  // namespace longhaul
