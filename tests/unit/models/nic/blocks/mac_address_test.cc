// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/mac_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param.h"

namespace longhaul::nic {
namespace {

constexpr MacAddress kMac{0x00, 0x07, 0xe9, 0x12, 0x34, 0x56};

TEST(MacAddressText, AnAddressIsReadInEitherCase) {
  EXPECT_EQ(parse_mac_address("00:07:e9:12:34:56", "t"), kMac);
  EXPECT_EQ(parse_mac_address("00:07:E9:12:34:56", "t"), kMac);
  EXPECT_EQ(parse_mac_address("0:7:e9:12:34:56", "t"), kMac);
}

TEST(MacAddressText, WhatIsNoStationsAddressIsRefusedWithItsPlace) {
  const auto error_of = [](const char* text) -> std::string {
    try {
      parse_mac_address(text, "sender.eth0.mac");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  for (const char* text : {"", "00:07:e9:12:34", "00:07:e9:12:34:56:78", "00-07-e9-12-34-56",
                           "00:07:e9:12:34:5g", "00:07:e9:12:34:56 ", "00:07:e9:12:34:567"}) {
    EXPECT_THAT(error_of(text), ::testing::StartsWith("sender.eth0.mac: '" + std::string(text) +
                                                      "' is no MAC address"));
  }
  EXPECT_THAT(error_of("01:00:5e:00:00:01"), ::testing::HasSubstr("is a group address"));
  EXPECT_THAT(error_of("00:00:00:00:00:00"), ::testing::HasSubstr("is nobody's"));
}

}  // namespace
}  // namespace longhaul::nic
