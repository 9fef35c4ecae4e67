// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/board_params.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/common/param_json.h"
#include "models/nic/blocks/mac_address.h"
#include "models/nic/blocks/mdio_device_type.h"
#include "platform/portmap/bus_mode.h"

namespace longhaul::portmap {
namespace {

using Json = nlohmann::json;

constexpr const char* kWriteCycle = "write_cycle";

/// OneText parameter as a struct of parameters.
struct OneText {
  Param<std::string>& param;
  auto fields() { return std::tie(param); }
};

Param<std::string> mac_param() {
  return {"mac",
          "",
          "Ethernet address in the EEPROM; empty is one by the adapter's number",
          {Evidence::kChosen, "docs/port_maps.md#eeprom"}};
}

Param<std::string> bus_param() {
  std::vector<std::string> choices = BusMode::names();
  choices.insert(choices.begin(), BoardParams::kSlot);
  return {"bus",
          BoardParams::kSlot,
          "what the block is told of its bus: what the slot is, or another kind",
          {Evidence::kChosen, "docs/port_maps.md#mode-of-the-bus"},
          std::move(choices)};
}

/// Appends entries of a part whose parameters have `prefix` before their own name.
void append(Json& list, Json entries, const std::string& prefix) {
  for (Json& each : entries) {
    each["name"] = prefix + each.at("name").get<std::string>();
    list.push_back(std::move(each));
  }
}

/// Takes the parameters whose names begin with `prefix`, without it.
Json take_prefixed(Json& params, const std::string& prefix) {
  Json taken = Json::object();
  for (const auto& [name, value] : params.items()) {
    if (name.rfind(prefix, 0) == 0) taken[name.substr(prefix.size())] = value;
  }
  for (const auto& [name, value] : taken.items()) params.erase(prefix + name);
  return taken;
}

void take_one(Param<std::string>& param, Json& params, const std::string& where) {
  if (!params.contains(param.name)) return;
  OneText one{param};
  configure(one, {{param.name, params.at(param.name)}}, where);
  params.erase(param.name);
}

const nic::MdioDeviceType& type_of(const MdioDeviceEntry& device) {
  return nic::mdio_device_types().find(device.type, device.name);
}

}  // namespace

BoardParams::BoardParams(const BlockMap& map) : map_(&map) {
  for (const InterfaceEntry& interface : map.interfaces) {
    if (interface.kind == "bus-mode") bus_ = bus_param();
    if (!interface.eeprom) continue;
    if (interface.eeprom->mac_word) mac_ = mac_param();
    nic::Eeprom93c46Params params;
    params.write_cycle.name = kWriteCycle;
    eeproms_.emplace(interface.name, params);
  }
}

Json BoardParams::take(Json params, const std::string& where, std::uint32_t index) {
  where_ = where;
  index_ = index;
  if (map_ == nullptr || !params.is_object()) return params;
  if (mac_) {
    take_one(*mac_, params, where);
    if (!mac_->value.empty()) nic::parse_mac_address(mac_->value, where + ".mac");
  }
  if (bus_) take_one(*bus_, params, where);
  for (auto& [interface, values] : eeproms_)
    configure(values, take_prefixed(params, interface + "_"),
              fmt::format("{}.{}", where, interface));
  for (const InterfaceEntry& interface : map_->interfaces) {
    for (const MdioDeviceEntry& device : interface.devices)
      devices_[device.name] = take_prefixed(params, device.name + "_");
  }
  return params;
}

Json BoardParams::device(const MdioDeviceEntry& entry) const {
  Json params = entry.params;
  const auto own = devices_.find(entry.name);
  if (own != devices_.end()) params.update(own->second);
  return params;
}

Json BoardParams::with_devices(Json list, bool defaults) const {
  if (map_ == nullptr) return list;
  for (const InterfaceEntry& interface : map_->interfaces) {
    for (const MdioDeviceEntry& entry : interface.devices) {
      const nic::MdioDeviceType& type = type_of(entry);
      const Json params = defaults ? entry.params : device(entry);
      Json entries = defaults ? type.describe_defaults(params) : type.describe(params);
      for (Json& each : entries) {
        const auto own = devices_.find(entry.name);
        const bool by_user = own != devices_.end() && own->second.contains(each.at("name"));
        if (by_user || !entry.params.contains(each.at("name"))) continue;
        each["evidence"] = to_text(Evidence::kChosen);
        each["source"] = "its port map";
        if (!defaults) each["set"] = false;
      }
      append(list, std::move(entries), entry.name + "_");
    }
  }
  return list;
}

Json BoardParams::describe(Json list) const {
  for (std::optional<Param<std::string>> param : {mac_, bus_}) {
    if (param) append(list, longhaul::describe(OneText{*param}), "");
  }
  for (const auto& [interface, values] : eeproms_)
    append(list, longhaul::describe(values), interface + "_");
  return with_devices(std::move(list), false);
}

Json BoardParams::describe_defaults(Json list) const {
  for (std::optional<Param<std::string>> param : {mac_, bus_}) {
    if (param) append(list, longhaul::describe_defaults(OneText{*param}), "");
  }
  for (const auto& [interface, values] : eeproms_)
    append(list, longhaul::describe_defaults(values), interface + "_");
  return with_devices(std::move(list), true);
}

nic::Eeprom93c46::Words BoardParams::content(const EepromEntry& entry) const {
  nic::Eeprom93c46::Words words{};
  std::copy(entry.words.begin(), entry.words.end(), words.begin());
  if (entry.mac_word) {
    const std::vector<std::uint8_t>& maker = entry.mac_maker;
    const MacAddress mac = nic::station_address(
        mac_ ? mac_->value : "",
        {maker.at(0), maker.at(1), maker.at(2), static_cast<std::uint8_t>(index_ >> 16)},
        index_ + 1, where_ + ".mac");
    for (std::size_t i = 0; i < 3; ++i)
      words.at(*entry.mac_word + i) = static_cast<std::uint16_t>(mac[2 * i] | mac[2 * i + 1] << 8);
  }
  if (entry.checksum_word) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < words.size(); ++i)
      sum += i == *entry.checksum_word ? 0 : words[i];
    words.at(*entry.checksum_word) = static_cast<std::uint16_t>(entry.checksum - sum);
  }
  return words;
}

}  // namespace longhaul::portmap
