// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/rx_filter.h"

#include <gtest/gtest.h>

namespace longhaul::nic::genesis {
namespace {

constexpr MacAddress kStation{0x00, 0x00, 0x5a, 0x12, 0x34, 0x56};
constexpr MacAddress kNeighbour{0x00, 0x00, 0x5a, 0x12, 0x34, 0x57};
constexpr MacAddress kMulticast{0x01, 0x00, 0x5e, 0x00, 0x00, 0x01};
constexpr MacAddress kEverybody{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

void set_station(RxFilter& filter, const MacAddress& address) {
  for (std::uint32_t i = 0; i < 3; ++i) {
    filter.set_station_half(i,
                            static_cast<std::uint16_t>(address[2 * i] | address[2 * i + 1] << 8U));
  }
}

/// CRC-32 bit by bit: reflected, inverted at both ends.
std::uint32_t crc(const MacAddress& address) {
  std::uint32_t rest = ~0U;
  for (const std::uint8_t byte : address) {
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      const bool one = ((rest ^ (byte >> bit)) & 1U) != 0;
      rest = rest >> 1U ^ (one ? 0xedb8'8320U : 0U);
    }
  }
  return ~rest;
}

TEST(GenesisRxFilter, HashIsTheLowSixBitsOfTheFcs) {
  for (std::uint32_t i = 0; i < 256; ++i) {
    const MacAddress address{
        0x01, 0x00, 0x5e, 0x11, static_cast<std::uint8_t>(i * 7), static_cast<std::uint8_t>(i)};
    ASSERT_EQ(RxFilter::hash_of(address), crc(address) & 0x3f) << i;
  }
}

TEST(GenesisRxFilter, EachBitOfTheTableLetsItsOwnAddressesIn) {
  for (std::uint32_t i = 0; i < 256; ++i) {
    const MacAddress address{0x33, 0x33, 0, 0, 1, static_cast<std::uint8_t>(i)};
    const std::uint32_t bit = crc(address) & 0x3f;
    RxFilter filter;
    filter.modes.hash = true;
    for (std::uint32_t word = 0; word < 4; ++word) {
      filter.set_hash_half(
          word, word == bit / 16 ? static_cast<std::uint16_t>(1U << bit % 16) : std::uint16_t{0});
    }
    ASSERT_TRUE(filter.accepts(address)) << i;
    for (std::uint32_t word = 0; word < 4; ++word) {
      filter.set_hash_half(word, word == bit / 16 ? static_cast<std::uint16_t>(~(1U << bit % 16))
                                                  : std::uint16_t{0xffff});
    }
    ASSERT_FALSE(filter.accepts(address)) << i;
    filter.modes.hash = false;
    for (std::uint32_t word = 0; word < 4; ++word) filter.set_hash_half(word, 0xffff);
    ASSERT_FALSE(filter.accepts(address)) << i;
  }
}

TEST(GenesisRxFilter, HashIsForGroupAddressesOnly) {
  RxFilter filter;
  filter.modes.hash = true;
  for (std::uint32_t word = 0; word < 4; ++word) filter.set_hash_half(word, 0xffff);
  EXPECT_TRUE(filter.accepts(kMulticast));
  EXPECT_FALSE(filter.accepts(kNeighbour));
}

TEST(GenesisRxFilter, StationAddressNeedsItsMode) {
  RxFilter filter;
  set_station(filter, kStation);
  EXPECT_EQ(filter.station(), kStation);
  EXPECT_FALSE(filter.accepts(kStation));
  filter.modes.station = true;
  EXPECT_TRUE(filter.accepts(kStation));
  EXPECT_FALSE(filter.accepts(kNeighbour));
  filter.modes.no_unicast = true;
  EXPECT_FALSE(filter.accepts(kStation));
}

TEST(GenesisRxFilter, ExactArrayTakesAnyOfSixteenAddresses) {
  for (const std::uint32_t index : {0U, 7U, 15U}) {
    RxFilter filter;
    filter.set_exact_half(index, 0, 0x0000);
    filter.set_exact_half(index, 1, 0x125a);
    filter.set_exact_half(index, 2, 0x5734);
    EXPECT_FALSE(filter.accepts(kNeighbour));
    filter.modes.exact_array = true;
    EXPECT_TRUE(filter.accepts(kNeighbour));
    EXPECT_FALSE(filter.accepts(kStation));
  }
}

TEST(GenesisRxFilter, BroadcastPassesUnlessTurnedOff) {
  RxFilter filter;
  EXPECT_TRUE(filter.accepts(kEverybody));
  EXPECT_FALSE(filter.accepts(kMulticast));
  filter.modes.no_broadcast = true;
  EXPECT_FALSE(filter.accepts(kEverybody));
}

TEST(GenesisRxFilter, PromiscuousTakesAll) {
  RxFilter filter;
  filter.modes = {false, false, false, true, true, true, true};
  EXPECT_TRUE(filter.accepts(kNeighbour));
  EXPECT_TRUE(filter.accepts(kMulticast));
  EXPECT_TRUE(filter.accepts(kEverybody));
}

TEST(GenesisRxFilter, MulticastCanBeTurnedOffAlone) {
  RxFilter filter;
  filter.modes.hash = true;
  filter.modes.no_multicast = true;
  for (std::uint32_t word = 0; word < 4; ++word) filter.set_hash_half(word, 0xffff);
  EXPECT_FALSE(filter.accepts(kMulticast));
  EXPECT_TRUE(filter.accepts(kEverybody));
}

TEST(GenesisRxFilter, CastTellsBroadcastFromMulticast) {
  EXPECT_EQ(cast_of(kStation), Cast::kUnicast);
  EXPECT_EQ(cast_of(kMulticast), Cast::kMulticast);
  EXPECT_EQ(cast_of(kEverybody), Cast::kBroadcast);
}

}  // namespace
}  // namespace longhaul::nic::genesis
