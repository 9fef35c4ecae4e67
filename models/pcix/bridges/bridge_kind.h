// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/common/catalog.h"
#include "models/pcix/bus_timing.h"
#include "models/pcix/host_bridge_params.h"

namespace longhaul::pcix {

/// One kind of host bridge: its name and description, its buffers, latencies and policies, and the
/// bus parameters that it brings, such as those of its arbiter.
struct BridgeKind {
  const char* name;
  const char* description;
  Frequency fastest_clock;
  std::uint32_t most_subphases;  ///< of a data phase; 1 for PCI-X 1.0
  HostBridgeParams host;
  BusParams bus;
};

/// An entry of the catalogue of bridges.
struct BridgeEntry {
  const char* name;
  const char* title;
  BridgeKind (*make)();
  Origin origin{};
};

/// All kinds of bridges. The kinds of this folder are always in it.
Catalog<BridgeEntry>& bridge_kinds();
/// Adds the kind that `make` returns to the catalogue.
void add_bridge(BridgeKind (*make)());

std::vector<std::string> bridge_kind_names();
/// The kind of that name. If there is none, throws ConfigError whose message starts with `where`
/// and names the nearest kind.
BridgeKind bridge_kind(const std::string& name, const std::string& where);
/// The bridge kind for a machine's JSON parameters. "type" in `bridge` selects it (default:
/// amd8131); the other keys configure it, and `bus` configures the bus.
///
/// Throws ConfigError whose message starts with `where`.bridge or `where`.pcix for a wrong
/// parameter, or for a clock that the bridge cannot make.
BridgeKind configured_bridge(const nlohmann::json& bridge, const nlohmann::json& bus,
                             const std::string& where);

}  // namespace longhaul::pcix
