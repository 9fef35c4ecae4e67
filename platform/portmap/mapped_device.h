// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/hostbus/platform_device.h"
#include "models/nic/adapter.h"
#include "platform/cosim/bus/block_memory.h"
#include "platform/cosim/bus/interrupt_pins.h"
#include "platform/cosim/bus/register_port.h"
#include "platform/cosim/object/rtl_object.h"
#include "platform/portmap/block_map.h"
#include "platform/portmap/block_part.h"
#include "platform/portmap/bus_sides.h"
#include "platform/portmap/mapped_block.h"
#include "platform/portmap/mapped_port.h"
#include "platform/portmap/memory_accesses.h"

namespace longhaul::portmap {

/// Numbers of an adapter on the host's own bus that is implemented by RTL.
struct DeviceParams {
  auto fields() {
    return std::tie(block.rules, block.gating, stress.stalls, stress.delay, stress.seed);
  }
  BlockParams block;
  MemoryStress stress;
};

/// A network adapter on the host's own bus that is implemented by a block of RTL. Its registers
/// fill a window of the bus, its manager accesses memory, and its MAC is at the wire. All its
/// interrupt requests together are one line of the interrupt controller.
///
/// A read of a register takes the block's clocks. After an error response of the block a read
/// returns all ones, and a write has no effect; both are counted.
class MappedDevice final : public sc_core::sc_module,
                           public nic::Adapter,
                           public hostbus::PlatformDevice,
                           public BlockPart,
                           private cosim::RegisterClient,
                           private cosim::BlockMemory,
                           private cosim::InterruptClient,
                           private hostbus::DmaClient {
 public:
  MappedDevice(const sc_core::sc_module_name& name, const BlockMap& map,
               const cosim::RtlObject& object, const DeviceParams& params);

  // Adapter.
  hostbus::PlatformDevice* platform_device() override { return this; }
  EthPort& port() override { return port_.port(); }
  observe::FrameTap& received_frames() override { return port_.received; }
  observe::FrameTap& sent_frames() override { return port_.sent; }
  /// Appends nothing: only the block's driver knows where its rings are.
  void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>&) const override {}
  nlohmann::json describe_params() const override;

  // PlatformDevice.
  void join(hostbus::DevicePort& port) override { bus_ = &port; }
  std::uint64_t window_bytes() const override { return block_.map().platform->window; }
  void read(std::uint64_t address, std::uint32_t bytes) override;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) override;

  observe::Counter bus_errors{"bus_errors", "1", "accesses that the block answered with an error"};

 private:
  void start_of_simulation() override;
  void note_access(std::uint64_t address, bool write);
  void access_done(std::uint64_t tag, cosim::BusStatus status, const std::uint8_t* data) override;
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
            cosim::MemoryClient& client, std::uint64_t tag) override;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
             cosim::MemoryClient& client, std::uint64_t tag) override;
  void dma_done(std::uint64_t tag, bool ok) override;
  void interrupts_changed(std::uint64_t levels, std::uint64_t) override {
    bus_->set_interrupt(levels != 0);
  }

  DeviceParams params_;
  MappedBlock block_;
  MappedPort port_;
  hostbus::DevicePort* bus_ = nullptr;
  RegisterSide registers_;
  std::unique_ptr<cosim::Transactor> memory_;
  std::unique_ptr<cosim::InterruptPins> interrupts_;
  MemoryAccesses accesses_;
};

}  // namespace longhaul::portmap
