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

}  // namespace

nlohmann::json register_list(const std::string& adapter) {
  const nic::AdapterType& type = nic::adapter_types().find(adapter, "registers");
  if (type.rtl || type.platform)
    throw ConfigError(
        fmt::format("registers: those of '{}' are in its RTL, which describes none", adapter));
  const std::unique_ptr<nic::Adapter> made = type.make({"adapter", nullptr, "adapter", 0, 1});
  const RegisterBank& bank = made->function()->bank();
  nlohmann::json registers = nlohmann::json::array();
  for (const Reg32* reg : bank.registers()) registers.push_back(described(*reg));
  return {{"name", type.name},
          {"title", type.title},
          {"bytes", bank.size()},
          {"registers", std::move(registers)}};
}

}  // namespace longhaul::assembly
