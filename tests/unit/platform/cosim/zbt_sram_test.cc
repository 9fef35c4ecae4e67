// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/zbt_sram.h"

#include <gtest/gtest.h>

#include <array>

namespace longhaul::cosim {
namespace {

/// The pins of two memories side by side, as in a block with four: the second one is tested.
struct ZbtSramTest : ::testing::Test {
  std::array<std::uint32_t, 2> address{};
  std::array<std::uint32_t, 3> write_data{};
  std::array<std::uint32_t, 3> read_data{};
  std::uint8_t read = 0;
  std::uint8_t write = 0;
  ZbtSram sram{{Pin(address.data(), 22, 22), Pin(&read, 1, 1), Pin(&write, 1, 1),
                Pin(write_data.data(), 36, 36), Pin(read_data.data(), 36, 36)},
               22};
  Pin address_pin{address.data(), 22, 22};
  Pin write_pin{write_data.data(), 36, 36};
  Pin read_pin{read_data.data(), 36, 36};

  /// What the block drives from an edge on; the memory sees it at the next.
  void drive(bool re, bool we, std::uint32_t at, std::uint64_t data = 0) {
    read = re ? 2 : 0;
    write = we ? 2 : 0;
    address_pin.set(at);
    write_pin.set(data);
    sram.clocked(0);
  }
};

TEST_F(ZbtSramTest, WriteDataFollowsItsAddressByTwoClocks) {
  drive(false, true, 0x2a'aaaa);
  drive(false, false, 1, 0x1'1111'1111);
  drive(false, false, 2, 0xc'cafe'f00d);
  EXPECT_EQ(sram.word(0x2a'aaaa), ZbtSram::kNoise);
  drive(false, false, 3, 0x2'2222'2222);
  EXPECT_EQ(sram.word(0x2a'aaaa), 0xc'cafe'f00dU);
}

TEST_F(ZbtSramTest, ReadDataShowsAfterTheSecondEdge) {
  drive(false, true, 7);
  drive(false, false, 0);
  drive(false, false, 0, 0xf'0123'4567);
  drive(true, false, 7);
  drive(false, false, 0);  // address taken
  EXPECT_NE(read_pin.get(), 0xf'0123'4567U);
  drive(false, false, 0);  // data
  EXPECT_EQ(read_pin.get(), 0xf'0123'4567U);
  EXPECT_EQ(read_data[0], 0U);  // the first memory's bits
  EXPECT_EQ(read_data[1] & 0xfU, 0U);
}

TEST_F(ZbtSramTest, AWordWrittenInThisClockIsReadInIt) {
  drive(false, true, 5);
  drive(true, false, 5);
  drive(false, false, 0, 0x3'3333'3333);
  drive(false, false, 0);
  EXPECT_EQ(read_pin.get(), 0x3'3333'3333U);
}

TEST_F(ZbtSramTest, WritesAndReadsAlternateAtFullRate) {
  constexpr std::uint32_t kWords = 1000;
  const auto word_of = [](std::uint32_t n) { return n * 0x3'7000'0001ULL & 0xf'ffff'ffffULL; };
  std::vector<std::uint64_t> got;
  for (std::uint32_t clock = 0; clock < 2 * kWords + 20; ++clock) {
    const std::uint32_t n = clock / 2;
    const bool we = clock % 2 == 0 && n < kWords;
    const bool re = clock % 2 == 1 && n >= 4 && n - 4 < kWords;
    const std::uint32_t data_of = clock >= 2 ? (clock - 2) / 2 : 0;
    drive(re, we, we ? n : n - 4, clock % 2 == 0 ? word_of(data_of) : 0);
    if (clock % 2 == 1 && n >= 5 && n - 5 < kWords)
      got.push_back(read_pin.get());  // asked for two clocks before
  }
  ASSERT_EQ(got.size(), kWords);
  for (std::uint32_t n = 0; n < kWords; ++n) ASSERT_EQ(got[n], word_of(n));
}

TEST_F(ZbtSramTest, APlaceNeverWrittenReadsAsNoise) {
  drive(true, false, 9);
  drive(false, false, 0);
  drive(false, false, 0);
  EXPECT_EQ(read_pin.get(), ZbtSram::kNoise);
}

}  // namespace
}  // namespace longhaul::cosim
