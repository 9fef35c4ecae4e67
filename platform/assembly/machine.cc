// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/param_json.h"
#include "models/pcix/bridges/bridge_kind.h"
#include "platform/guest/guest_process.h"

namespace longhaul::assembly {
namespace {

/// Suffix of the name of an adapter's payload meter.
constexpr const char* kPayload = "_payload";

/// Moves `key` of a JSON object into an object of its own.
nlohmann::json split_off(nlohmann::json& from, const char* key) {
  nlohmann::json out = nlohmann::json::object();
  if (from.is_object() && from.contains(key)) {
    out[key] = from[key];
    from.erase(key);
  }
  return out;
}

template <class Params>
Params configured(const nlohmann::json& json, const std::string& where) {
  Params params;
  configure(params, json, where);
  return params;
}

pcix::FirmwareParams configured_firmware(pcix::FirmwareParams params, const nlohmann::json& json,
                                         const std::string& where) {
  configure(params, json, where);
  return params;
}

bool has_wide_bar(const pcix::ConfigSpace& config) {
  for (std::size_t i = 0; i < config.memory_bars(); ++i) {
    if (config.memory_bar_is_wide(i)) return true;
  }
  return false;
}

}  // namespace

void append_params(nlohmann::json& list, const std::string& object, const nlohmann::json& params) {
  for (nlohmann::json param : params) {
    param["object"] = object;
    list.push_back(std::move(param));
  }
}

Machine::Machine(const sc_core::sc_module_name& name, const MachineConfig& config,
                 const SimulationConfig& simulation, std::uint64_t seed,
                 std::uint32_t& next_adapter, guest::GuestListener& listener)
    : sc_module(name) {
  const std::string where = config.name;
  nlohmann::json memory_json = config.memory;
  memory_size_ = configured<MachineParams>(split_off(memory_json, "size"), where + ".memory");
  memory::MemorySystemParams memory_params =
      memory::memory_params_from(memory_json, where + ".memory");
  add_cores(config, memory_params);
  software_ = make_software(config, simulation, memory_size_.memory_size(), seed, cores_, listener);
  if (const memory::MemoryMapping* const mapping = software_->mapping()) {
    memory_ = std::make_unique<memory::MemorySystem>("memory", memory_params, *mapping);
  } else {
    memory_ =
        std::make_unique<memory::MemorySystem>("memory", memory_params, memory_size_.memory_size());
  }
  software_->use(*memory_);
  const pcix::BridgeKind bridge = pcix::configured_bridge(config.bridge, config.pcix, where);
  pcix_ = std::make_unique<pcix::PcixBus>("pcix", bridge.bus, kSlots);
  bridge_ = std::make_unique<pcix::HostBridge>("bridge", bridge.host);
  bridge_->bus_socket.bind(pcix_->host_socket);
  bridge_->set_msi_receiver(&software_->msi_receiver());
  bridge_->set_intx_receiver(&software_->intx_receiver());
  bridge_->memory_initiator.bind(memory_->dma_target);
  add_platform_bus(config);
  join_cores();
  for (const DeviceConfig& device : config.devices) {
    add_device(device, seed, next_adapter);
    ++next_adapter;
  }
  std::vector<host::AdapterPlace> places;
  for (const Device& device : devices_) {
    pcix::PcixDevice* const function = device.adapter->function();
    if (function == nullptr) continue;
    const std::uint32_t ids = function->config().read(0, 4);  // PCI 2.3, 6.2.1: vendor, device
    places.push_back({device.name,
                      device.slot,
                      device.function,
                      {static_cast<std::uint16_t>(ids), static_cast<std::uint16_t>(ids >> 16)}});
  }
  software_->join(places, kSlots);
  if (guest::GuestProcess* const guest = software_->guest())
    guest->page().pci_high = std::any_of(devices_.begin(), devices_.end(), [](const Device& each) {
      pcix::PcixDevice* const function = each.adapter->function();
      return function != nullptr && has_wide_bar(function->config());
    });
}

void Machine::add_cores(const MachineConfig& config, memory::MemorySystemParams& memory) {
  const std::uint32_t count = processors_of(config);
  memory.cores.value = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name = i == 0 ? "core" : fmt::format("core{}", i);
    cores_.push_back(std::make_unique<cpu::Core>(
        name.c_str(), cpu::core_params_from(config.cpu, config.name + ".cpu"),
        memory_size_.memory_size()));
  }
}

