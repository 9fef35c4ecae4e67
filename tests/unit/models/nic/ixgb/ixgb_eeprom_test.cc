// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_eeprom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param.h"

namespace longhaul::nic::ixgb {
namespace {

constexpr MacAddress kMac{0x00, 0x07, 0xe9, 0x12, 0x34, 0x56};

EepromContent content() {
  EepromContent out;
  out.mac = kMac;
  out.pba = 0x00a85137;
  out.device_id = 0x1a48;
  out.subsystem_id = 0xa01f;
  return out;
}

TEST(IxgbEeprom, WordsAreWhereTheDriverLooksForThem) {
  const Eeprom93c46::Words words = eeprom_image(content());
  EXPECT_EQ(words[0], 0x0700) << "first byte of the address in the low half";
  EXPECT_EQ(words[1], 0x12e9);
  EXPECT_EQ(words[2], 0x5634);
  EXPECT_EQ(words[0x08], 0x5137);
  EXPECT_EQ(words[0x09], 0x00a8);
  EXPECT_EQ(words[0x0a] & 0xc000, 0x4000);
  EXPECT_EQ(words[0x0b], 0xa01f);
  EXPECT_EQ(words[0x0c], 0x8086);
  EXPECT_EQ(words[0x0d], 0x1a48);
  EXPECT_EQ(words[0x0e], 0x8086);
}

TEST(IxgbEeprom, AllWordsSumToBabaWhateverTheContent) {
  EepromContent other = content();
  for (std::uint32_t i = 0; i < 100; ++i) {
    other.mac[5] = static_cast<std::uint8_t>(i);
    other.pba = i * 0x01234567U;
    std::uint16_t sum = 0;
    for (const std::uint16_t word : eeprom_image(other))
      sum = static_cast<std::uint16_t>(sum + word);
    ASSERT_EQ(sum, 0xbaba);
  }
}

TEST(IxgbEeprom, TheAddressComesBackAsItWentIn) {
  EXPECT_EQ(mac_address_of(Eeprom93c46(eeprom_image(content()))), kMac);
}

}  // namespace
}  // namespace longhaul::nic::ixgb
