// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bridges/bridge_kind.h"

#include <fmt/format.h>

#include "models/common/param_json.h"

namespace longhaul {
namespace builtin {
void add_pcix();
}

namespace pcix {
namespace {

constexpr const char* kDefaultBridge = "amd8131";

}  // namespace

Catalog<BridgeEntry>& bridge_kinds() {
  static Catalog<BridgeEntry> kinds("bridge");
  builtin::add_pcix();
  return kinds;
}

void add_bridge(BridgeKind (*make)()) {
  const BridgeKind kind = make();
  bridge_kinds().add({kind.name, kind.description, make});
}

std::vector<std::string> bridge_kind_names() { return bridge_kinds().names(); }

BridgeKind bridge_kind(const std::string& name, const std::string& where) {
  BridgeKind found = bridge_kinds().find(name, where).make();
  found.host.type.value = name;
  return found;
}

BridgeKind configured_bridge(const nlohmann::json& bridge, const nlohmann::json& bus,
                             const std::string& where) {
  std::string type = kDefaultBridge;
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

}  // namespace pcix
}  // namespace longhaul
