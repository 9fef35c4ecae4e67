// SPDX-License-Identifier: Apache-2.0
// LAN A and LAN B of an 82546: what they share and what each has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/nic/e1000/e1000.h"

namespace longhaul::nic::e1000 {
namespace {

class DualPortTest : public ::testing::Test {
 protected:
  const nlohmann::json params{{"board", "82546eb-copper"}};
  std::unique_ptr<E1000> a = make_e1000("a", params, 0);
  std::unique_ptr<E1000> b = make_e1000("b", params, 1, a.get());
};

TEST_F(DualPortTest, EachSaysWhichItIs) {
  constexpr std::uint32_t kFunction = regs::kStatusFields.func.put(3U);
  EXPECT_EQ(a->bank().read(regs::kStatus) & kFunction, 0U);
  EXPECT_EQ(b->bank().read(regs::kStatus) & kFunction, regs::kStatusFields.func.put(1U));
  EXPECT_EQ(a->config().read(0x3d, 1), 1U) << "INTA#";
  EXPECT_EQ(b->config().read(0x3d, 1), 2U) << "INTB#";
  EXPECT_EQ(b->config().read(0x02, 2), 0x1010U);
}

TEST_F(DualPortTest, LanBHasTheBoardsAddressWithItsLastBitInverted) {
  MacAddress address = a->mac_address();
  EXPECT_EQ(address[5] & 1, 0);
  address[5] = static_cast<std::uint8_t>(address[5] ^ 1);
  EXPECT_EQ(b->mac_address(), address);
}

TEST_F(DualPortTest, OneOfThemHasTheEepromsPins) {
  constexpr auto kReq = regs::kEecdFields.req;
  constexpr auto kGnt = regs::kEecdFields.gnt;
  a->bank().write(regs::kEecd, kReq);
  EXPECT_NE(a->bank().read(regs::kEecd) & kGnt, 0U);
  b->bank().write(regs::kEecd, kReq);
  EXPECT_EQ(b->bank().read(regs::kEecd) & kGnt, 0U);
  b->bank().write(regs::kEecd,
                  kReq | regs::kEecdFields.cs);  // without a grant: not seen by the chip
  EXPECT_NE(a->bank().read(regs::kEecd) & kGnt, 0U);
  a->bank().write(regs::kEecd, 0);
  EXPECT_EQ(a->bank().read(regs::kEecd) & kGnt, 0U);
  EXPECT_NE(b->bank().read(regs::kEecd) & kGnt, 0U) << "who waited gets it";
}

TEST_F(DualPortTest, RegistersAreEachOnesOwn) {
  a->bank().write(regs::kRdlen, 0x1000);
  b->bank().write(regs::kRdlen, 0x2000);
  EXPECT_EQ(a->bank().read(regs::kRdlen), 0x1000U);
  b->bank().write(regs::kCtrlDup, regs::kCtrlFields.rst);
  EXPECT_EQ(b->bank().read(regs::kRdlen), 0U);
  EXPECT_EQ(a->bank().read(regs::kRdlen), 0x1000U);
}

TEST_F(DualPortTest, WhatCannotBeASecondPortIsRefused) {
  const auto error_of = [&](const nlohmann::json& second) -> std::string {
    try {
      make_e1000("eth1", second, 2, a.get());
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of({{"board", "82545em-copper"}}),
              ::testing::HasSubstr("eth1.board: a 82545em-copper has one port"));
  EXPECT_THAT(error_of({{"board", "82546eb-fiber"}}),
              ::testing::HasSubstr("cannot be functions of one board"));
  EXPECT_THAT(error_of({{"board", "82546eb-copper"}, {"mac", "00:04:23:00:00:09"}}),
              ::testing::HasSubstr("eth1.mac: LAN B has LAN A's address"));
}

}  // namespace
}  // namespace longhaul::nic::e1000
