// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_device.h"

#include "models/common/param_json.h"

namespace longhaul::portmap {

MappedDevice::MappedDevice(const sc_core::sc_module_name& name, const BlockMap& map,
                           const cosim::RtlObject& object, const DeviceParams& params)
    : sc_core::sc_module(name),
      BlockPart(block_),
      params_(params),
      block_("block", map, object, params.block),
      port_("mac", block_, map.platform->port) {}

nlohmann::json MappedDevice::describe_params() const {
  return params_.block.describe(describe(params_));
}

void MappedDevice::start_of_simulation() {
  const BlockMap& map = block_.map();
  block_.start();
  registers_ = make_register_side(block_, map.interface(map.platform->registers), *this);
  if (!map.platform->memory.empty())
    memory_ = make_memory_side(block_, map.interface(map.platform->memory), params_.stress, *this);
  if (!map.platform->interrupts.empty()) {
    const InterfaceEntry& interface = map.interface(map.platform->interrupts);
    cosim::InterruptClient& client = *this;
    interrupts_ = std::make_unique<cosim::InterruptPins>(
        block_.rtl(), block_.clock(interface.clock), block_.pin(interface, "irq"), client);
  }
  port_.connect();
  block_.power_up();
}

void MappedDevice::read(std::uint64_t address, std::uint32_t bytes) {
  note_access(address, false);
  registers_.port->read(block_.map().platform->base + address, bytes, 0);
}

void MappedDevice::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) {
  note_access(address, true);
  registers_.port->write(block_.map().platform->base + address, data, bytes, 0);
}

void MappedDevice::note_access(std::uint64_t address, bool write) {
  const PlatformEntry& platform = *block_.map().platform;
  if (BusCoverage* const buses = block_.buses())
    buses->register_accessed(platform.registers, platform.base + address, write);
}

void MappedDevice::access_done(std::uint64_t, cosim::BusStatus status, const std::uint8_t* data) {
  if (status != cosim::BusStatus::kOk) bus_errors.add();
  bus_->answer(status == cosim::BusStatus::kOk, data);
}

void MappedDevice::read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
                        cosim::MemoryClient& client, std::uint64_t tag) {
  bus_->read_memory(address, data, length, *this, accesses_.open(client, tag));
}

void MappedDevice::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
                         cosim::MemoryClient& client, std::uint64_t tag) {
  bus_->write_memory(address, data, length, *this, accesses_.open(client, tag));
}

void MappedDevice::dma_done(std::uint64_t tag, bool ok) {
  const MemoryAccesses::Access access = accesses_.close(static_cast<std::uint32_t>(tag));
  access.client->memory_done(access.tag,
                             ok ? cosim::BusStatus::kOk : cosim::BusStatus::kDecodeError);
}

}  // namespace longhaul::portmap
