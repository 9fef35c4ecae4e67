// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

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

/// The kinds, one file each: bridges/NAME.cc.
BridgeKind amd8131();
BridgeKind amd8132();
BridgeKind p64h2();
BridgeKind ciobx();
BridgeKind root_port();

std::vector<std::string> bridge_kind_names();
/// The kind of that name; throws ConfigError, starting with `where`, that names the nearest one.
BridgeKind bridge_kind(const std::string& name, const std::string& where);
/// The kind that "type" of a bridge's JSON parameters names (absent: amd8131), configured with the
/// rest of them and with the bus's own. Errors start with `where`.bridge or `where`.pcix; a clock
/// that the bridge cannot make is one.
BridgeKind configured_bridge(const nlohmann::json& bridge, const nlohmann::json& bus,
                             const std::string& where);

}  // namespace longhaul::pcix
