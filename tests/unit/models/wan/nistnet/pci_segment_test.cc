// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/pci_segment.h"

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace longhaul::wan {
namespace {

constexpr std::uint64_t kPciClock = 15 * kNs;  // 66.67 MHz

/// Counters are SystemC objects, so a segment lives in a module.
struct SegmentFixture final : sc_core::sc_module {
  explicit SegmentFixture(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  NistnetBusParams params;
  PciSegment bus{params, 512, sc_core::sc_time(125, sc_core::SC_NS), "box"};
};

TEST(PciSegment, AWriteTakesThreeClocksAndItsWordsEachBurst) {
  SegmentFixture fixture("fixture");
  EXPECT_EQ(fixture.bus.write(64).occupied_ps, (3 + 8) * kPciClock);
  EXPECT_EQ(fixture.bus.write(65).occupied_ps, (3 + 9) * kPciClock);
  EXPECT_EQ(fixture.bus.write(512).occupied_ps, (3 + 64) * kPciClock);
  EXPECT_EQ(fixture.bus.write(1514).occupied_ps, (2 * (3 + 64) + 3 + 62) * kPciClock);
  EXPECT_EQ(fixture.bus.write(1514).waited_ps, 0U);
}

TEST(PciSegment, AReadIsRefusedOnceAndFetchedForEachBlock) {
  SegmentFixture fixture("fixture");
  EXPECT_EQ(fixture.bus.read(32).occupied_ps, (5 + 3 + 4) * kPciClock);
  EXPECT_EQ(fixture.bus.read(32).waited_ps, 755 * kNs);
  EXPECT_EQ(fixture.bus.read(1514).occupied_ps, (3 * (5 + 3) + 64 + 64 + 62) * kPciClock);
  EXPECT_EQ(fixture.bus.read(1514).waited_ps, 3 * 755 * kNs);
}

TEST(PciSegment, TransfersFollowEachOtherAndWaitWithoutTheBus) {
  SegmentFixture fixture("fixture");
  const BusUse use{10 * kPciClock, 700 * kNs};
  EXPECT_EQ(fixture.bus.transfer(use, 1),
            13 * kPciClock + 700 * kNs);  // the next edge, two clocks of arbitration, ten
  EXPECT_EQ(fixture.bus.transfer(use, 2), 25 * kPciClock + 700 * kNs);
  EXPECT_EQ(fixture.bus.occupied_ps.value(), 20 * kPciClock);
}

TEST(PciSegment, ARegisterReadWaitsForTheBurstThatHasTheBusAtMost) {
  SegmentFixture fixture("fixture");
  EXPECT_EQ(fixture.bus.register_read_ps(0), (630 + 150) * kNs);  // ten clocks on the bus
  const std::uint64_t end_ps = fixture.bus.transfer({100 * kPciClock, 0}, kNs * 1000);
  EXPECT_EQ(fixture.bus.register_read_ps(end_ps - 400 * kNs), (630 + 85 + 150) * kNs);
  fixture.bus.transfer({1000 * kPciClock, 0}, end_ps);
  EXPECT_EQ(fixture.bus.register_read_ps(end_ps), (630 + 150) * kNs + 67 * kPciClock);
}

TEST(PciSegment, AFasterBusThanPciHasIsRefused) {
  NistnetBusParams params;
  params.bus.clock.value = {133'333'333};
  EXPECT_THROW(PciSegment(params, 512, sc_core::SC_ZERO_TIME, "box"), ConfigError);
}

}  // namespace
}  // namespace longhaul::wan
