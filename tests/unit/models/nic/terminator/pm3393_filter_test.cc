// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_filter.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using testing::MacPartFixture;

constexpr MacAddress kMine{0x00, 0x07, 0x43, 0x00, 0x13, 0x09};
constexpr MacAddress kOther{0x00, 0x07, 0x43, 0x00, 0x13, 0x0a};
constexpr MacAddress kGroup{0x01, 0x00, 0x5e, 0x00, 0x00, 0xfb};
constexpr MacAddress kSender{0x02, 0, 0, 0, 0, 7};

struct Pm3393FilterTest : ::testing::Test {
  RegisterBank bank{pm::offset_of(pm::kRegisters)};
  Pm3393Filter filter{bank};
  void write(std::uint32_t number, std::uint32_t value) { bank.write(number << 2, value); }
  void exact(std::uint32_t index, const MacAddress& address, std::uint32_t control) {
    for (std::uint32_t i = 0; i < 3; ++i)
      write(0x204a + 3 * index + i, address.at(2 * i) | address.at(2 * i + 1) << 8U);
    const std::uint32_t reg = 0x206e + index / 4;
    write(reg, bank.read(reg << 2) | control << 4 * (index % 4));
  }
  bool accepts(const MacAddress& to) const {
    return filter.accepts(*test::make_frame(64, to, kSender));
  }
};

TEST_F(Pm3393FilterTest, WithoutRulesNothingPasses) {
  for (const MacAddress& to : {kMine, kGroup, test::kBroadcast}) EXPECT_FALSE(accepts(to));
}

TEST_F(Pm3393FilterTest, EachOfTheEightFiltersForwardsItsAddress) {
  for (std::uint32_t i = 0; i < 8; ++i) {
    const MacAddress address = test::station(static_cast<std::uint8_t>(0x40 + i));
    EXPECT_FALSE(accepts(address));
    exact(i, address, 9);
    EXPECT_TRUE(accepts(address)) << i;
  }
  EXPECT_FALSE(accepts(kMine));
}

TEST_F(Pm3393FilterTest, WithoutForwardAMatchDropsAndTheLowestFilterDecides) {
  exact(2, kMine, 9);
  EXPECT_TRUE(accepts(kMine));
  exact(1, kMine, 1);
  EXPECT_FALSE(accepts(kMine));
  exact(0, kMine, 9);
  EXPECT_TRUE(accepts(kMine));
}

TEST_F(Pm3393FilterTest, AFilterMayCompareTheSource) {
  exact(0, kSender, 9 | 2);
  EXPECT_TRUE(accepts(kOther));
  EXPECT_FALSE(filter.accepts(*test::make_frame(64, kSender, kOther)));
}

TEST_F(Pm3393FilterTest, AFilterMayAskForAVlan) {
  exact(3, kMine, 9 | 4);
  write(0x2065, 0x123);
  EXPECT_FALSE(accepts(kMine)) << "untagged";
  FrameRef frame = test::make_frame(68, kMine, kSender);
  write_be16(frame.writable().data() + 12, 0x8100);
  write_be16(frame.writable().data() + 14, 0x2123);
  EXPECT_TRUE(filter.accepts(*frame)) << "priority does not count";
  write_be16(frame.writable().data() + 14, 0x2124);
  EXPECT_FALSE(filter.accepts(*frame));
}

TEST_F(Pm3393FilterTest, TheHashIsTheDriversForManyAddresses) {
  MacAddress address = kGroup;
  for (std::uint32_t i = 0; i < 4096; ++i) {
    address[5] = static_cast<std::uint8_t>(i);
    address[4] = static_cast<std::uint8_t>(i >> 8U);
    address[3] = static_cast<std::uint8_t>(i * 7U);
    EXPECT_EQ(Pm3393Filter::hash_of(address), MacPartFixture::ether_crc(address) >> 23U & 0x3fU);
  }
}

// Bits 23 to 28 of Python's ~zlib.crc32(address), its 32 bits reversed.
TEST_F(Pm3393FilterTest, TheHashIsZlibsCrc) {
  EXPECT_EQ(Pm3393Filter::hash_of(kGroup), 62U);
  EXPECT_EQ(Pm3393Filter::hash_of({0x33, 0x33, 0x00, 0x00, 0x00, 0x01}), 51U);
  EXPECT_EQ(Pm3393Filter::hash_of({0x01, 0x00, 0x5e, 0x00, 0x00, 0x01}), 63U);
  EXPECT_EQ(Pm3393Filter::hash_of({0x01, 0x80, 0xc2, 0x00, 0x00, 0x00}), 15U);
}

TEST_F(Pm3393FilterTest, TheHashSetsOneOfSixtyFourBitsForGroupsOnly) {
  const std::uint32_t bit = Pm3393Filter::hash_of(kGroup);
  write(0x206a + bit / 16, 1U << bit % 16);
  EXPECT_FALSE(accepts(kGroup)) << "the table is off";
  write(0x2070, 1);
  EXPECT_TRUE(accepts(kGroup));
  MacAddress unicast = kGroup;
  std::uint32_t tried = 0;
  for (std::uint32_t i = 0; i < 4; ++i) write(0x206a + i, 0xffff);
  for (unicast[0] = 0; tried < 256; ++tried, ++unicast[5])
    EXPECT_FALSE(accepts(unicast)) << "the table is for group addresses";
}

TEST_F(Pm3393FilterTest, PromiscuousTakesAll) {
  exact(0, kMine, 1);
  write(0x2070, 2);
  for (const MacAddress& to : {kMine, kOther, kGroup, test::kBroadcast}) EXPECT_TRUE(accepts(to));
}

}  // namespace
}  // namespace longhaul::nic::terminator
