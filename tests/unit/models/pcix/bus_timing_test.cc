// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus_timing.h"

#include <gtest/gtest.h>

namespace longhaul::pcix {
namespace {

BusTiming timing(const char* protocol = "pcix", std::uint32_t width = 64,
                 std::uint64_t hz = 133'333'333) {
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

TEST(BusTiming, TheLeadIsAddressAttributeResponseAndWaits) {
  EXPECT_EQ(timing().opening(0x1000, 1).lead(), 3U);
  EXPECT_EQ(timing().opening(0x1'0000'0000, 1).lead(), 4U);
  EXPECT_EQ(timing().opening(0x1000, 3, 6).lead(), 11U);
  EXPECT_EQ(timing().configuration(1, 6).lead(), 4U + 3U + 6U);
  EXPECT_EQ(timing("pci", 64, 66'666'667).opening(0x1000, 1).lead(), 2U);
  EXPECT_EQ(timing("pci", 64, 66'666'667).configuration(1).lead(), 2U);
}

TEST(BusTiming, AMasterHoldsTheBusAClockLongerWhenItHasToSeeTheEnd) {
  const auto after = [](const BusTiming& bus, std::uint32_t bytes) {
    Phases phases = bus.opening(0x1000, 1);
    bus.add_data(phases, 0x1000, bytes, bus.width_bytes());
    return phases.clocks();
  };
  EXPECT_EQ(after(timing(), 8), 3U + 1U + 1U);  // a single data phase is seen two clocks later
  EXPECT_EQ(after(timing(), 16), 3U + 2U);
  EXPECT_EQ(after(timing(), 512), 3U + 64U);
  EXPECT_EQ(after(timing("pci", 64, 66'666'667), 8), 2U + 1U);
  EXPECT_EQ(after(timing("pci", 64, 66'666'667), 512), 2U + 64U);
}

TEST(BusTiming, ATerminationWithoutDataTakesItsClockAndTheMastersReaction) {
  const auto after = [](const BusTiming& bus, bool burst) {
    Phases phases = bus.opening(0x1000, 1);
    bus.add_termination(phases, burst);
    return phases.clocks();
  };
  EXPECT_EQ(after(timing(), true), 3U + 1U + 1U);
  EXPECT_EQ(after(timing(), false), 3U + 1U + 1U);
  EXPECT_EQ(after(timing("pci", 64, 66'666'667), true), 2U + 1U + 1U);
  EXPECT_EQ(after(timing("pci", 64, 66'666'667), false), 2U + 1U);
}

TEST(BusTiming, AConventionalTargetThatEndsABurstCostsAClockAndMayWaitBetweenDataPhases) {
  BusParams params;
  params.protocol.value = "pci";
  params.clock.value = {33'333'333};
  params.subsequent_wait_clocks.value = 2;
  const BusTiming bus(params, "bus");
  Phases phases = bus.opening(0x1000, 1);
  bus.add_data(phases, 0x1000, 64, 8);
  EXPECT_EQ(phases.clocks(), 2U + 8U + 7U * 2U);
  bus.add_target_disconnect(phases);
  EXPECT_EQ(phases.clocks(), 2U + 8U + 7U * 2U + 1U);
  // Stopped 8 clocks after FRAME#: two data phases and their waits are over, the third is the last.
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 8, 2, 8), 24U);
  Phases pcix = timing().opening(0x1000, 1);
  timing().add_data(pcix, 0x1000, 128, 8);
  timing().add_target_disconnect(pcix);
  EXPECT_EQ(pcix.clocks(), 3U + 16U);
}

TEST(BusTiming, EdgesRoundUp) {
  EXPECT_EQ(timing().edge_ps(0), 0U);
  EXPECT_EQ(timing().edge_ps(1), 7'500U);
  EXPECT_EQ(timing().edge_ps(7'500), 7'500U);
  EXPECT_EQ(timing().edge_ps(7'501), 15'000U);
}

TEST(BusTiming, AStoppedBurstEndsAtABoundaryThatItCanStillAnnounceAndMovesAtLeastOneWord) {
  const BusTiming bus = timing();
  // 3 clocks of lead. FRAME# goes a clock ahead of the last data phase, so the stop comes two data
  // phases later at least.
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 8, 3, 0), 128U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 8, 3, 3), 128U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 8, 3, 3 + 14), 128U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 8, 3, 3 + 15), 256U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1078, 4096, 8, 3, 2), 8U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1078, 4096, 8, 3, 3), 8U + 128U);
  EXPECT_EQ(bus.bytes_when_stopped(0x107f, 4096, 8, 3, 2), 1U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 100, 8, 3, 5), 100U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 8, 3, 10'000), 4096U);
}

