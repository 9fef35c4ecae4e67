// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/cpu/core.h"
#include "models/hostbus/platform_bus.h"
#include "models/memory/memory_system.h"
#include "models/nic/adapter_type.h"
#include "models/pcix/firmware.h"
#include "models/pcix/host_bridge.h"
#include "models/pcix/pcix_bus.h"
#include "platform/assembly/config.h"
#include "platform/assembly/software.h"
#include "platform/guest/guest_listener.h"
#include "platform/observe/payload_meter.h"

namespace longhaul::assembly {

struct MachineParams {
  /// Must be below the window of PCI configuration space.
  Param<Bytes> memory_size{"size",
                           units::GiB(2),
                           "size of memory, below the window of PCI configuration space",
                           {Evidence::kMeasured, "OPTERON-10G, section 3: 2 GB"},
                           Range<Bytes>{units::MiB(64), units::MiB(3584)}};
  auto fields() { return std::tie(memory_size); }
};

/// A PC: cores, memory, host bridge, PCI-X bus with adapters, and its software. With platform
/// devices it also has a bus for these, between the cores and the bridge.
class Machine final : public sc_core::sc_module {
 public:
  /// Number of slots on the bus; slot 0 is the bridge's own device number and stays empty.
  static constexpr std::uint32_t kSlots = 8;

  /// `next_adapter` counts the adapters of the simulation. Throws ConfigError for illegal
  /// parameters.
  Machine(const sc_core::sc_module_name& name, const MachineConfig& config,
          const SimulationConfig& simulation, std::uint64_t seed, std::uint32_t& next_adapter,
          guest::GuestListener& listener);

  /// The port of an adapter; null if there is no adapter of that name.
  EthPort* port(const std::string& device);
  /// The meter of user data at an adapter; null if there is no adapter of that name.
  observe::PayloadMeter* payload_meter(const std::string& device);
  /// The address of a platform device's registers; empty for other adapters.
  std::optional<std::uint64_t> window(const std::string& device) const;
  std::vector<std::string> device_names() const;
  pcix::PcixBus& pcix() { return *pcix_; }
  /// Names of the devices by slot of the bus, "" for an empty one. A device with two functions has
  /// both names.
  std::vector<std::string> slot_names() const;
  Software& software() { return *software_; }
  const std::vector<std::unique_ptr<cpu::Core>>& cores() const { return cores_; }
  /// All adapters with their names.
  std::vector<std::pair<std::string, nic::Adapter*>> adapters() const;
  /// Appends {object, name, value, evidence, source, set} of every parameter.
  void describe_params(nlohmann::json& list) const;
  /// Appends {host, count, first} if software accessed addresses that no adapter claimed.
  void describe_unclaimed(nlohmann::json& list) const;

 private:
  struct Device {
    std::string name;
    std::uint32_t slot;
    std::uint32_t function;
    pcix::FirmwareParams firmware;
    std::unique_ptr<nic::Adapter> adapter;
    std::unique_ptr<observe::PayloadMeter> payload;
  };

  void add_cores(const MachineConfig& config, memory::MemorySystemParams& memory);
  void add_platform_bus(const MachineConfig& config);
  void join_cores();
  nic::Adapter* function0_of(const DeviceConfig& device, const std::string& where);
  void add_device(const DeviceConfig& device, std::uint64_t seed, std::uint32_t index);
  void join_device(const Device& device, const std::string& where);

  MachineParams memory_size_;
  std::vector<std::unique_ptr<cpu::Core>> cores_;
  std::unique_ptr<Software> software_;
  std::unique_ptr<memory::MemorySystem> memory_;
  std::unique_ptr<pcix::PcixBus> pcix_;
  std::unique_ptr<pcix::HostBridge> bridge_;
  std::unique_ptr<hostbus::PlatformBus> platform_;  // null without platform devices
  std::vector<Device> devices_;
};

/// Adds the parameters of one object to a manifest's list.
void append_params(nlohmann::json& list, const std::string& object, const nlohmann::json& params);

}  // namespace longhaul::assembly
