// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/pcix_device.h"

#include <gtest/gtest.h>

#include "models/common/payload.h"
#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

/// The device's target sockets without a bus; its DMA goes nowhere in these tests.
class PcixDeviceTest : public testing::PcTest {
 protected:
  struct Prober final : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Prober> initiator{"initiator"};
    explicit Prober(const sc_core::sc_module_name& name) : sc_module(name) {}
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t offset, void* data,
                                    std::uint32_t length, std::uint8_t* enables = nullptr) {
      tlm::tlm_generic_payload payload;
      set_access(payload, command, offset, data, length);
      payload.set_byte_enable_ptr(enables);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      initiator->b_transport(payload, delay);
      EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
      return payload.get_response_status();
    }
  };
  PcixDeviceTest() {
    build(1);
    probed = std::make_unique<testing::TestDevice>("probed");
    mmio.initiator.bind(probed->mmio_target);
    config.initiator.bind(probed->config_target);
    spare_bus = std::make_unique<SpareBus>("spare_bus");
    probed->dma().dma_initiator.bind(spare_bus->target);
    probed->inta_o.bind(inta);
  }
  struct SpareBus final : sc_core::sc_module {
    tlm_utils::simple_target_socket<SpareBus> target{"target"};
    explicit SpareBus(const sc_core::sc_module_name& name) : sc_module(name) {
      target.register_nb_transport_fw(this, &SpareBus::fw);
    }
    tlm::tlm_sync_enum fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
      return tlm::TLM_ACCEPTED;
    }
  };

  Prober mmio{"mmio"};
  Prober config{"config"};
  sc_core::sc_signal<bool> inta{"inta"};
  std::unique_ptr<SpareBus> spare_bus;
  std::unique_ptr<testing::TestDevice> probed;
};

TEST_F(PcixDeviceTest, AccessesOfEverySizeReachTheRightLanes) {
  std::uint8_t bytes[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
  EXPECT_EQ(mmio.access(tlm::TLM_WRITE_COMMAND, 0x10, bytes, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(probed->scratch.value(), 0x4433'2211U);
  EXPECT_EQ(mmio.access(tlm::TLM_WRITE_COMMAND, 0x12, bytes, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(probed->scratch.value(), 0x4411'2211U);
  EXPECT_EQ(mmio.access(tlm::TLM_WRITE_COMMAND, 0x0e, bytes, 4),
            tlm::TLM_OK_RESPONSE);  // two bytes before, two of it
  EXPECT_EQ(probed->scratch.value(), 0x4411'4433U);
  EXPECT_EQ(probed->bank().stray_accesses(), 1U);
  EXPECT_EQ(mmio.access(tlm::TLM_READ_COMMAND, 0x11, bytes, 2), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bytes[0], 0x44);
  EXPECT_EQ(bytes[1], 0x11);
  EXPECT_EQ(mmio.access(tlm::TLM_READ_COMMAND, 0x20, bytes, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bytes[0], 0x78);
  EXPECT_EQ(bytes[7], 0);
}

TEST_F(PcixDeviceTest, WhatTheBarDoesNotCoverIsAnAddressError) {
  std::uint8_t bytes[16] = {};
  EXPECT_EQ(mmio.access(tlm::TLM_READ_COMMAND, 4096, bytes, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(mmio.access(tlm::TLM_READ_COMMAND, 4094, bytes, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(mmio.access(tlm::TLM_READ_COMMAND, ~0ULL - 1, bytes, 8),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(mmio.access(tlm::TLM_READ_COMMAND, 0, bytes, 9), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(mmio.access(tlm::TLM_READ_COMMAND, 4092, bytes, 4), tlm::TLM_OK_RESPONSE);
  std::uint8_t enables[4] = {0xff, 0, 0, 0};
  EXPECT_EQ(mmio.access(tlm::TLM_WRITE_COMMAND, 0x10, bytes, 4, enables),
            tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

TEST_F(PcixDeviceTest, ConfigurationTakesOneTwoAndFourBytes) {
  std::uint8_t bytes[4] = {};
  EXPECT_EQ(config.access(tlm::TLM_READ_COMMAND, 0, bytes, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bytes[0] | bytes[1] << 8, 0x8086);
  EXPECT_EQ(config.access(tlm::TLM_READ_COMMAND, 0, bytes, 3), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(config.access(tlm::TLM_READ_COMMAND, 0x100, bytes, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bytes[3], 0xff);
  bytes[0] = 0x06;
  EXPECT_EQ(config.access(tlm::TLM_WRITE_COMMAND, 4, bytes, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_TRUE(probed->config().master_enabled());
}

TEST_F(PcixDeviceTest, IntaFollowsTheLevelAndMsiSilencesIt) {
  std::vector<std::pair<std::uint64_t, bool>> seen;
  const auto look = [&] { seen.emplace_back(now_ps(), inta.read()); };
  at(0, [&] {
    probed->set_interrupt(true);
    sc_core::wait(1, sc_core::SC_NS);
    look();
    std::uint8_t enable[2] = {1, 0};
    config.access(tlm::TLM_WRITE_COMMAND, 0xf2, enable, 2);
    sc_core::wait(1, sc_core::SC_NS);
    look();
    enable[0] = 0;
    config.access(tlm::TLM_WRITE_COMMAND, 0xf2, enable, 2);
    sc_core::wait(1, sc_core::SC_NS);
    look();
    EXPECT_NE(probed->config().read(0x06, 2) & 8U, 0U);
    probed->set_interrupt(false);
    sc_core::wait(1, sc_core::SC_NS);
    look();
    EXPECT_EQ(probed->config().read(0x06, 2) & 8U, 0U);
  });
  sc_core::sc_start();
  EXPECT_THAT(seen,
              ::testing::ElementsAre(::testing::Pair(1'000, true), ::testing::Pair(2'000, false),
                                     ::testing::Pair(3'000, true), ::testing::Pair(4'000, false)));
}

}  // namespace
}  // namespace longhaul::pcix
