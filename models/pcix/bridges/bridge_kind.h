// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/common/catalog.h"
#include "models/pcix/bus_timing.h"
#include "models/pcix/host_bridge_params.h"

namespace longhaul::pcix {

/// One kind of host bridge: its name, what it is, its own buffers, latencies and policies, and the
/// arbiter that it brings to the bus.
struct BridgeKind {
  const char* name;
  const char* description;
  Frequency fastest_clock;
  std::uint32_t most_subphases;  ///< of a data phase: 1 for PCI-X 1.0
  HostBridgeParams host;
  BusParams bus;
};

/// A kind in the catalogue.
struct BridgeEntry {
  const char* name;
  const char* title;
  BridgeKind (*make)();
  Origin origin{};
};

/// All kinds. Those of this folder are in it from the beginning.
Catalog<BridgeEntry>& bridge_kinds();
/// Adds the kind that `make` returns.
void add_bridge(BridgeKind (*make)());

std::vector<std::string> bridge_kind_names();
/// The kind of that name; throws ConfigError, starting with `where`, that names the nearest one.
BridgeKind bridge_kind(const std::string& name, const std::string& where);
/// The kind that "type" of a bridge's JSON parameters names (absent: amd8131), configured with the
/// rest of them and with the bus's own. Errors start with `where`.bridge or `where`.pcix; a clock
/// that the bridge cannot make is one.
BridgeKind configured_bridge(const nlohmann::json& bridge, const nlohmann::json& bus,
                             const std::string& where);

}  // namespace longhaul::pcix
