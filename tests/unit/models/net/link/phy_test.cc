// SPDX-License-Identifier: Apache-2.0
#include "models/net/link/phy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param.h"

namespace longhaul {
namespace {

TEST(Phy, RatesAreTheStandards) {
  EXPECT_EQ(phy_named("10gbase-r", "t").octet().ps, 800U);
  EXPECT_EQ(phy_named("10gbase-r", "t").octet().per, 1U);
  EXPECT_EQ(phy_named("1000base-x", "t").octet().ps, 8000U);
  // 9.58464 Gb/s of STS-192c payload, times 64/66: 9.294196... Gb/s, so an octet is 860.752... ps.
  const OctetTime wan = phy_named("10gbase-w", "t").octet();
  EXPECT_EQ(static_cast<unsigned __int128>(wan.ps) * 9'584'640'000ULL * 64,
            static_cast<unsigned __int128>(wan.per) * 8'000'000'000'000ULL * 66);
}

TEST(Phy, CodingLeavesExactlyTheMacsRateOnTheLanPhys) {
  for (const char* name : {"10gbase-r", "1000base-x"}) {
    const Phy& phy = phy_named(name, "t");
    EXPECT_EQ(phy.line_rate.bits_per_s * phy.payload_num, phy.mac_rate.bits_per_s * phy.payload_den)
        << name;
    EXPECT_EQ(phy.stretch_bits, 0U) << name;
  }
}

TEST(Phy, TheWanPhysStretchRatioIsTheLargestThatKeepsTheMacBelowItsLine) {
  const Phy& phy = phy_named("10gbase-w", "t");
  // An octet of gap for every `stretch` bits: the MAC's rate falls by stretch / (stretch + 8).
  const auto keeps_below = [&](std::uint64_t stretch) {
    return static_cast<unsigned __int128>(phy.mac_rate.bits_per_s) * stretch * phy.payload_den <=
           static_cast<unsigned __int128>(phy.line_rate.bits_per_s) * phy.payload_num *
               (stretch + 8);
  };
  EXPECT_TRUE(keeps_below(phy.stretch_bits));
  EXPECT_FALSE(keeps_below(phy.stretch_bits + 8)) << "in whole octets";
}

TEST(Phy, UnknownNameIsAConfigErrorThatNamesTheNearest) {
  try {
    phy_named("10gbase-l", "wire.phy");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "wire.phy: unknown PHY \"10gbase-l\"; nearest is \"10gbase-r\" of 10gbase-r, "
                 "10gbase-w, 1000base-x, "
                 "1000base-t, 100base-tx");
  }
}

}  // namespace
}  // namespace longhaul
