// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/net/switch/switch_type.h"
#include "models/wan/box_type.h"
#include "platform/assembly/config.h"
#include "platform/assembly/machine.h"

namespace longhaul::assembly {

/// The ports of all machines, switches and boxes by their names in the configuration. A link joins
/// two ports; each port is joined once.
class Ports {
 public:
  /// All arguments must outlive it and be in the order of the configuration.
  Ports(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
        const std::vector<std::unique_ptr<EthSwitch>>& switches,
        const std::vector<std::unique_ptr<wan::WanBox>>& boxes);

  /// The port OWNER.PORT, for the end of a link that is at `where` in the configuration. Throws
  /// ConfigError if there is no such port, with the nearest name, or if it is in use.
  EthPort& take(const std::string& name, const std::string& where);

 private:
  EthPort* switch_port(const SwitchConfig& config, const std::string& port) const;

  const SimulationConfig& config_;
  const std::vector<std::unique_ptr<Machine>>& machines_;
  const std::vector<std::unique_ptr<EthSwitch>>& switches_;
  const std::vector<std::unique_ptr<wan::WanBox>>& boxes_;
  std::map<std::string, std::string> in_use_;  // port names, with the link end that uses each
};

}  // namespace longhaul::assembly
