// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_controller.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstring>
#include <vector>

namespace longhaul::memory {
namespace {

struct Master final : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Master> dma_initiator{"dma_initiator"};
  explicit Master(const sc_core::sc_module_name& name) : sc_module(name) {}

  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken_back;  // DMI ranges
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) { taken_back.emplace_back(begin, end); }

  struct Result {
    tlm::tlm_response_status response;
    std::uint64_t ps;
  };
  Result access(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t length,
                std::uint64_t delay_ps = 0) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<std::uint8_t*>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    sc_core::sc_time delay = from_ps(delay_ps);
    dma_initiator->b_transport(payload, delay);
    return {payload.get_response_status(), to_ps(delay)};
  }
};

class MemoryControllerTest : public ::testing::Test {
 protected:
  /// 6.4 GB/s without loss: a burst of 64 B takes 10 ns.
  static MemoryParams even() {
    MemoryParams params;
    params.efficiency.value = 1.0;
    return params;
  }
  void build(const MemoryParams& params = even()) {
    memory = std::make_unique<MemoryController>("memory", params, Bytes{1U << 20});
    master.dma_initiator.bind(memory->dma_target);
  }
  Master master{"master"};
  std::unique_ptr<MemoryController> memory;
  std::array<std::uint8_t, 4096> data{};
};

TEST_F(MemoryControllerTest, TwoChannelsOfDdr400Give6400MegabytesASecondAtBest) {
  build();
  EXPECT_EQ(memory->bytes_per_s(), 6'400'000'000U);
  MemoryController usual("usual", MemoryParams{}, Bytes{4096});
  EXPECT_EQ(usual.bytes_per_s(), 4'800'000'000U);
}

TEST_F(MemoryControllerTest, AReadTakesItsBurstsAndTheLatency) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, 0, data.data(), 512).ps, 80'000U + 60'000U);
}

TEST_F(MemoryControllerTest, AWriteIsDoneWhenTheChannelsHaveIt) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 0, data.data(), 512, 5'000).ps, 85'000U);
}

TEST_F(MemoryControllerTest, PartsOfBurstsCostWholeOnes) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 63, data.data(), 2).ps, 20'000U);
  EXPECT_EQ(memory->busy_ps.value(), 20'000U);
}

TEST_F(MemoryControllerTest, DmaQueuesInTheOrderOfTheCalls) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 0, data.data(), 640).ps, 100'000U);
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 0, data.data(), 64, 30'000).ps, 110'000U);
  EXPECT_EQ(memory->dma_waited_ps.value(), 70'000U);
  EXPECT_EQ(memory->dma_bytes.value(), 704U);
}

TEST_F(MemoryControllerTest, BandwidthIsExactOverManyBurstsThoughAPicosecondDoesNotDivideThem) {
  build(MemoryParams{});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::uint64_t ps = 0;
  for (int i = 0; i < 3000; ++i) ps = master.access(tlm::TLM_WRITE_COMMAND, 0, data.data(), 64).ps;
  // 192,000 B at 4.8 GB/s are 40 us; the carried fraction is a 1024th of a picosecond a burst.
  EXPECT_NEAR(static_cast<double>(ps), 40e6, 3.0);
}

