// SPDX-License-Identifier: Apache-2.0
// Conventional PCI: delayed reads, retries, disconnects, latency timer.
#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class ConventionalTest : public testing::PcTest {
 protected:
  static constexpr std::uint64_t kPeriod = 15'000;
  void build_pci() {
    bus_params.protocol.value = "pci";
    bus_params.clock.value = {66'666'667};
    build();
    limit_reads(0, 3, 0);
    limit_reads(1, 3, 0);
  }
  std::vector<std::pair<std::string, std::uint64_t>> periods() {
    std::vector<std::pair<std::string, std::uint64_t>> list;
    for (const auto& span : log.spans)
      list.emplace_back(span.label, (span.end_ps - span.start_ps) / kPeriod);
    return list;
  }
};

TEST_F(ConventionalTest, ADelayedReadIsRepeatedUntilItsDataAreThere) {
  build_pci();
  at(0, [&] { device().dma().read(0x1000, buffer.data(), 512, &device(), 1); });
  sc_core::sc_start();
  // Refused from clock 2 to 6; seen at clock 2 + 3, memory answers 110 + 60 + 110 ns and two bursts
  // of 13.333 ns later, and the device asks again 16 clocks after each refusal: at clocks 23, 44,
  // ...
  const std::uint64_t ready_ps = (2 + 3) * kPeriod + 280'000 + 2 * 13'333;
  ASSERT_EQ(log.spans.size(), 3U);
  EXPECT_EQ(log.spans[1].start_ps, 23 * kPeriod);
  ASSERT_LT(log.spans[1].start_ps, ready_ps);
  EXPECT_EQ(log.spans[2].start_ps, 44 * kPeriod);
  EXPECT_THAT(periods(),
              ElementsAre(Pair("retry", 5), Pair("retry", 5), Pair("delayed read", 2 + 64 + 1)));
  EXPECT_EQ(bus->retries.value(), 2U);
  EXPECT_EQ(bus->memory_reads.value(), 1U);
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x1000, 512), 0);
  EXPECT_EQ(device().done.at(0).ps, (44 + 2 + 64) * kPeriod);
}

TEST_F(ConventionalTest, TheBridgeDisconnectsWhereItsPrefetchEndsAndTheRestIsFetchedAgain) {
  bridge_params.delayed_read_bytes.value = {256};
  bus_params.retry_clocks.value = 64;
  build_pci();
  at(0, [&] { device().dma().read(0x1040, buffer.data(), 600, &device(), 1); });
  sc_core::sc_start();
  // 0x1040 to 0x1100, 0x1200, 0x1298: the target's end of a burst costs the master a clock to take
  // FRAME# back.
  EXPECT_THAT(periods(), ElementsAre(Pair("retry", 5), Pair("delayed read", 2 + 24 + 1 + 1),
                                     Pair("retry", 5), Pair("delayed read", 2 + 32 + 1 + 1),
                                     Pair("retry", 5), Pair("delayed read", 2 + 19 + 1)));
  EXPECT_EQ(bus->disconnects.value(), 2U);
  EXPECT_EQ(bus->memory_reads.value(), 3U);
  EXPECT_EQ(bus->completed_bytes.value(), 600U);
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x1040, 600), 0);
  EXPECT_EQ(device().done.size(), 1U);
}

TEST_F(ConventionalTest, OthersUseTheBusBetweenTheAttemptsOfADelayedRead) {
  build_pci();
  at(0, [&] {
    device(0).dma().read(0x1000, buffer.data(), 512, &device(0), 1);
    device(1).dma().write(0x20000, buffer.data() + 8192, 64, &device(1), 1);
  });
  sc_core::sc_start();
  ASSERT_GE(log.spans.size(), 3U);
  EXPECT_EQ(log.spans[0].label, "retry");
  EXPECT_EQ(log.spans[1].label, "memory write");
  EXPECT_EQ(log.spans[1].start_ps, log.spans[0].end_ps);
}

