// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/block_map.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/common/param.h"
#include "platform/portmap/ring_entry.h"

namespace longhaul::portmap {
namespace {

using Json = nlohmann::json;

/// Patience with a register access, clocks. Answers of memory may take longer: a paused MAC may
/// leave an answer on the pins for 33.6 ms at 1 Gb/s (IEEE 802.3 annex 31B, 65,535 quanta of 512
/// bits).
constexpr std::uint32_t kSubordinatePatience = 4096;
constexpr std::uint32_t kManagerPatience = 1U << 23U;

PinPlace pin_of(const Json& json) {
  return {json.at(0).get<std::string>(), json.at(1).get<std::uint32_t>(),
          json.at(2).get<std::uint32_t>()};
}

ClockEntry clock_of(const Json& json) {
  ClockEntry entry{json.at("name"),     pin_of(json.at("pin")), json.at("hertz"),  json.at("ppm"),
                   json.at("phase_ps"), json.at("gating"),      json.at("settle"), {},
                   json.at("slot")};
  if (!json.at("request").is_null()) entry.request = pin_of(json.at("request"));
  return entry;
}

ResetEntry reset_of(const Json& json) {
  return {pin_of(json.at("pin")), json.at("active_high"), json.at("clock"), json.at("clocks")};
}

ConstantEntry constant_of(const Json& json) {
  return {pin_of(json.at("pin")), json.at("value").get<std::uint64_t>()};
}

InputEntry input_of(const Json& json) {
  return {json.at("name"), pin_of(json.at("pin")), json.at("value").get<std::uint64_t>(),
          json.at("description")};
}

CompiledEntry compiled_of(const Json& json) {
  return {json.at("name"), json.at("value"), json.at("values").get<std::vector<std::string>>(),
          json.at("description")};
}

std::optional<std::uint32_t> number_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<std::uint32_t>();
}

EepromEntry eeprom_of(const Json& json) {
  return {json.at("words").get<std::vector<std::uint16_t>>(), number_of(json.at("mac_word")),
          json.at("mac_maker").get<std::vector<std::uint8_t>>(),
          number_of(json.at("checksum_word")), json.at("checksum").get<std::uint32_t>()};
}

MdioDeviceEntry device_of(const Json& json) {
  MdioDeviceEntry entry{json.at("name"), json.at("type"),   json.at("address"),
                        json.at("port"), json.at("params"), {}};
  for (const auto& [number, value] : json.at("registers").items())
    entry.registers[static_cast<std::uint16_t>(std::stoul(number))] = value.get<std::uint16_t>();
  return entry;
}

InterfaceEntry interface_of(const Json& json) {
  InterfaceEntry entry;
  entry.name = json.at("name");
  entry.kind = json.at("kind");
  entry.role = json.at("role");
  entry.clock = json.at("clock");
  entry.tx_clock = json.at("tx_clock");
  entry.rx_clock = json.at("rx_clock");
  entry.checker = json.at("checker");
  entry.pipelined = json.at("pipelined");
  entry.word_addresses = json.at("word_addresses");
  entry.outstanding = json.at("outstanding");
  entry.patience = json.at("patience");
  if (entry.patience == 0)
    entry.patience = entry.role == "manager" ? kManagerPatience : kSubordinatePatience;
  entry.edge = json.at("trigger") == "edge";
  for (const auto& [signal, pin] : json.at("pins").items()) entry.pins[signal] = pin_of(pin);
  if (json.contains("eeprom")) entry.eeprom = eeprom_of(json.at("eeprom"));
  if (json.contains("devices")) {
    for (const Json& device : json.at("devices")) entry.devices.push_back(device_of(device));
  }
  return entry;
}

StreamEntry stream_of(const Json& json) {
  return {json.at("transmit"), json.at("receive"), json.at("bits_per_s"), json.at("fcs"),
          json.at("buffer")};
}

PlatformEntry platform_of(const Json& json) {
  PlatformEntry entry;
  entry.window = json.at("window");
  entry.base = json.at("base");
  entry.node = json.at("node");
  entry.compatible = json.at("compatible").get<std::vector<std::string>>();
  for (const Json& region : json.at("regions"))
    entry.regions.push_back({region.at("name"), region.at("offset"), region.at("bytes")});
  entry.properties = json.at("properties").get<std::vector<std::string>>();
  entry.registers = json.at("registers");
  entry.memory = json.at("memory");
  entry.interrupts = json.at("interrupts");
  entry.port = json.at("port");
  return entry;
}

template <class Entry>
std::vector<Entry> list_of(const Json& json, Entry (*read)(const Json&)) {
  std::vector<Entry> list;
  for (const Json& each : json) list.push_back(read(each));
  return list;
}

BlockMap map_of(const Json& json) {
  BlockMap map;
  map.name = json.at("name");
  map.title = json.at("title");
  map.top = json.at("top");
  map.clocks = list_of(json.at("clocks"), clock_of);
  map.resets = list_of(json.at("resets"), reset_of);
  map.constants = list_of(json.at("constants"), constant_of);
  map.inputs = list_of(json.at("inputs"), input_of);
  map.compiled = list_of(json.at("compiled"), compiled_of);
  map.interfaces = list_of(json.at("interfaces"), interface_of);
  for (const auto& [name, stream] : json.at("streams").items())
    map.streams[name] = stream_of(stream);
  if (json.contains("pci")) map.pci = PciEntry::read(json.at("pci"));
  if (json.contains("rings")) map.rings = rings_of(json.at("rings"));
  if (json.contains("platform")) map.platform = platform_of(json.at("platform"));
  if (json.contains("box")) {
    for (const auto& [port, interface] : json.at("box").at("ports").items())
      map.box_ports[port] = interface.get<std::string>();
  }
  if (json.contains("driver")) {
    const Json& driver = json.at("driver");
    map.driver = {driver.at("module"), driver.at("folder"), driver.at("option"),
                  driver.at("least_mtu"), driver.at("largest_mtu")};
  }
  map.parameters = json.value("parameters", std::vector<std::string>{});
  return map;
}

}  // namespace

BlockMap BlockMap::parse(const char* text, const std::string& where) {
  try {
    return map_of(Json::parse(text));
  } catch (const Json::exception& error) {
    throw ConfigError(where + ": has no port map that this Longhaul reads (" + error.what() + ")");
  }
}

const InterfaceEntry& BlockMap::interface(const std::string& wanted) const {
  return *std::find_if(interfaces.begin(), interfaces.end(),
                       [&](const InterfaceEntry& entry) { return entry.name == wanted; });
}

}  // namespace longhaul::portmap
