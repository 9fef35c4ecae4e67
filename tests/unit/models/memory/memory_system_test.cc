// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_system.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/unit/models/memory/memory_fixture.h"

namespace longhaul::memory {
namespace {

// The HDAMA's numbers: line 10 ns, CL 10, row 15, conflict 30 ns. A core's load takes 60 ns (core
// 20, controller 20, CL, line). A device's takes 40, but 60 until the other processor has answered
// its probe. A hop takes 17.5 ns, a packet with a line 27.298 ns.
class MemorySystemTest : public testing::MemoryFixture {};

TEST_F(MemorySystemTest, ALoadTakesItsLatencyAndARowThatIsClosedItsActivation) {
  build();
  EXPECT_EQ(read(0, 64, 1), 75'000U);
  pass(100'000);
  EXPECT_EQ(read(64, 64, 1), 60'000U);
  EXPECT_EQ(memory->core_bytes.value(), 128U);
}

TEST_F(MemorySystemTest, LoadsThatWaitForEachOtherTakeEachItsLatency) {
  build();
  EXPECT_EQ(read(0, 100 * 64, 1), 15'000U + 100U * 60'000U);
}

TEST_F(MemorySystemTest, MissesInFlightOverlap) {
  build();
  // Ten lines, four at once: the ninth and tenth go in the third round, 10 ns apart on the data
  // bus.
  EXPECT_EQ(read(0, 10 * 64, 4), 15'000U + 2U * 60'000U + 10'000U + 60'000U);
}

TEST_F(MemorySystemTest, EnoughMissesInFlightAreBoundByTheDataBus) {
  build();
  EXPECT_EQ(read(0, 200 * 64, 8), 15'000U + 200U * 10'000U + 50'000U);
}

TEST_F(MemorySystemTest, ACoresStreamsQueue) {
  build();
  EXPECT_EQ(read(0, 64, 1), 75'000U);
  EXPECT_EQ(read(64, 64, 1), 135'000U);
}

TEST_F(MemorySystemTest, WritesAreAcceptedUntilTheBufferIsFull) {
  build();
  EXPECT_EQ(write(0, 4 * 64), 0U);
  EXPECT_EQ(write(4 * 64, 100 * 64), 15'000U + 104U * 10'000U - 8U * 10'000U);
  EXPECT_EQ(memory->node(0).core_write_bytes.value(), 104U * 64U);
}

TEST_F(MemorySystemTest, WhereThereIsNoMemoryNothingCostsAnything) {
  build();
  EXPECT_EQ(read(1ULL << 31, 64, 1), 0U);
  EXPECT_EQ(read(~0ULL - 63, 64, 1), 0U);
  EXPECT_EQ(read(0, 0, 1), 0U);
  EXPECT_EQ(memory->core_bytes.value(), 0U);
  EXPECT_EQ(read((1ULL << 31) - 64, ~0ULL, 1),
            2 * 17'500U + 15'000U + 20'000U + 20'000U + 10'000U + 27'298U);
  EXPECT_EQ(memory->core_bytes.value(), 64U);
}

TEST_F(MemorySystemTest, AMemoryThatBeginsAboveZeroIsTheSameAboveIt) {
  std::vector<std::uint8_t> file(8192, 7);
  MemorySystem mapped("mapped", memory_preset("opteron_hdama", "test"),
                      MemoryMapping{file.data(), file.size(), 0x10'0000});
  bridge.dma_initiator.bind(mapped.dma_target);
  pass(1'000'000);
  EXPECT_EQ(mapped.stream({0, 64, false, 1}), 0U);
  EXPECT_EQ(mapped.stream({0x0f'ffc0, 128, false, 1}), 75'000U);
  for (const auto& [address, length] :
       std::vector<std::pair<std::uint64_t, std::uint32_t>>{{0x0f'ffff, 1},
                                                            {0x0f'ffff, 2},
                                                            {0x10'2000, 1},
                                                            {0x10'1fff, 2},
                                                            {0xffff'ffff'ffff'fff0ULL, 64}}) {
    const testing::Bridge::Result result = dma_read(address, length, 1'000);
    EXPECT_EQ(result.response, tlm::TLM_ADDRESS_ERROR_RESPONSE) << std::hex << address;
    EXPECT_EQ(result.ps, 1'000U);
  }
  EXPECT_EQ(dma_read(0x10'1fff, 1).response, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bridge.data[0], 7);
  bridge.data[0] = 9;
  dma_write(0x10'0010, 1);
  EXPECT_EQ(file[0x10], 9);
  EXPECT_EQ(mapped.dma_bytes.value(), 2U);
}

TEST_F(MemorySystemTest, ADevicesReadWaitsForTheProbeOfTheOtherProcessor) {
  build();
  EXPECT_EQ(dma_read(0, 512).ps, 15'000U + 80'000U + 50'000U);
  EXPECT_EQ(memory->dma_waited_ps.value(), 0U);
  EXPECT_EQ(memory->node(0).dma_read_bytes.value(), 512U);
}

TEST_F(MemorySystemTest, WithOneProcessorADevicesReadIsTheMemorysOwnTime) {
  MemorySystemParams params = memory_preset("opteron_hdama", "test");
  params.nodes.value = 1;
  build(params);
  EXPECT_EQ(dma_read(0, 512).ps, 15'000U + 80'000U + 30'000U);
}

TEST_F(MemorySystemTest, ADevicesWriteIsDoneWhenTheDataBusHasItAndItsPartsCostWholeLines) {
  build();
  EXPECT_EQ(dma_write(0, 512, 5'000).ps, 5'000U + 15'000U + 80'000U);
  EXPECT_EQ(dma_write(575, 2).ps, 120'000U);
  EXPECT_EQ(memory->dma_waited_ps.value(),
            100'000U);  // the second came at once and waited for the first
  EXPECT_EQ(memory->node(0).busy_ps.value(), 100'000U);
}

TEST_F(MemorySystemTest, TheOtherNodesMemoryIsTwoHopsAndAPacketFurther) {
  build();
  read(kNode1, 64, 1);
  pass(200'000);
  EXPECT_EQ(read(kNode1 + 64, 64, 1), 60'000U - 10'000U + 27'298U + 2U * 17'500U);
  EXPECT_EQ(memory->remote_bytes.value(), 128U);
  EXPECT_EQ(memory->node(1).core_read_bytes.value(), 128U);
}

TEST_F(MemorySystemTest, AStreamFromTheOtherNodeRunsAtTheLinksRate) {
  build();
  // 1000 packets of 76 B at 2.784 GB/s; the first line is at the link after a hop and its row, the
  // last is the core's after 67.5 ns.
  EXPECT_EQ(read(kNode1, 64'000, 16), 17'500U + 15'000U + 27'298'850U + 67'500U);
}

TEST_F(MemorySystemTest, ACoreOfTheOtherNodeFindsThatMemoryNear) {
  MemorySystemParams params = memory_preset("opteron_hdama", "test");
  params.cores.value = 2;
  build(params);
  EXPECT_EQ(read(kNode1, 64, 1, 1), 75'000U);
  EXPECT_EQ(memory->remote_bytes.value(), 0U);
}

TEST_F(MemorySystemTest, DmaToTheOtherNodeCrossesTheLinkAndSharesIt) {
  build();
  EXPECT_EQ(dma_write(kNode1, 512).ps, 17'500U + 15'000U + 8U * 80U * 1'000'000U / 2784U);
  pass(1'000'000);
  dma_read(kNode1 + 512, 32'768);  // packets come back for 14 us
  // The line's packet waits for one of the device's; its request for one in 76/16, and at the bus
  // for what of it the link fills.
  EXPECT_NEAR(static_cast<double>(read(kNode1 + 33'024, 64, 1)),
              112'298 + 27'298 + 5'747 * 16.0 / 76 + 10'000 * 10.0 / 27.298, 50);
}

TEST_F(MemorySystemTest, DmaBesideACopyGetsHalfAndTheCoresNextStreamPays) {
  build();
  read(0, 256 * 64, 8);  // a row, 2.56 us of the data bus
  // Its 10 lines turn the bus twice, 30 ns there and back.
  EXPECT_EQ(dma_write(16'384, 640).ps, 15'000U + 2U * (100'000U + 2U * 30'000U));
  pass(10'000'000);
  const std::uint64_t paid_ps = read(64, 256 * 64 - 64, 8);
  EXPECT_GT(paid_ps, 15'000U + 255U * 10'000U + 50'000U + 100'000U);
}

TEST_F(MemorySystemTest, LatencyGrowsWithWhatOthersDoToTheDataBus) {
  build();
  read(0, 64, 1);
  pass(1'000'000);
  EXPECT_EQ(read(64, 64, 1), 60'000U);
  pass(1'000'000);
  for (int i = 0; i < 40; ++i) dma_read(16'384 + i * 512, 512);  // 3.2 us without a gap
  pass(100'000);
  // A line of a device goes before it, and half the bus is what its own gets.
  EXPECT_EQ(read(128, 64, 1), 70'000U);
  EXPECT_GT(memory->core_waited_ps.value(), 0U);
}

TEST_F(MemorySystemTest, TwoCoresShareTheDataBusAndNobodysTimeIsLost) {
  MemorySystemParams params = memory_preset("opteron_hdama", "test");
  params.cores.value = 2;
  params.nodes.value = 1;
  build(params);
  const std::uint64_t alone_ps = read(0, 256 * 64, 8, 0);
  const std::uint64_t second_ps = read(16'384, 256 * 64, 8, 1);
  // Half speed until the first is said to be done, then full speed.
  EXPECT_NEAR(static_cast<double>(second_ps), 1.5 * 2'560'000, 100'000);
  pass(second_ps);
  // The first was slowed as much, and is told with its next line.
  EXPECT_EQ(alone_ps, 15'000U + 256U * 10'000U + 50'000U);
  EXPECT_NEAR(static_cast<double>(alone_ps + read(32'768, 64, 8, 0)),
              static_cast<double>(second_ps), 100'000);
}

TEST_F(MemorySystemTest, InterleavedPagesUseBothNodesAtOnce) {
  MemorySystemParams params = memory_preset("opteron_hdama", "test");
  params.node_interleave.value = true;
  build(params);
  const std::uint64_t ps = read(0, 65'536, 64);
  EXPECT_EQ(memory->node(0).core_read_bytes.value(), 32'768U);
  EXPECT_EQ(memory->node(1).core_read_bytes.value(), 32'768U);
  EXPECT_EQ(memory->remote_bytes.value(), 32'768U);
  // The link is the slower half: 512 packets.
  EXPECT_EQ(ps, 17'500U + 15'000U + 512ULL * 76 * 1'000'000 / 2784 + 67'500U);
}

/// Whether nodes are dealt pages or stretches: what a device writes anywhere is written to the
/// nodes that have it, once.
class Places : public MemorySystemTest, public ::testing::WithParamInterface<bool> {};

TEST_P(Places, EveryByteIsOfOneNode) {
  MemorySystemParams params = memory_preset("opteron_hdama", "test");
  params.node_interleave.value = GetParam();
  build(params);
  const auto node_of = [](std::uint64_t address) {
    return GetParam() ? address / 4096 % 2 : address / kNode1;
  };
  std::array<std::uint64_t, 2> wanted{};
  for (const std::uint64_t place :
       {std::uint64_t{0}, std::uint64_t{4096}, kNode1 - 8192, kNode1 - 4096, kNode1}) {
    for (const std::uint64_t offset : {0U, 1U, 3900U, 4095U}) {
      for (const std::uint32_t bytes : {1U, 200U, 4096U, 9000U}) {
        dma_write(place + offset, bytes);
        for (std::uint64_t i = 0; i < bytes; ++i) ++wanted[node_of(place + offset + i)];
      }
    }
  }
  EXPECT_EQ(memory->node(0).dma_write_bytes.value(), wanted[0]);
  EXPECT_EQ(memory->node(1).dma_write_bytes.value(), wanted[1]);
}
INSTANTIATE_TEST_SUITE_P(All, Places, ::testing::Bool());

TEST_F(MemorySystemTest, TellsWhenTheFirstBytesOfAReadAreBack) {
  build();
  bridge.asks_for_first(128);
  dma_read(0x1000, 64);  // opens the row
  pass(1'000'000);
  const std::uint64_t alone_ps = dma_read(0x1000, 128).ps;
  pass(1'000'000);
  const std::uint64_t all_ps = dma_read(0x1000, 4096).ps;
  EXPECT_EQ(bridge.first_ps(), alone_ps);
  EXPECT_EQ(all_ps - alone_ps, 62U * 10'000U) << "64 B each 10 ns";
  pass(1'000'000);
  // Across nodes all are waited for.
  const std::uint64_t across_ps = dma_read(kNode1 - 512, 1024).ps;
  EXPECT_EQ(bridge.first_ps(), across_ps);
}

TEST_F(MemorySystemTest, TotalsAreTheNodesSumsAndTheirMeanBusyTime) {
  build();
  read(0, 640, 8);
  read(kNode1, 1280, 8);
  dma_write(0x8000, 64);
  EXPECT_EQ(memory->core_bytes.value(), 1920U);
  EXPECT_EQ(memory->dma_bytes.value(), 64U);
  EXPECT_EQ(memory->busy_ps.value(),
            (memory->node(0).busy_ps.value() + memory->node(1).busy_ps.value()) / 2);
  EXPECT_EQ(memory->node(1).busy_ps.value(), 200'000U);
}

/// A cache with some modified bytes.
struct Cache final : DmaObserver {
  void prefetch(std::uint64_t, std::uint64_t) const override {}
  std::vector<std::pair<std::uint64_t, std::uint64_t>> written;
  std::uint64_t modified = 0;
  void dma_wrote(std::uint64_t address, std::uint64_t bytes) override {
    written.emplace_back(address, bytes);
  }
  std::uint64_t dma_reads(std::uint64_t, std::uint64_t bytes) override {
    return std::min(modified, bytes);
  }
};

TEST_F(MemorySystemTest, CachesSeeWhatDevicesWrite) {
  build();
  Cache cache;
  memory->observe_dma(0, cache);
  dma_write(0x1000, 1500);
  dma_read(0x2000, 64);
  ASSERT_EQ(cache.written.size(), 1U);
  EXPECT_EQ(cache.written[0], (std::pair<std::uint64_t, std::uint64_t>{0x1000, 1500}));
}

TEST_F(MemorySystemTest, AModifiedLineStaysItsOwnersOnHyperTransport) {
  build();
  Cache cache;
  cache.modified = 256;
  memory->observe_dma(0, cache);
  dma_read(0, 512);
  EXPECT_EQ(memory->supplied_bytes.value(), 256U);
  EXPECT_EQ(memory->node(0).core_write_bytes.value(), 0U);
}

TEST_F(MemorySystemTest, AModifiedLineIsWrittenBackOverAFrontSideBus) {
  build(memory_preset("xeon_533", "test"));
  Cache cache;
  cache.modified = 256;
  memory->observe_dma(0, cache);
  dma_read(0, 512);
  EXPECT_EQ(memory->supplied_bytes.value(), 256U);
  EXPECT_EQ(memory->node(0).core_write_bytes.value(), 256U);
}

TEST_F(MemorySystemTest, OnAFrontSideBusCoresShareWhatDevicesDoNotTouch) {
  MemorySystemParams params = memory_preset("xeon_533", "test");
  params.cores.value = 2;
  params.dram.channels.value = 4;  // memory is twice as fast as the bus
  build(params);
  const std::uint64_t alone_ps = read(0, 128 * 64, 16, 0);
  // 128 lines of 8 transfers at 533 MHz.
  EXPECT_EQ(alone_ps, 20'000U + 128U * 8U * 1'875U + 90'000U);
  const std::uint64_t device_ps = dma_read(65'536, 8192).ps;
  // The bus lets the core have half of memory's time; the device, which does not cross the bus, has
  // the rest.
  EXPECT_LT(device_ps, 20'000U + 128U * 7'500U * 2 + 65'000U);
  EXPECT_GT(device_ps, 20'000U + 128U * 7'500U * 18 / 10 + 65'000U);
  // The other core has half of the bus until the first is done.
  EXPECT_GT(read(131'072, 128 * 64, 16, 1), 128U * 8U * 1'875U * 3 / 2);
}

TEST_F(MemorySystemTest, DirectAccessGivesTheWholeStore) {
  build();
  tlm::tlm_generic_payload payload;
  payload.set_address(0x100);
  tlm::tlm_dmi dmi;
  ASSERT_TRUE(bridge.dma_initiator->get_direct_mem_ptr(payload, dmi));
  EXPECT_EQ(dmi.get_dmi_ptr(), memory->mapping().bytes);
  EXPECT_EQ(dmi.get_end_address(), (1ULL << 31) - 1);
  payload.set_address(1ULL << 31);
  EXPECT_FALSE(bridge.dma_initiator->get_direct_mem_ptr(payload, dmi));
}

TEST_F(MemorySystemTest, DebugAccessMovesBytesWithoutTime) {
  build();
  std::uint8_t byte = 0x5a;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(0x40);
  payload.set_data_ptr(&byte);
  payload.set_data_length(1);
  EXPECT_EQ(bridge.dma_initiator->transport_dbg(payload), 1U);
  EXPECT_EQ(memory->mapping().bytes[0x40], 0x5a);
  EXPECT_EQ(memory->dma_bytes.value(), 0U);
}

TEST_F(MemorySystemTest, CoresThatAreNotThereAreRefused) {
  build();
  try {
    memory->core(1);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "memory: no core 1, it has 1");
  }
  Cache cache;
  EXPECT_THROW(memory->observe_dma(1, cache), ConfigError);
}

}  // namespace
}  // namespace longhaul::memory