TEST_F(ConventionalTest, TheLatencyTimerEndsADelayedReadWithAnyDataPhaseAndTheRestIsFetchedAgain) {
  bus_params.retry_clocks.value = 64;
  build_pci();
  device(0).config().write(0x0d, 1, 16);
  at(0, [&] { device(0).dma().read(0x1000, buffer.data(), 1024, &device(0), 1); });
  // Arrives while the burst of 128 words runs; its timer has long run out.
  at(90 * kPeriod, [&] { device(1).dma().write(0x20000, buffer.data() + 8192, 8, &device(1), 1); });
  sc_core::sc_start();
  // Burst from clock 71; asked at 90, granted from 92: clock 21 of the tenure, the 20th data phase
  // of which is the last.
  ASSERT_EQ(log.spans.size(), 5U);
  EXPECT_EQ(log.spans[1].start_ps, 71 * kPeriod);
  EXPECT_EQ(log.spans[1].bytes, 20U * 8U);
  EXPECT_EQ(log.spans[2].label, "memory write");
  EXPECT_EQ(log.spans[3].label, "retry");
  EXPECT_EQ(log.spans[4].bytes, 1024U - 160U);
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x1000, 1024), 0);
}

TEST_F(ConventionalTest, AFullPostingBufferDisconnectsAWriteWithDataAndRefusesTheNext) {
  memory_bytes_per_s = 200'000'000;  // 200 MB/s against 533 of the bus
  bridge_params.posted_dma_bytes.value = {512};
  build_pci();
  at(0, [&] { device().dma().write(0x1000, buffer.data(), 8192, &device(), 1); });
  sc_core::sc_start();
  EXPECT_GT(bus->disconnects.value(), 0U);
  EXPECT_GT(bus->retries.value(), 0U);
  EXPECT_EQ(std::memcmp(ram + 0x1000, buffer.data(), 8192), 0);
  const auto cut = std::find_if(log.spans.begin(), log.spans.end(), [](const auto& span) {
    return span.label == "memory write" && span.bytes < 4096;
  });
  ASSERT_NE(cut, log.spans.end());
  EXPECT_EQ((cut->end_ps - cut->start_ps) / kPeriod, 2 + cut->bytes / 8 + 1 + 1);
}

TEST_F(ConventionalTest, AReadBeyondMemoryEndsInTargetAbort) {
  build_pci();
  at(0, [&] { device().dma().read(0x80'0000, buffer.data(), 512, &device(), 1); });
  sc_core::sc_start();
  EXPECT_EQ(device().done.at(0).status, DmaStatus::kTargetAbort);
  EXPECT_EQ(log.spans.back().label, "target abort");
  EXPECT_EQ(bus->target_aborts.value(), 1U);
  EXPECT_NE(device().config().read(0x06, 2) & status::kReceivedTargetAbort, 0U);
  EXPECT_EQ(buffer[0], 0xee);
  EXPECT_EQ(bus->outstanding_reads.value(), 0U);
}

TEST_F(ConventionalTest, RandomTrafficOfTwoDevicesKeepsEveryByte) {
  bridge_params.delayed_read_bytes.value = {512};
  build_pci();
  device(0).config().write(0x0d, 1, 32);
  device(1).config().write(0x0d, 1, 48);
  std::mt19937 random(5);
  std::vector<std::vector<std::uint8_t>> read(200);
  std::vector<std::uint64_t> from(200);
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    at(slot * 100'000, [&, slot] {
      for (std::uint32_t i = 0; i < 100; ++i) {
        const std::uint32_t n = slot * 100 + i;
        read[n].resize(1 + random() % 5000);
        from[n] = random() % 0x10'0000;
        device(slot).dma().read(from[n], read[n].data(), static_cast<std::uint32_t>(read[n].size()),
                                &device(slot), i);
        device(slot).dma().write(0x20'0000 + slot * 0x10'0000 + i * 4096, &buffer[i * 64],
                                 1 + static_cast<std::uint32_t>(random() % 4000), &device(slot),
                                 1000 + i);
        sc_core::wait(from_ps(random() % 20'000'000));
      }
    });
  }
  sc_core::sc_start();
  EXPECT_EQ(device(0).done.size() + device(1).done.size(), 400U);
  for (std::size_t i = 0; i < read.size(); ++i) {
    ASSERT_EQ(std::memcmp(read[i].data(), ram + from[i], read[i].size()), 0) << i;
  }
}

}  // namespace
}  // namespace longhaul::pcix
