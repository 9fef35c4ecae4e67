// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/address_filter.h"

#include <gtest/gtest.h>

namespace longhaul::nic {
namespace {

constexpr MacAddress kOwn{0x00, 0x07, 0xe9, 0, 0, 1};
constexpr MacAddress kOther{0x00, 0x07, 0xe9, 0, 0, 2};
constexpr MacAddress kGroup{0x01, 0xaa, 0x00, 0x12, 0x34, 0x56};
constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

TEST(AddressFilter, ExactEntriesMatchDestinationOrSource) {
  AddressFilter filter(16);
  EXPECT_EQ(filter.match(kOwn, kOther), AddressMatch::kNone);
  filter.set_exact(0, kOwn, true);
  EXPECT_EQ(filter.match(kOwn, kOther), AddressMatch::kExact);
  EXPECT_EQ(filter.match(kOther, kOwn), AddressMatch::kNone);
  filter.set_exact(0, kOwn, true, true);
  EXPECT_EQ(filter.match(kOther, kOwn), AddressMatch::kExact);
  filter.set_exact(0, kOwn, false);
  EXPECT_EQ(filter.match(kOwn, kOwn), AddressMatch::kNone);
}

TEST(AddressFilter, HashUsesTheTwelveBitsThatTheModeNames) {
  // The example of the driver's source: 01:AA:00:12:34:56.
  AddressFilter filter(1);
  const std::pair<std::uint32_t, std::uint32_t> wanted[] = {
      {36, 0x563}, {35, 0xac6}, {34, 0x58d}, {32, 0x634}};
  for (const auto& [low_bit, hash] : wanted) {
    filter.modes.hash_low_bit = low_bit;
    EXPECT_EQ(filter.hash_of(kGroup), hash) << low_bit;
  }
}

TEST(AddressFilter, MulticastPassesByItsTableBitOnly) {
  AddressFilter filter(1);
  filter.set_hash_word(0x563 >> 5, 1U << (0x563 & 31));
  EXPECT_EQ(filter.match(kGroup, kOwn), AddressMatch::kHash);
  MacAddress neighbour = kGroup;
  neighbour[5] = 0x57;
  EXPECT_EQ(filter.match(neighbour, kOwn), AddressMatch::kNone);
  filter.modes.multicast_promiscuous = true;
  EXPECT_EQ(filter.match(neighbour, kOwn), AddressMatch::kPromiscuous);
  EXPECT_EQ(filter.match(kOther, kOwn), AddressMatch::kNone);
}

TEST(AddressFilter, BroadcastNeedsItsModeOrMulticastPromiscuous) {
  AddressFilter filter(1);
  EXPECT_EQ(filter.match(kBroadcast, kOwn), AddressMatch::kNone);
  filter.modes.multicast_promiscuous = true;
  EXPECT_EQ(filter.match(kBroadcast, kOwn), AddressMatch::kPromiscuous);
  filter.modes.accept_broadcast = true;
  EXPECT_EQ(filter.match(kBroadcast, kOwn), AddressMatch::kBroadcast);
}

TEST(AddressFilter, PromiscuousTakesForeignUnicast) {
  AddressFilter filter(1);
  filter.modes.unicast_promiscuous = true;
  EXPECT_EQ(filter.match(kOther, kOwn), AddressMatch::kPromiscuous);
  EXPECT_EQ(filter.match(kGroup, kOwn), AddressMatch::kNone);
}

TEST(AddressFilter, VlanTableIsIndexedByTheIdentifierAlone) {
  AddressFilter filter(1);
  EXPECT_TRUE(filter.vlan_passes(0x0064));
  filter.modes.vlan_filter = true;
  EXPECT_FALSE(filter.vlan_passes(0x0064));
  filter.set_vlan_word(100 >> 5, 1U << (100 & 31));
  EXPECT_TRUE(filter.vlan_passes(0x0064));
  EXPECT_TRUE(filter.vlan_passes(0xe064));  // priority does not matter
  EXPECT_FALSE(filter.vlan_passes(0x0065));
  filter.modes.check_cfi = true;
  EXPECT_FALSE(filter.vlan_passes(0x1064));
  filter.modes.cfi_wanted = true;
  EXPECT_TRUE(filter.vlan_passes(0x1064));
}

}  // namespace
}  // namespace longhaul::nic