void Machine::add_platform_bus(const MachineConfig& config) {
  const std::string where = config.name + ".platform_bus";
  const auto is_platform = [&](const DeviceConfig& device) {
    return nic::adapter_types().find(device.type, config.name + "." + device.name).platform;
  };
  if (std::none_of(config.devices.begin(), config.devices.end(), is_platform)) {
    if (!config.platform_bus.empty())
      throw ConfigError(where + ": the machine has no platform device that it would be for");
    return;
  }
  if (config.guest == std::nullopt)
    throw ConfigError(config.name +
                      ": a platform device wants a real guest; modelled systems have no driver "
                      "for one");
  platform_ = std::make_unique<hostbus::PlatformBus>(
      "platform_bus", configured<hostbus::PlatformBusParams>(config.platform_bus, where),
      memory_size_.memory_size(), [this](std::uint32_t line, bool asserted) {
        software_->intx_receiver().intx(line, asserted);
      });
  platform_->bridge_initiator.bind(bridge_->core_target);
  platform_->memory_initiator.bind(bridge_->core_target);
}

void Machine::join_cores() {
  for (std::uint32_t i = 0; i < cores_.size(); ++i) {
    cpu::Core& core = *cores_[i];
    if (platform_) {
      core.core_initiator.bind(platform_->core_target);
    } else {
      core.core_initiator.bind(bridge_->core_target);
    }
    core.memory_port.bind(memory_->core(i));
    memory_->observe_dma(i, core.cache());
    core.cache().watch([this](cpu::LineCache::Ranges& rings) {
      for (const Device& device : devices_) device.adapter->append_rings(rings);
    });
  }
}

nic::Adapter* Machine::function0_of(const DeviceConfig& device, const std::string& where) {
  if (device.function == 0) return nullptr;
  for (Device& other : devices_) {
    if (other.slot == device.slot && other.function == 0) return other.adapter.get();
  }
  throw ConfigError(
      fmt::format("{}.function: slot {} has no function 0 before it", where, device.slot));
}

void Machine::add_device(const DeviceConfig& device, std::uint64_t seed, std::uint32_t index) {
  const std::string where = std::string(basename()) + "." + device.name;
  if (device.slot == 0 || device.slot >= kSlots) {
    throw ConfigError(
        fmt::format("{}.slot: {} is out of range, wants 1 to {}", where, device.slot, kSlots - 1));
  }
  for (const std::string& own : {device.name, device.name + kPayload}) {
    if (sc_core::sc_find_object((std::string(name()) + "." + own).c_str()) == nullptr) continue;
    throw ConfigError(
        fmt::format("{}: the machine has a part called '{}' already; give the adapter another name",
                    where, own));
  }
  nic::Adapter* const function0 = function0_of(device, where);
  const std::uint64_t place = device.slot + device.function * kSlots;
  const nic::AdapterType& type = nic::adapter_types().find(device.type, where);
  Device added{
      device.name,
      device.slot,
      device.function,
      configured_firmware(type.firmware, device.firmware, where + ".firmware"),
      type.make({device.name.c_str(), device.params, where, index, seed + place, function0}),
      nullptr};
  added.payload = std::make_unique<observe::PayloadMeter>((device.name + kPayload).c_str(),
                                                          added.adapter->received_frames(),
                                                          added.adapter->sent_frames());
  const pcix::HostBridge::ReadLimits limits = bridge_->read_limits(pcix_->timing());
  added.firmware.mmrbc.value = std::min(added.firmware.mmrbc(), limits.max_read_bytes);
  added.firmware.outstanding.value = std::min(added.firmware.outstanding(), limits.max_outstanding);
  join_device(added, where);
  devices_.push_back(std::move(added));
}

