// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

#include "models/common/plugin.h"
#include "platform/assembly/config_check.h"
#include "platform/assembly/json_object.h"
#include "platform/assembly/plugins.h"
#include "platform/assembly/wave_trigger.h"
#include "platform/json/json_text.h"

namespace longhaul::assembly {
namespace {

constexpr std::size_t kLongestName = 64;

/// Names become parts of hierarchical names and of file names.
std::string read_name(JsonObject& object, std::set<std::string>& taken) {
  auto name = object.get<std::string>("name");
  bool good = !name.empty() && name.size() <= kLongestName;
  for (const char c : name)
    good = good && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-');
  if (!good)
    throw ConfigError(
        fmt::format("{}: '{}' is no name: wants letters, digits, '_' and '-', {} at most",
                    object.place("name"), echo(name), kLongestName));
  if (!taken.insert(name).second)
    throw ConfigError(
        fmt::format("{}: '{}' is the name of something else already", object.place("name"), name));
  return name;
}

DeviceConfig read_device(const nlohmann::json& json, const std::string& where,
                         std::set<std::string>& taken) {
  JsonObject object(json, where);
  DeviceConfig device;
  device.type = object.get<std::string>("type");
  device.name = read_name(object, taken);
  device.slot = object.get<std::uint32_t>("slot");
  device.function = object.get<std::uint32_t>("function", 0);
  device.firmware = object.parameters("firmware");
  device.params = object.parameters("params");
  object.finish();
  return device;
}

MachineConfig read_machine(const nlohmann::json& json, const std::string& where,
                           std::set<std::string>& taken) {
  JsonObject object(json, where);
  MachineConfig machine;
  machine.name = read_name(object, taken);
  machine.cpu = object.parameters("cpu");
  machine.memory = object.parameters("memory");
  machine.pcix = object.parameters("pcix");
  machine.bridge = object.parameters("bridge");
  machine.platform_bus = object.parameters("platform_bus");
  machine.host = object.parameters("host");
  const bool has_guest = !object.raw("guest").is_null();
  if (has_guest != machine.host.is_null())
    throw ConfigError(where + ": wants a guest or a host, and not both: what runs on it");
  if (has_guest) {
    JsonObject guest = object.object("guest");
    machine.guest = GuestConfig{guest.get<std::string>("files"),
                                guest.texts("args"),
                                guest.get("root", std::string()),
                                guest.get("kernel", std::string()),
                                guest.get("kernel_blocks", std::string()),
                                guest.get("kernel_layout", std::string()),
                                guest.get("console", false)};
    guest.finish();
  }
  std::set<std::string> device_names;
  for (const auto& [device, place] : object.list("devices"))
    machine.devices.push_back(read_device(device, place, device_names));
  object.finish();
  return machine;
}

ObserveConfig read_observe(const nlohmann::json& json) {
  ObserveConfig observe;
  if (json.is_null()) return observe;
  JsonObject object(json, "observe");
  observe.series_period = object.get("series_period", observe.series_period);
  observe.pcap = object.texts("pcap");
  for (std::size_t i = 0; i < observe.pcap.size(); ++i) {
    if (std::find(observe.pcap.begin(), observe.pcap.begin() + static_cast<std::ptrdiff_t>(i),
                  observe.pcap[i]) != observe.pcap.begin() + static_cast<std::ptrdiff_t>(i))
      throw ConfigError(
          fmt::format("observe.pcap[{}]: '{}' is there already", i, echo(observe.pcap[i])));
  }
  observe.snaplen = object.get("snaplen", observe.snaplen);
  observe.timeline = object.get("timeline", observe.timeline);
  observe.packets = object.get("packets", observe.packets);
  observe.record = object.get("record", observe.record);
  observe.record_device = object.get("record_device", observe.record_device);
  observe.profile_period = object.get("profile_period", observe.profile_period);
  observe.coverage = object.get("coverage", observe.coverage);
  observe.waves = object.texts("waves");
  static const std::vector<std::string> kTraceable{"link", "tcp", "core", "box",
                                                   "nic",  "rtl", "pcix"};
  for (const std::string& what : observe.waves) {
    if (std::find(kTraceable.begin(), kTraceable.end(), what) == kTraceable.end())
      throw ConfigError(fmt::format("observe.waves: '{}' cannot be traced, only {}", echo(what),
                                    fmt::join(kTraceable, ", ")));
  }
  observe.waves_from = object.get("waves_from", observe.waves_from);
  observe.waves_length = object.get("waves_length", observe.waves_length);
  observe.waves_trigger = object.get("waves_trigger", observe.waves_trigger);
  observe.waves_history = object.get("waves_history", observe.waves_history);
  parse_wave_trigger(observe.waves_trigger, "observe.waves_trigger");
  object.finish();
  return observe;
}

std::optional<WindowConfig> read_window(const nlohmann::json& json) {
  if (json.is_null()) return std::nullopt;
  JsonObject object(json, "window");
  WindowConfig window;
  window.opens_at = object.get<std::string>("opens_at");
  window.greeting = object.get("greeting", Bytes{});
  window.warmup = object.get("warmup", sc_core::SC_ZERO_TIME);
  window.length = object.get<sc_core::sc_time>("length");
  if (window.length == sc_core::SC_ZERO_TIME)
    throw ConfigError(object.place("length") + ": wants more than no time");
  object.finish();
  return window;
}

ControlStep read_step(const nlohmann::json& json, const std::string& where) {
  JsonObject object(json, where);
  ControlStep step;
  step.at = object.get<sc_core::sc_time>("at");
  step.box = object.get<std::string>("box");
  step.accesses = read_accesses(object.raw("accesses"), object.place("accesses"));
  step.times = object.get("times", step.times);
  step.every = object.get("every", step.every);
  if (step.times == 0) throw ConfigError(object.place("times") + ": wants at least 1");
  if (step.times > 1 && step.every == sc_core::SC_ZERO_TIME)
    throw ConfigError(object.place("every") + ": wants the time from one to the next");
  object.finish();
  return step;
}

SimulationConfig read_members(const nlohmann::json& json) {
  JsonObject object(json, "");
  SimulationConfig config;
  config.name = object.get<std::string>("name");
  config.seed = object.get<std::uint64_t>("seed", 1);
  config.layout = object.get<std::uint64_t>("layout", 0);
  config.out = object.get<std::string>("out");
  config.limit = object.get<sc_core::sc_time>("limit");
  config.patience = object.get("patience", config.patience);
  config.plugins = object.texts("plugins");
  config.kernel = object.get("kernel", config.kernel);
  config.kernel_blocks = object.get("kernel_blocks", config.kernel_blocks);
  config.kernel_layout = object.get("kernel_layout", config.kernel_layout);
  config.guest_root = object.get("guest_root", config.guest_root);
  std::set<std::string> names;
  for (const auto& [machine, place] : object.list("machines"))
    config.machines.push_back(at_place(
        place, [&, &json = machine, &at = place] { return read_machine(json, at, names); }));
  for (const auto& [json_switch, place] : object.list("switches")) {
    JsonObject item(json_switch, place);
    config.switches.push_back({item.get<std::string>("type", "generic"), read_name(item, names),
                               item.get<std::uint32_t>("ports"), item.parameters("params")});
    item.finish();
  }
  for (const auto& [box, place] : object.list("boxes")) {
    JsonObject item(box, place);
    config.boxes.push_back(
        {item.get<std::string>("type"), read_name(item, names), item.parameters("params")});
    item.finish();
  }
  for (const auto& [link, place] : object.list("links")) {
    JsonObject item(link, place);
    config.links.push_back({read_name(item, names), item.get<std::string>("a"),
                            item.get<std::string>("b"), item.parameters("params")});
    item.finish();
  }
  config.window = read_window(object.raw("window"));
  for (const auto& [step, place] : object.list("control"))
    config.control.push_back(read_step(step, place));
  config.observe = read_observe(object.raw("observe"));
  object.finish();
  return config;
}

}  // namespace

SimulationConfig read_config(const nlohmann::json& json) {
  SimulationConfig config = at_place("the configuration", [&json] { return read_members(json); });
  add_built_in_types();
  for (std::size_t i = 0; i < config.plugins.size(); ++i)
    load_plugin(config.plugins[i], fmt::format("plugins[{}]", i));
  check_config(config);
  return config;
}

SimulationConfig read_config_text(const std::string& text, const std::string& name) {
  const auto [json, wrong] = parse_json(text);
  if (!wrong.empty()) throw ConfigError(name + ": " + wrong);
  return read_config(json);
}

SimulationConfig read_config_file(const std::string& path) {
  const std::string name = echo(path, kMostPath);
  std::ifstream in(path, std::ios::binary);
  std::string text(json_limits::kBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.eof() && !in) throw ConfigError(name + ": cannot be read, wants a configuration file");
  text.resize(static_cast<std::size_t>(in.gcount()));
  return read_config_text(text, name);
}

}  // namespace longhaul::assembly