TEST(BusTiming, A32BitDeviceMovesFourBytesAClockOnAWideBus) {
  const BusTiming bus = timing();
  EXPECT_EQ(bus.data(0x1000, 512, 8), 64U);
  EXPECT_EQ(bus.data(0x1000, 512, 4), 128U);
  EXPECT_EQ(bus.data(0x1003, 2, 4), 2U);
  EXPECT_EQ(bus.bytes_when_stopped(0x1000, 4096, 4, 3, 3 + 31), 256U);
}

TEST(BusTiming, ConventionalBurstsStopAtAnyDataPhase) {
  EXPECT_EQ(timing("pci", 64, 66'666'667).bytes_when_stopped(0x1000, 4096, 8, 2, 2 + 5), 48U);
  EXPECT_EQ(timing("pci", 32, 33'333'333).bytes_when_stopped(0x1000, 4096, 4, 2, 2 + 5), 24U);
}

TEST(BusTiming, WhatFitsEndsAtABoundaryUnlessItIsAll) {
  const BusTiming bus = timing();
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 500), 500U);
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 499), 496U);
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 112), 112U);
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 111), 0U);
  EXPECT_EQ(bus.bytes_that_fit(0x1010, 500, 0), 0U);
}

TEST(BusTiming, NobodyAnswers) {
  EXPECT_EQ(timing().master_abort(0x1000).clocks(),
            8U);  // the sixth clock after the address, and two to react
  EXPECT_EQ(timing().master_abort(1ULL << 40).clocks(), 9U);
  EXPECT_EQ(timing("pci", 64, 66'666'667).master_abort(0x1000).clocks(), 6U);
}

TEST(BusTiming, ArbitrationIsHalfAsLongWhereNothingIsRegistered) {
  EXPECT_EQ(timing().arbitration_clocks(), 4U);
  EXPECT_EQ(timing("pci", 64, 66'666'667).arbitration_clocks(), 2U);
}

TEST(BusTiming, PeakRatesOfTheModes) {
  // A 64/133 bus brings 8 B in 7.5 ns: 1066 MB/s.
  EXPECT_EQ(timing().bytes_in(1'000'000), 133U * 8U);
  EXPECT_EQ(timing("pci", 32, 33'333'333).bytes_in(1'000'000), 33U * 4U);
}

TEST(BusTiming, Mode2MovesTwoOrFourWordsAClock) {
  for (const std::uint32_t subphases : {2U, 4U}) {
    BusParams params;
    params.data_subphases.value = subphases;
    const BusTiming bus(params, "bus");
    EXPECT_EQ(bus.bytes_in(1'000'000), 133U * 8U * subphases);
    EXPECT_EQ(bus.burst_ps(0x1000, 512), 64 / subphases * 7'500U);
    EXPECT_EQ(bus.boundary_bytes(), 128U);
  }
}

TEST(BusTiming, Mode2IsPcixWithAClockThatItHas) {
  const auto error_of = [](const char* protocol, std::uint64_t hz,
                           std::uint32_t subphases) -> std::string {
    BusParams params;
    params.protocol.value = protocol;
    params.clock.value = {hz};
    params.data_subphases.value = subphases;
    try {
      BusTiming(params, "bus");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of("pcix", 133'333'333, 4), "");
  EXPECT_EQ(error_of("pcix", 533'333'333, 4),
            "bus.data_subphases: 2 (PCI-X 266) or 4 (PCI-X 533) want protocol pcix and a clock of "
            "133.4MHz at most; "
            "here are 4 with pcix at 533333333Hz");
  EXPECT_NE(error_of("pcix", 133'333'333, 3), "");
  EXPECT_NE(error_of("pci", 66'666'667, 2), "");
}

TEST(BusTiming, ConventionalPciIsNoFasterThan66Megahertz) {
  try {
    timing("pci", 64, 133'333'333);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "bus.clock: conventional PCI runs at 66.7MHz at most, not 133333333Hz");
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
