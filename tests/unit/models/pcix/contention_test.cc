// SPDX-License-Identifier: Apache-2.0
// Several devices and the bridge want one bus: fairness, latency timers, parking.
#include <map>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

class ContentionTest : public testing::PcTest {
 protected:
  /// Keeps writing 4096 B forever.
  void write_always(std::uint32_t slot) {
    testing::TestDevice& dev = device(slot);
    dev.then = [&dev, this, slot](std::uint64_t tag) {
      dev.done.clear();
      dev.dma().write(0x10'0000 + 0x1'0000 * slot, &buffer[0x4000 * slot], 4096, &dev, tag);
    };
    at(0, [&dev] {
      dev.then(0);
      dev.then(1);
    });
  }
  /// Bytes that each slot wrote from `from_ps` on.
  std::map<std::uint64_t, std::uint64_t> written_by_slot(std::uint64_t from_ps) {
    std::map<std::uint64_t, std::uint64_t> bytes;
    for (const auto& span : log.spans) {
      if (span.label == "memory write" && span.start_ps >= from_ps)
        bytes[(span.address - 0x10'0000) >> 16] += span.bytes;
    }
    return bytes;
  }
};

TEST_F(ContentionTest, ThreeDevicesWithEqualTimersShareEqually) {
  build(3);
  for (std::uint32_t slot = 0; slot < 3; ++slot) write_always(slot);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  const auto bytes = written_by_slot(10'000'000);
  ASSERT_EQ(bytes.size(), 3U);
  for (const auto& [slot, count] : bytes) EXPECT_NEAR(count, bytes.at(0), 1024.0) << slot;
  // A burst of 64 clocks: 63 data phases and on to the boundary, so 512 B in 68 clocks, for
  // each master.
  for (std::size_t i = 3; i < log.spans.size(); ++i) ASSERT_EQ(log.spans[i].bytes, 512U) << i;
  // Idle before the first only; a tenure that runs is not credited yet.
  EXPECT_LE(bus->account.activity.spent_ps(BusAccount::kIdle), (4 + 69) * kClock);
}

TEST_F(ContentionTest, ADeviceGetsTheBusForAsLongAsItsLatencyTimerSays) {
  build(2);
  device(0).config().write(0x0d, 1, 64);
  device(1).config().write(0x0d, 1, 128);
  write_always(0);
  write_always(1);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  auto bytes = written_by_slot(10'000'000);
  EXPECT_NEAR(static_cast<double>(bytes[1]) / static_cast<double>(bytes[0]), 2.0, 0.01);
}

TEST_F(ContentionTest, ARegisterReadWaitsForOneTenureOfEachDeviceAtMost) {
  build(3);
  for (std::uint32_t slot = 0; slot < 3; ++slot) write_always(slot);
  std::uint64_t longest_ps = 0;
  at(20'000'000, [&] {
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t begin_ps = now_ps();
      core->read32(kBar + 0x20);
      longest_ps = std::max(longest_ps, now_ps() - begin_ps);
      sc_core::wait(from_ps(1'000 + 137 * static_cast<std::uint64_t>(i)));
    }
  });
  sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_MS));
  // Down 110 ns, the next edge, at most three tenures of 68 clocks and the read's own 11, up 110 ns
  // and what the posted bytes before it still need to memory (none: memory is faster than the bus).
  EXPECT_LE(longest_ps, 220'000 + kClock + (3 * 68 + 11) * kClock);
  EXPECT_GT(longest_ps, 220'000 + (2 * 68) * kClock);
  EXPECT_EQ(bus->mmio_reads.value(), 200U);
}

TEST_F(ContentionTest, AParkedMasterStartsAtTheNextEdgeAndAnotherOneArbitrates) {
  bus_params.parks_on_last_master.value = true;
  build(2);
  at(0, [&] { device(0).dma().write(0x1000, buffer.data(), 64, &device(0), 0); });
  at(1'000'000, [&] { device(0).dma().write(0x1000, buffer.data(), 64, &device(0), 0); });
  at(2'000'000, [&] { device(1).dma().write(0x1000, buffer.data(), 64, &device(1), 0); });
  sc_core::sc_start();
  ASSERT_EQ(log.spans.size(), 3U);
  EXPECT_EQ(log.spans[0].start_ps, 4 * kClock);
  EXPECT_EQ(log.spans[1].start_ps, 134 * kClock);        // the edge after 1 us
  EXPECT_EQ(log.spans[2].start_ps, (267 + 4) * kClock);  // the edge after 2 us, and REQ# to FRAME#
}

TEST_F(ContentionTest, A32BitDeviceTakesTwiceTheDataPhasesOfItsNeighbour) {
  target_params.width_bits.value = 32;
  build(2);
  at(0, [&] { device(0).dma().write(0x1000, buffer.data(), 512, &device(0), 0); });
  sc_core::sc_start();
  EXPECT_EQ((log.spans.at(0).end_ps - log.spans[0].start_ps) / kClock, 4U + 128U);
}

TEST_F(ContentionTest, ReadsOfThreeDevicesWithFewBuffersAllComplete) {
  bridge_params.split_reads.value = 2;
  bridge_params.active_reads.value = 1;
  build(3);
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    limit_reads(slot, 0, 4);
    at(0, [&, slot] {
      device(slot).dma().read(0x1000, &buffer[slot * 0x8000], 16384, &device(slot), slot);
    });
  }
  sc_core::sc_start();
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    EXPECT_EQ(device(slot).done.size(), 1U);
    EXPECT_EQ(std::memcmp(&buffer[slot * 0x8000], ram + 0x1000, 16384), 0);
  }
  EXPECT_GT(bus->retries.value(), 0U);
  EXPECT_EQ(bus->memory_reads.value(), 96U);
  EXPECT_EQ(bridge->waiting_reads.highest(), 1U);
}

}  // namespace
}  // namespace longhaul::pcix
