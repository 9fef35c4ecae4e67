// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/ports.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/assembly/json_object.h"

namespace longhaul::assembly {

Ports::Ports(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
             const std::vector<std::unique_ptr<EthSwitch>>& switches,
             const std::vector<std::unique_ptr<wan::WanBox>>& boxes)
    : config_(config), machines_(machines), switches_(switches), boxes_(boxes) {}

EthPort* Ports::switch_port(const SwitchConfig& config, const std::string& port) const {
  for (std::size_t i = 0; i < config_.switches.size(); ++i) {
    if (config_.switches[i].name != config.name) continue;
    for (std::uint32_t n = 0; n < config.ports; ++n) {
      if (port == fmt::format("p{}", n)) return &switches_[i]->port(n);
    }
  }
  return nullptr;
}

EthPort& Ports::take(const std::string& name, const std::string& where) {
  const std::size_t dot = name.find('.');
  const std::string owner = name.substr(0, dot);
  const std::string port = dot == std::string::npos ? "" : name.substr(dot + 1);
  EthPort* found = nullptr;
  std::vector<std::string> owners;
  std::vector<std::string> ports;
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    owners.push_back(config_.machines[i].name);
    if (owners.back() != owner) continue;
    ports = machines_[i]->device_names();
    found = machines_[i]->port(port);
  }
  for (const SwitchConfig& item : config_.switches) {
    owners.push_back(item.name);
    if (item.name != owner) continue;
    ports = {"p0", fmt::format("p{}", item.ports - 1)};
    found = switch_port(item, port);
  }
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    owners.push_back(config_.boxes[i].name);
    if (owners.back() != owner) continue;
    ports.clear();
    for (const wan::NamedPort& each : boxes_[i]->ports()) {
      ports.push_back(each.name);
      if (port == each.name) found = each.port;
    }
  }
  if (found == nullptr && std::find(owners.begin(), owners.end(), owner) == owners.end()) {
    throw ConfigError(fmt::format("{}: nothing is called '{}'; {}", where, echo(owner),
                                  nearest_hint(owner, owners)));
  }
  if (found == nullptr) {
    throw ConfigError(fmt::format("{}: '{}' has no port '{}'; {}", where, owner, echo(port),
                                  nearest_hint(port, ports)));
  }
  const auto [used, fresh] = in_use_.emplace(name, where);
  if (!fresh)
    throw ConfigError(
        fmt::format("{}: port '{}' is already joined by {}", where, name, used->second));
  return *found;
}

}  // namespace longhaul::assembly
