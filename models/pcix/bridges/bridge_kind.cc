// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bridges/bridge_kind.h"

#include <fmt/format.h>

#include <array>

#include "models/common/param_json.h"

namespace longhaul::pcix {
namespace {

// One line for each bridge; the first is the default.
constexpr std::array<BridgeKind (*)(), 5> kKinds{amd8131, amd8132, p64h2, ciobx, root_port};

}  // namespace

std::vector<std::string> bridge_kind_names() {
  std::vector<std::string> names;
  names.reserve(std::size(kKinds));
  for (const auto& kind : kKinds) names.emplace_back(kind().name);
  return names;
}

BridgeKind bridge_kind(const std::string& name, const std::string& where) {
  for (const auto& kind : kKinds) {
    if (BridgeKind found = kind(); name == found.name) {
      found.host.type.value = name;
      return found;
    }
  }
  throw ConfigError(fmt::format("{}: no bridge of type '{}'; nearest is '{}'", where, echo(name),
                                nearest(name, bridge_kind_names())));
}

BridgeKind configured_bridge(const nlohmann::json& bridge, const nlohmann::json& bus,
                             const std::string& where) {
  std::string type = kKinds.front()().name;
  if (bridge.is_object() && bridge.contains("type")) {
    if (!bridge["type"].is_string())
      throw ConfigError(where + ".bridge.type: wants the name of a bridge");
    type = bridge["type"].get<std::string>();
  }
  BridgeKind kind = bridge_kind(type, where + ".bridge.type");
  configure(kind.host, bridge, where + ".bridge");
  configure(kind.bus, bus, where + ".pcix");
  if (kind.fastest_clock < kind.bus.clock()) {
    throw ConfigError(fmt::format("{}.pcix.clock: {} drives a bus at {} at most, not {}", where,
                                  kind.name, to_text(kind.fastest_clock),
                                  to_text(kind.bus.clock())));
  }
  if (kind.most_subphases < kind.bus.data_subphases()) {
    throw ConfigError(
        fmt::format("{}.pcix.data_subphases: {} drives {} a data phase at most, not {}; amd8132 "
                    "knows PCI-X 2.0",
                    where, kind.name, kind.most_subphases, kind.bus.data_subphases()));
  }
  return kind;
}

}  // namespace longhaul::pcix
