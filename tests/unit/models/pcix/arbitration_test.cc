// SPDX-License-Identifier: Apache-2.0
// Who gets the bus next, and when a burst has to give it up.
#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class ArbitrationTest : public testing::PcTest {};

TEST_F(ArbitrationTest, TwoBusyDevicesShareTheBusTurnByTurn) {
  build();
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    at(0, [&, slot] {
      for (std::uint32_t i = 0; i < 20; ++i)
        device(slot).dma().write(0x10000 * (slot + 1) + 128 * i, buffer.data(), 128, &device(slot),
                                 i);
    });
  }
  sc_core::sc_start();
  ASSERT_EQ(log.spans.size(), 40U);
  for (std::size_t i = 1; i < 40; ++i)
    EXPECT_NE(log.spans[i].address >> 16, log.spans[i - 1].address >> 16) << i;
}

TEST_F(ArbitrationTest, RequestsBeforeTheSameClockEdgeAreArbitratedTogether) {
  build();
  // Slot 1 asks first, but slot 0 is next in turn after the bridge, and asks before the same edge.
  at(100, [&] { device(1).dma().write(0x20000, buffer.data(), 8, &device(1), 0); });
  at(200, [&] { device(0).dma().write(0x10000, buffer.data(), 8, &device(0), 0); });
  sc_core::sc_start();
  EXPECT_EQ(log.spans.at(0).address, 0x10000U);
  EXPECT_EQ(log.spans.at(0).start_ps, 5 * kClock);
  EXPECT_EQ(log.spans.at(1).address, 0x20000U);
}

TEST_F(ArbitrationTest, ALaterEdgeDoesNotTakeTheGrantAway) {
  build();
  at(100, [&] { device(1).dma().write(0x20000, buffer.data(), 8, &device(1), 0); });
  at(kClock + 100, [&] { device(0).dma().write(0x10000, buffer.data(), 8, &device(0), 0); });
  sc_core::sc_start();
  EXPECT_EQ(log.spans.at(0).address, 0x20000U);
}

TEST_F(ArbitrationTest, AloneOnTheBusABurstIgnoresItsLatencyTimer) {
  build();
  device().config().write(0x0d, 1, 16);
  at(0, [&] { device().dma().write(0x1000, buffer.data(), 4096, &device(), 1); });
  sc_core::sc_start();
  EXPECT_THAT(clocks(), ElementsAre(Pair("memory write", 4 + 512)));
  EXPECT_EQ(bus->disconnects.value(), 0U);
}

TEST_F(ArbitrationTest, TheLatencyTimerCutsABurstAtTheNextBoundaryWhenSomebodyWaits) {
  build();
  device(0).config().write(0x0d, 1, 64);
  at(0, [&] { device(0).dma().write(0x1010, buffer.data(), 2048, &device(0), 1); });
  at(0, [&] { device(1).dma().write(0x20000, buffer.data(), 8, &device(1), 1); });
  sc_core::sc_start();
  // After 64 clocks 61 data phases are over, and the second after them is the first that can be
  // announced as the last: 0x1010 + 63 * 8 = 0x1208, so the burst ends at 0x1280: 624 B, 78 data
  // phases.
  ASSERT_EQ(log.spans.size(), 3U);
  EXPECT_EQ(log.spans[0].bytes, 624U);
  EXPECT_EQ((log.spans[0].end_ps - log.spans[0].start_ps) / kClock, 4U + 78U);
  EXPECT_EQ(log.spans[1].address, 0x20000U);
  EXPECT_EQ(log.spans[2].address, 0x1280U);
  EXPECT_EQ(log.spans[2].bytes, 2048U - 624U);
  EXPECT_EQ(bus->disconnects.value(), 1U);
  EXPECT_EQ(std::memcmp(ram + 0x1010, buffer.data(), 2048), 0);
}

TEST_F(ArbitrationTest, ALateRivalCutsABurstWhoseTimerHasRunOut) {
  build();
  device(0).config().write(0x0d, 1, 8);
  at(0, [&] { device(0).dma().write(0x1000, buffer.data(), 4096, &device(0), 1); });
  at(200 * kClock, [&] { device(1).dma().write(0x20000, buffer.data(), 8, &device(1), 1); });
  sc_core::sc_start();
  // Asked at clock 200, granted from 204: clock 200 of the tenure, after 197 data phases; the
  // boundary after 208.
  ASSERT_EQ(log.spans.size(), 3U);
  EXPECT_EQ(log.spans[0].bytes, 208U * 8U);
  EXPECT_EQ(log.spans[0].end_ps - log.spans[0].start_ps, (4U + 208U) * kClock);
  EXPECT_EQ(log.spans[1].address, 0x20000U);
  EXPECT_EQ(log.spans[1].start_ps, log.spans[0].end_ps);
}

TEST_F(ArbitrationTest, CompletionsAreCutByTheBridgesLatencyTimer) {
  bus_params.bridge_latency_timer.value = 32;
  build();
  limit_reads(0, 3, 0);
  at(0, [&] { device(0).dma().read(0x1000, buffer.data(), 4096, &device(0), 1); });
  at(400'000, [&] { device(1).dma().write(0x20000, buffer.data() + 8192, 8, &device(1), 1); });
  sc_core::sc_start();
  ASSERT_EQ(log.spans.size(), 4U);
  EXPECT_EQ(log.spans[1].label, "split completion");
  EXPECT_EQ(log.spans[1].bytes % 128, 0U);
  EXPECT_LT(log.spans[1].bytes, 4096U);
  EXPECT_EQ(log.spans[2].label, "memory write");
  EXPECT_EQ(log.spans[1].bytes + log.spans[3].bytes, 4096U);
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x1000, 4096), 0);
}

}  // namespace
}  // namespace longhaul::pcix
