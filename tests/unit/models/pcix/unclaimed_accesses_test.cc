// SPDX-License-Identifier: Apache-2.0
// Accesses to memory and I/O ports that no function claims: their number, and the first one.
#include "models/pcix/bus/unclaimed_accesses.h"

#include <gtest/gtest.h>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using Kind = HostRequest::Kind;

struct UnclaimedAccessesTest : testing::PcTest {
  const UnclaimedAccesses& unclaimed() { return bus->unclaimed(); }
  const UnclaimedAccesses::Access& first() { return *unclaimed().first(); }
};

TEST_F(UnclaimedAccessesTest, TheFirstIsKeptWithTheBarNearestBelow) {
  build();
  at(0, [&] {
    core->read32(bar(0) + 0x20);  // claimed
    EXPECT_EQ(core->read32(bar(1) + 4096), 0xffff'ffffU);
    core->write32(bar(0) + 4096, 1);
    core->read32(bar(0) + 0x20);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  ASSERT_TRUE(unclaimed().first());
  EXPECT_EQ(unclaimed().count(), 2U);
  EXPECT_EQ(first().kind, Kind::kMmioRead);
  EXPECT_EQ(first().address, bar(1) + 4096);
  EXPECT_EQ(first().length, 4U);
  EXPECT_GT(first().end_ps, 0U);
  ASSERT_TRUE(first().nearest);
  EXPECT_EQ(first().nearest->slot, 1U);
  EXPECT_EQ(first().nearest->function, 0U);
  EXPECT_EQ(first().nearest->index, 0U);
  EXPECT_EQ(first().nearest->begin, bar(1));
  EXPECT_EQ(first().nearest->bytes, 4096U);
}

TEST_F(UnclaimedAccessesTest, AnAccessToAFunctionThatDoesNotDecodeLiesInItsBar) {
  build();
  device(1).config().write(0x04, 2, 0x0005);  // memory off, ports on
  at(0, [&] { core->write32(bar(1) + 0x10, 1); });
  sc_core::sc_start();
  ASSERT_TRUE(unclaimed().first());
  EXPECT_EQ(first().kind, Kind::kMmioWrite);
  ASSERT_TRUE(first().nearest);
  EXPECT_EQ(first().nearest->begin, bar(1));
}

TEST_F(UnclaimedAccessesTest, AnAccessBelowAllBarsHasNoneNear) {
  build();
  device(0).config().write(0x10, 4, static_cast<std::uint32_t>(bar(4)));
  at(0, [&] {
    core->read32(bar(0));
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  ASSERT_TRUE(unclaimed().first());
  EXPECT_FALSE(first().nearest);
}

TEST_F(UnclaimedAccessesTest, APortIsComparedWithPorts) {
  build();
  at(0, [&] {
    core->read32(port_address(1, 8));
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  ASSERT_TRUE(unclaimed().first());
  EXPECT_EQ(first().kind, Kind::kIoRead);
  ASSERT_TRUE(first().nearest);
  EXPECT_EQ(first().nearest->slot, 1U);
  EXPECT_EQ(first().nearest->index, 2U);
  EXPECT_EQ(first().nearest->begin, port(1));
  EXPECT_EQ(first().nearest->bytes, 8U);
}

TEST_F(UnclaimedAccessesTest, FunctionsThatSoftwareLooksForAreNotCounted) {
  build();
  at(0, [&] {
    core->read32(address_map::kConfigBegin + address_map::kFunctionBytes);  // function 1
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(bus->master_aborts.value(), 1U);
  EXPECT_FALSE(unclaimed().first());
}

}  // namespace
}  // namespace longhaul::pcix
