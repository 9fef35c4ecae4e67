// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/register_list.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "models/common/param.h"
#include "models/common/register_bank.h"
#include "models/nic/adapter_type.h"

namespace longhaul::assembly {
namespace {

// PCI 2.3, 6.1: offsets in the configuration space.
constexpr std::uint32_t kClassAndRevision = 0x08;
constexpr std::uint32_t kSubsystemVendor = 0x2c;
constexpr std::uint32_t kSubsystem = 0x2e;

const char* name_of(Access access) {
  switch (access) {
    case Access::kReadWrite: return "RW";
    case Access::kReadOnly: return "RO";
    case Access::kWriteOnly: return "WO";
    case Access::kClearOnRead: return "RC";
    case Access::kAction: break;
  }
  return "action";
}

nlohmann::json described(const Reg32& reg) {
  nlohmann::json fields = nlohmann::json::array();
  if (reg.fields() != nullptr) {
    for (const RegisterField& field : *reg.fields())
      fields.push_back({{"name", field.name},
                        {"lsb", field.lsb},
                        {"width", field.width},
                        {"meaning", field.meaning},
                        {"modelled", !field.without_effect}});
  }
  return {
      {"name", reg.name()},         {"offset", reg.offset()},     {"access", name_of(reg.access())},
      {"reset", reg.reset_value()}, {"writable", reg.writable()}, {"fields", std::move(fields)}};
}

/// The memory BARs of a function, by their base address registers.
nlohmann::json bars_of(const pcix::ConfigSpace& config) {
  constexpr std::uint32_t kBaseAddressRegisters = 6;  // PCI 2.3, 6.2.5
  nlohmann::json bars = nlohmann::json::array();
  for (std::uint32_t index = 0; index < kBaseAddressRegisters; ++index) {
    const std::size_t number = config.memory_bar_at(index);
    if (number == config.memory_bars()) continue;
    bars.push_back({{"index", index},
                    {"bytes", config.memory_size(number)},
                    {"wide", config.memory_bar_is_wide(number)}});
  }
  return bars;
}

}  // namespace

nlohmann::json register_list(const std::string& adapter) {
  const nic::AdapterType& type = nic::adapter_types().find(adapter, "registers");
  if (type.rtl || type.platform)
    throw ConfigError(
        fmt::format("registers: those of '{}' are in its RTL, which describes none", adapter));
  const std::unique_ptr<nic::Adapter> made = type.make({"adapter", nullptr, "adapter", 0, 1});
  const RegisterBank& bank = made->function()->bank();
  const pcix::ConfigSpace& config = made->function()->config();
  nlohmann::json registers = nlohmann::json::array();
  for (const Reg32* reg : bank.registers()) registers.push_back(described(*reg));
  return {{"name", type.name},
          {"title", type.title},
          {"bytes", bank.size()},
          {"revision", config.read(kClassAndRevision, 1)},
          {"class_code", config.read(kClassAndRevision, 4) >> 8U},
          {"subsystem_vendor", config.read(kSubsystemVendor, 2)},
          {"subsystem", config.read(kSubsystem, 2)},
          {"bars", bars_of(config)},
          {"registers", std::move(registers)}};
}

}  // namespace longhaul::assembly
