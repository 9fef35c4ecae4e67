// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/common/payload.h"
#include "models/pcix/address_map.h"

namespace longhaul::nic_twin {
namespace {

constexpr std::uint32_t kPcixCapability = 0x07;
constexpr std::uint32_t kMsiCapability = 0x05;
constexpr std::uint16_t kMemoryAndMaster = 0x0006;

LinkParams short_link() {
  LinkParams params;
  params.length_m.value = 0;
  return params;
}

std::unique_ptr<nic::Adapter> adapter_of(const std::string& type, const nlohmann::json& params) {
  return nic::adapter_types().find(type, "nic").make({"nic", params, "nic", 0, 1});
}

}  // namespace

Machine::Machine(const sc_core::sc_module_name& name, const std::string& adapter,
                 const nlohmann::json& params)
    : sc_module(name),
      memory("memory", kMemoryBytes),
      bus("bus", {}, 1),
      bridge("bridge", {}),
      nic(adapter_of(adapter, params)),
      link("link", short_link()),
      far("far") {
  bridge.bus_socket.bind(bus.host_socket);
  bridge.memory_initiator.bind(memory.target);
  bridge.set_msi_receiver(this);
  core_.bind(bridge.core_target);
  bus.slot(0).bind(nic->function()->bus_socket);
  link.connect(nic->port(), far.port);
  SC_HAS_PROCESS(Machine);
  SC_METHOD(pin_method);
  sensitive << bus.interrupt(0).value_changed_event();
  dont_initialize();
}

void Machine::access(tlm::tlm_command command, std::uint64_t address, void* data,
                     std::uint32_t bytes) {
  tlm::tlm_generic_payload payload;
  set_access(payload, command, address, data, bytes);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  core_->b_transport(payload, delay);
  wait(delay);
  if (!payload.is_response_ok())
    throw std::runtime_error(fmt::format("{}: no answer at {:#x}", this->name(), address));
}

std::uint32_t Machine::read(std::uint32_t offset, std::uint32_t bytes) {
  std::uint32_t value = 0;
  access(tlm::TLM_READ_COMMAND, kBar + offset, &value, bytes);
  return value;
}

void Machine::write(std::uint32_t offset, std::uint32_t value, std::uint32_t bytes) {
  access(tlm::TLM_WRITE_COMMAND, kBar + offset, &value, bytes);
}

/// The place of a capability in configuration space.
std::uint32_t Machine::config_of(std::uint32_t capability) {
  pcix::ConfigSpace& config = nic->function()->config();
  std::uint32_t at = config.read(0x34, 1);
  while (at != 0 && config.read(at, 1) != capability) at = config.read(at + 1, 1);
  return at;
}

void Machine::power_up(std::uint32_t read_code, std::uint32_t outstanding_code, bool messages) {
  pcix::ConfigSpace& config = nic->function()->config();
  config.write(0x10, 4, static_cast<std::uint32_t>(kBar));
  config.write(0x04, 2, kMemoryAndMaster);
  config.write(config_of(kPcixCapability) + 2, 2, read_code << 2 | outstanding_code << 4);
  if (!messages) return;
  const std::uint32_t at = config_of(kMsiCapability);
  config.write(at + 4, 4, static_cast<std::uint32_t>(pcix::address_map::kMsiBegin));
  const bool wide = (config.read(at + 2, 2) & 0x80) != 0;
  config.write(at + (wide ? 12 : 8), 2, 0x41);
  config.write(at + 2, 2, config.read(at + 2, 2) | 1);
}

void Machine::msi(std::uint64_t, std::uint16_t) {
  edges.push_back({now_ps(), true});
  interrupted.notify();
}

void Machine::pin_method() {
  const bool level = bus.interrupt(0).read();
  edges.push_back({now_ps(), level});
  if (level) interrupted.notify();
}

std::uint64_t Machine::last_ps() const {
  return std::max({memory.last_ps, far.last_ps(), edges.empty() ? 0 : edges.back().at_ps});
}

}  // namespace longhaul::nic_twin
