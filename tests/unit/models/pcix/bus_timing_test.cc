// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus_timing.h"

#include <gtest/gtest.h>

namespace longhaul::pcix {
namespace {

BusTiming timing(const char* protocol = "pcix", std::uint32_t width = 64, std::uint64_t hz = 133'333'333) {
  BusParams params;
  params.protocol.value = protocol;
  params.width_bits.value = width;
  params.clock.value = {hz};
  return BusTiming(params, "bus");
}

TEST(BusTiming, PeriodsOfTheModes) {
  EXPECT_EQ(timing("pcix", 64, 133'333'333).period_ps(), 7'500U);
  EXPECT_EQ(timing("pcix", 64, 100'000'000).period_ps(), 10'000U);
  EXPECT_EQ(timing("pcix", 64, 66'666'667).period_ps(), 15'000U);
  EXPECT_EQ(timing("pci", 32, 33'333'333).period_ps(), 30'000U);
}

TEST(BusTiming, LeadIsAddressAttributeAndResponse) {
  EXPECT_EQ(timing().lead(0x1000, 1), 3U);
  EXPECT_EQ(timing().lead(0x1'0000'0000, 1), 4U);
  EXPECT_EQ(timing().lead(0x1000, 3, 6), 11U);
  EXPECT_EQ(timing("pci", 64, 66'666'667).lead(0x1000, 1), 2U);
}

TEST(BusTiming, EdgesRoundUp) {
  EXPECT_EQ(timing().edge_ps(0), 0U);
  EXPECT_EQ(timing().edge_ps(1), 7'500U);
  EXPECT_EQ(timing().edge_ps(7'500), 7'500U);
  EXPECT_EQ(timing().edge_ps(7'501), 15'000U);
}

TEST(BusTiming, AStoppedBurstEndsAtABoundaryAndMovesAtLeastOneWord) {
  const BusTiming bus = timing();
  // 3 clocks of lead: nothing has moved yet, so the first boundary after the first word.
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 3, 0), 128U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 3, 3), 128U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 3, 3 + 16), 128U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 3, 3 + 17), 256U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1078, 4096, 3, 4), 8U);
  EXPECT_EQ(bus.bytes_when_stopped(0x107f, 4096, 3, 4), 1U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 100, 3, 5), 100U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 3, 10'000), 4096U);
}

TEST(BusTiming, ConventionalBurstsStopAtAnyDataPhase) {
  EXPECT_EQ(timing("pci", 64, 66'666'667).bytes_when_stopped(0x1000, 4096, 2, 2 + 5), 40U);
  EXPECT_EQ(timing("pci", 32, 33'333'333).bytes_when_stopped(0x1000, 4096, 2, 2 + 5), 20U);
}

TEST(BusTiming, WhatFitsEndsAtABoundaryUnlessItIsAll) {
  const BusTiming bus = timing();
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 500), 500U);
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 499), 496U);
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 112), 112U);
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 111), 0U);
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 0), 0U);
}

TEST(BusTiming, NobodyAnswersAfterSixClocks) {
  EXPECT_EQ(timing().master_abort(0x1000), 7U);
  EXPECT_EQ(timing("pci", 64, 66'666'667).master_abort(0x1000), 6U);
}

TEST(BusTiming, PeakRatesOfTheModes) {
  // A 64/133 bus brings 8 B in 7.5 ns: 1066 MB/s.
  EXPECT_EQ(timing().bytes_in(1'000'000), 133U * 8U);
  EXPECT_EQ(timing("pci", 32, 33'333'333).bytes_in(1'000'000), 33U * 4U);
}

TEST(BusTiming, ConventionalPciIsNoFasterThan66Megahertz) {
  try {
    timing("pci", 64, 133'333'333);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "bus.clock: conventional PCI runs at 66.7MHz at most, not 133333333Hz");
  }
  try {
    timing("pcix", 48);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "bus.width_bits: a bus is 64 or 32 bit wide, not 48");
  }
}

}  // namespace
}  // namespace longhaul::pcix