TEST_F(MemoryControllerTest, ALoneCopyRunsAtFullBandwidth) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(to_ps(memory->occupy(64'000)), 10'000'000U);
  EXPECT_EQ(to_ps(memory->occupy(0)), 0U);
  EXPECT_EQ(memory->core_bytes.value(), 64'000U);
}

TEST_F(MemoryControllerTest, DmaBesideACopyGetsHalfTheBandwidthNotTheEndOfTheQueue) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  memory->occupy(64'000);
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 0, data.data(), 640).ps, 200'000U);
}

TEST_F(MemoryControllerTest, TrafficWithoutAnAddressOccupiesTheChannelsAndTouchesNothing) {
  std::vector<std::uint8_t> file(4096, 7);
  MemoryController mapped("mapped", even(), MemoryMapping{file.data(), file.size(), 0x10'0000});
  master.dma_initiator.bind(mapped.core_target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const Master::Result result = master.access(tlm::TLM_IGNORE_COMMAND, 0, nullptr, 64'000);
  EXPECT_EQ(result.response, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(result.ps, 10'000'000U);
  EXPECT_EQ(mapped.core_bytes.value(), 64'000U);
  EXPECT_EQ(mapped.dma_bytes.value(), 0U);
  EXPECT_EQ(file, std::vector<std::uint8_t>(4096, 7));
}

TEST_F(MemoryControllerTest, WhatDmaTookFromACopyLengthensTheNext) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  memory->occupy(64'000);
  master.access(tlm::TLM_WRITE_COMMAND, 0, data.data(), 640);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  EXPECT_EQ(to_ps(memory->occupy(640)), 100'000U + 100'000U);
  EXPECT_EQ(to_ps(memory->occupy(640)), 200'000U + 100'000U);
  EXPECT_EQ(memory->core_waited_ps.value(), 100'000U + 200'000U);
}

TEST_F(MemoryControllerTest, ACopyBesideQueuedDmaGetsTheOtherHalf) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (int i = 0; i < 10; ++i) master.access(tlm::TLM_WRITE_COMMAND, 0, data.data(), 640);  // 1 us
  EXPECT_EQ(to_ps(memory->occupy(640)), 200'000U);
  EXPECT_EQ(to_ps(memory->occupy(64'000)), 200'000U + 10'000'000U + 400'000U);
}

TEST_F(MemoryControllerTest, BusyTimeIsWhatWasMovedAtFullBandwidth) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  memory->occupy(6'400);
  master.access(tlm::TLM_WRITE_COMMAND, 0, data.data(), 640);
  EXPECT_EQ(memory->busy_ps.value(), 1'100'000U);
}

TEST_F(MemoryControllerTest, OutsideTheStoreIsAnAddressErrorThatTakesNoTime) {
  std::vector<std::uint8_t> file(8192, 7);
  MemoryController mapped("mapped", even(), MemoryMapping{file.data(), file.size(), 0x10'0000});
  master.dma_initiator.bind(mapped.dma_target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const auto& [address, length] : std::vector<std::pair<std::uint64_t, std::uint32_t>>{
           {0x0f'ffff, 1}, {0x0f'ffff, 2}, {0x10'2000, 1}, {0x10'1fff, 2}, {0xffff'ffff'ffff'fff0ULL, 64}}) {
    const Master::Result result = master.access(tlm::TLM_READ_COMMAND, address, data.data(), length, 1'000);
    EXPECT_EQ(result.response, tlm::TLM_ADDRESS_ERROR_RESPONSE) << std::hex << address;
    EXPECT_EQ(result.ps, 1'000U);
  }
  EXPECT_EQ(master.access(tlm::TLM_READ_COMMAND, 0x10'1fff, data.data(), 1).response, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(data[0], 7);
  EXPECT_EQ(mapped.dma_bytes.value(), 1U);
}

TEST_F(MemoryControllerTest, WhatIsHiddenIsAnAddressErrorAndIsNotWritten) {
  std::vector<std::uint8_t> file(8192, 7);
  MemoryController mapped("mapped", even(), MemoryMapping{file.data(), file.size(), 0});
  master.dma_initiator.bind(mapped.dma_target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  mapped.hide_below(0x1000);
  for (const auto& [address, length] :
       std::vector<std::pair<std::uint64_t, std::uint32_t>>{{0, 1}, {0x0fff, 1}, {0x0fff, 2}, {0x0800, 0x1000}}) {
    EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, address, data.data(), length).response,
              tlm::TLM_ADDRESS_ERROR_RESPONSE)
        << std::hex << address;
  }
  EXPECT_EQ(file, std::vector<std::uint8_t>(8192, 7));
  EXPECT_EQ(mapped.busy_ps.value(), 0U);
  EXPECT_EQ(master.access(tlm::TLM_WRITE_COMMAND, 0x1000, data.data(), 1).response, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(file[0x1000], 0);
}

TEST_F(MemoryControllerTest, DirectAccessToWhatIsHiddenIsTakenBackAndRefused) {
  build();
  master.dma_initiator.register_invalidate_direct_mem_ptr(&master, &Master::invalidate);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  memory->hide_below(0x1000);
  EXPECT_EQ(master.taken_back, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 0xfff}}));
  tlm::tlm_generic_payload payload;
  tlm::tlm_dmi dmi;
  payload.set_address(0xfff);
  EXPECT_FALSE(master.dma_initiator->get_direct_mem_ptr(payload, dmi));
  payload.set_address(0x1000);
  ASSERT_TRUE(master.dma_initiator->get_direct_mem_ptr(payload, dmi));
  EXPECT_EQ(dmi.get_dmi_ptr(), memory->mapping().bytes + 0x1000);
  EXPECT_EQ(dmi.get_start_address(), 0x1000U);
  EXPECT_EQ(dmi.get_end_address(), (1U << 20) - 1);
}

TEST_F(MemoryControllerTest, AMappingIsSharedNotCopied) {
  std::vector<std::uint8_t> file(4096, 0);
  MemoryController mapped("mapped", even(), MemoryMapping{file.data(), file.size(), 0x1000});
  master.dma_initiator.bind(mapped.dma_target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  data[0] = 0x5a;
  master.access(tlm::TLM_WRITE_COMMAND, 0x1010, data.data(), 1);
  EXPECT_EQ(file[0x10], 0x5a);
  file[0x20] = 0xa5;
  master.access(tlm::TLM_READ_COMMAND, 0x1020, data.data(), 1);
  EXPECT_EQ(data[0], 0xa5);
}

TEST_F(MemoryControllerTest, DirectAccessGivesTheWholeStore) {
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  tlm::tlm_generic_payload payload;
  payload.set_address(0x100);
  tlm::tlm_dmi dmi;
  ASSERT_TRUE(master.dma_initiator->get_direct_mem_ptr(payload, dmi));
  EXPECT_EQ(dmi.get_dmi_ptr(), memory->mapping().bytes);
  EXPECT_EQ(dmi.get_start_address(), 0U);
  EXPECT_EQ(dmi.get_end_address(), (1U << 20) - 1);
  EXPECT_TRUE(dmi.is_read_write_allowed());
  payload.set_address(1U << 20);
  EXPECT_FALSE(master.dma_initiator->get_direct_mem_ptr(payload, dmi));
}

TEST_F(MemoryControllerTest, MemoryThatTheMachineHasNotGotIsRefused) {
  try {
    MemoryController huge("huge", even(), Bytes{1ULL << 62});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "huge: cannot have 4294967296GiB of memory: Cannot allocate memory");
  }
}

}  // namespace
}  // namespace longhaul::memory