void Machine::join_device(const Device& device, const std::string& where) {
  if (hostbus::PlatformDevice* const platform = device.adapter->platform_device())
    return platform_->add(device.slot, *platform, where);
  pcix::PcixDevice& function = *device.adapter->function();
  pcix_->slot(device.slot, device.function).bind(function.bus_socket);
  pcix::run_firmware(device.firmware, function.config(), where + ".firmware");
}

std::optional<std::uint64_t> Machine::window(const std::string& device) const {
  for (const Device& candidate : devices_) {
    if (candidate.name != device || candidate.adapter->platform_device() == nullptr) continue;
    return hostbus::address_map::kWindowsBegin +
           candidate.slot * hostbus::address_map::kWindowBytes;
  }
  return std::nullopt;
}

EthPort* Machine::port(const std::string& device) {
  for (Device& candidate : devices_) {
    if (candidate.name == device) return &candidate.adapter->port();
  }
  return nullptr;
}

observe::PayloadMeter* Machine::payload_meter(const std::string& device) {
  for (Device& candidate : devices_) {
    if (candidate.name == device) return candidate.payload.get();
  }
  return nullptr;
}

std::vector<std::string> Machine::device_names() const {
  std::vector<std::string> names;
  for (const Device& device : devices_) names.push_back(device.name);
  return names;
}

std::vector<std::pair<std::string, nic::Adapter*>> Machine::adapters() const {
  std::vector<std::pair<std::string, nic::Adapter*>> all;
  for (const Device& device : devices_) all.emplace_back(device.name, device.adapter.get());
  return all;
}

std::vector<std::string> Machine::slot_names() const {
  std::vector<std::string> names(kSlots);
  for (const Device& device : devices_) {
    if (device.adapter->function() == nullptr) continue;
    std::string& name = names.at(device.slot);
    name += (name.empty() ? "" : "_") + device.name;
  }
  return names;
}

void Machine::describe_params(nlohmann::json& list) const {
  const std::string place = name();
  append_params(list, place + ".cpu", describe(cores_.front()->params()));
  append_params(list, place + ".memory", describe(memory_size_));
  append_params(list, place + ".memory", describe(memory_->params()));
  append_params(list, place + ".pcix", describe(pcix_->params()));
  append_params(list, place + ".bridge", describe(bridge_->params()));
  if (platform_) append_params(list, place + ".platform_bus", describe(platform_->params()));
  software_->describe_params(list, place);
  for (const Device& device : devices_) {
    if (device.adapter->function() != nullptr)
      append_params(list, place + "." + device.name + ".firmware", describe(device.firmware));
    append_params(list, place + "." + device.name, device.adapter->describe_params());
  }
}

void Machine::describe_unclaimed(nlohmann::json& list) const {
  const pcix::UnclaimedAccesses& unclaimed = pcix_->unclaimed();
  if (!unclaimed.first()) return;
  const pcix::UnclaimedAccesses::Access& access = *unclaimed.first();
  const pcix::HostRequest request{access.kind};
  nlohmann::json first = {{"read", request.is_read()}, {"io", request.is_io()},
                          {"address", access.address}, {"bytes", access.length},
                          {"ps", access.end_ps},       {"nearest", nullptr}};
  if (access.nearest) {
    const pcix::UnclaimedAccesses::Bar& bar = *access.nearest;
    const auto device = std::find_if(devices_.begin(), devices_.end(), [&](const Device& each) {
      return each.adapter->function() != nullptr && each.slot == bar.slot &&
             each.function == bar.function;
    });
    first["nearest"] = {{"adapter", device == devices_.end() ? "" : device->name},
                        {"index", bar.index},
                        {"begin", bar.begin},
                        {"bytes", bar.bytes}};
  }
  list.push_back({{"host", name()}, {"count", unclaimed.count()}, {"first", first}});
}

}  // namespace longhaul::assembly
