// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "models/pcix/bridges/bridge_kind.h"

namespace longhaul::assembly {
namespace {

struct MachineParams {
  /// Below the window of PCI configuration space.
  Param<Bytes> memory_size{"size",
                           units::GiB(2),
                           {Evidence::kMeasured, "OPTERON-10G, section 3: 2 GB"},
                           Range<Bytes>{units::MiB(64), units::MiB(3584)}};
  auto fields() { return std::tie(memory_size); }
};

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

FirmwareParams configured_firmware(const DeviceConfig& device, const std::string& where) {
  FirmwareParams params = firmware_params_of(device.type);
  configure(params, device.firmware, where);
  return params;
}

/// A guest's limit of silence: 60 s of wall time, or whole seconds that the environment asks for (tests of a hang ask for few).
std::chrono::seconds silence_limit() {
  const char* text = std::getenv("LONGHAUL_SILENCE_LIMIT_S");
  if (text == nullptr) return guest::GuestOptions{}.silence_limit;
  unsigned seconds = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, seconds);
  if (error != std::errc{} || rest != end || seconds == 0 || seconds > 86400) {
    throw ConfigError(fmt::format("LONGHAUL_SILENCE_LIMIT_S={}: wants whole seconds from 1 to 86400", text));
  }
  return std::chrono::seconds(seconds);
}

}  // namespace

void append_params(nlohmann::json& list, const std::string& object, const nlohmann::json& params) {
  for (nlohmann::json param : params) {
    param["object"] = object;
    list.push_back(std::move(param));
  }
}

Machine::Machine(const sc_core::sc_module_name& name, const MachineConfig& config, const SimulationConfig& simulation,
                 std::uint64_t seed, std::uint32_t& next_adapter, guest::GuestListener& listener)
    : sc_module(name) {
  const std::string where = config.name;
  interrupts_ = std::make_unique<guest::InterruptController>("interrupts");
  nlohmann::json memory_json = config.memory;
  const auto machine_params = configured<MachineParams>(split_off(memory_json, "size"), where + ".memory");
  core_ = std::make_unique<cpu::Core>("core", cpu::core_params_from(config.cpu, where + ".cpu"),
                                      machine_params.memory_size());
  guest::GuestOptions options = guest_options(config, simulation, machine_params.memory_size(), seed);
  options.should_stop = [&listener] { return listener.should_stop(); };
  guest_ = std::make_unique<guest::GuestCpu>("guest", std::move(options), *core_, *interrupts_, listener);
  guest::SharedMemory& ram = guest_->process().ram();
  memory_ = std::make_unique<memory::MemorySystem>("memory", memory::memory_params_from(memory_json, where + ".memory"),
                                                   memory::MemoryMapping{ram.data(), ram.size(), 0});
  guest_->on_ram_begin([this](std::uint64_t begin) { memory_->hide_below(begin); });
  const pcix::BridgeKind bridge = pcix::configured_bridge(config.bridge, config.pcix, where);
  pcix_ = std::make_unique<pcix::PcixBus>("pcix", bridge.bus, kSlots);
  bridge_ = std::make_unique<pcix::HostBridge>("bridge", bridge.host, *pcix_);
  bridge_->set_msi_receiver(interrupts_.get());
  bridge_->set_intx_receiver(interrupts_.get());
  bridge_->memory_initiator.bind(memory_->dma_target);
  core_->core_initiator.bind(bridge_->core_target);
  core_->memory_port.bind(*memory_);
  memory_->observe_dma(0, core_->cache());
  core_->cache().watch([this](cpu::LineCache::Ranges& rings) {
    for (const Device& device : devices_) device.adapter->append_rings(rings);
  });
  for (const DeviceConfig& device : config.devices) {
    add_device(device, seed, next_adapter);
    ++next_adapter;
  }
}

guest::GuestOptions Machine::guest_options(const MachineConfig& config, const SimulationConfig& simulation,
                                           Bytes memory, std::uint64_t seed) const {
  guest::GuestOptions options;
  options.name = config.name;
  options.kernel = simulation.kernel;
  options.root = simulation.guest_root;
  options.work_dir = simulation.out + "/guests/" + config.name;
  std::filesystem::create_directories(options.work_dir);
  options.arguments = {"init=/longhaul/init", "lh.files=" + config.guest_files};
  options.arguments.insert(options.arguments.end(), config.guest_arguments.begin(), config.guest_arguments.end());
  options.memory = memory;
  options.blocks = simulation.kernel_blocks;
  options.sample_ps = to_ps(simulation.observe.profile_period);
  options.seed = seed;
  options.silence_limit = silence_limit();
  return options;
}

nic::Adapter* Machine::function0_of(const DeviceConfig& device, const std::string& where) {
  if (device.function == 0) return nullptr;
  for (Device& other : devices_) {
    if (other.slot == device.slot && other.function == 0) return other.adapter.get();
  }
  throw ConfigError(fmt::format("{}.function: slot {} has no function 0 before it", where, device.slot));
}

void Machine::add_device(const DeviceConfig& device, std::uint64_t seed, std::uint32_t index) {
  const std::string where = std::string(basename()) + "." + device.name;
  if (device.slot == 0 || device.slot >= kSlots) {
    throw ConfigError(fmt::format("{}.slot: {} is out of range, wants 1 to {}", where, device.slot, kSlots - 1));
  }
  nic::Adapter* const function0 = function0_of(device, where);
  const std::uint64_t place = device.slot + device.function * kSlots;
  Device added{device.name,
               device.slot,
               device.function,
               configured_firmware(device, where + ".firmware"),
               make_adapter(device.type, {device.name.c_str(), device.params, where, index, seed + place, function0}),
               nullptr};
  added.payload = std::make_unique<observe::PayloadMeter>(
      (device.name + "_payload").c_str(), added.adapter->received_frames(), added.adapter->sent_frames());
  const pcix::HostBridge::ReadLimits limits = bridge_->read_limits();
  added.firmware.mmrbc.value = std::min(added.firmware.mmrbc(), limits.max_read_bytes);
  added.firmware.outstanding.value = std::min(added.firmware.outstanding(), limits.max_outstanding);
  pcix_->attach(device.slot, added.adapter->device(), device.function);
  run_firmware(added.firmware, added.adapter->device().config(), where + ".firmware");
  devices_.push_back(std::move(added));
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
    std::string& name = names.at(device.slot);
    name += (name.empty() ? "" : "_") + device.name;
  }
  return names;
}

void Machine::describe_params(nlohmann::json& list) const {
  const std::string place = name();
  append_params(list, place + ".cpu", describe(core_->params()));
  MachineParams size;
  size.memory_size.value = {guest_->process().options().memory};
  append_params(list, place + ".memory", describe(size));
  append_params(list, place + ".memory", describe(memory_->params()));
  append_params(list, place + ".pcix", describe(pcix_->params()));
  append_params(list, place + ".bridge", describe(bridge_->params()));
  for (const Device& device : devices_) {
    append_params(list, place + "." + device.name + ".firmware", describe(device.firmware));
    append_params(list, place + "." + device.name, device.adapter->describe_params());
  }
}

}  // namespace longhaul::assembly
