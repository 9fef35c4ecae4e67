// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>

#include "models/common/catalog.h"
#include "models/net/eth.h"

namespace longhaul {

/// A switch in a topology: ports that links join, and parameters that describe it.
class EthSwitch : public sc_core::sc_module {
 public:
  using sc_module::sc_module;
  virtual std::uint32_t ports() const = 0;
  /// Port `n`. Throws std::out_of_range if n >= ports().
  virtual EthPort& port(std::uint32_t n) = 0;
  /// The parameters in the form of longhaul::describe().
  virtual nlohmann::json describe_params() const = 0;
};

/// A request to build a switch.
struct SwitchRequest {
  const char* module_name;
  std::uint32_t ports;
  nlohmann::json params;
  std::string where;  ///< begins the messages of errors
};

/// A type of switch.
struct SwitchType {
  const char* name;
  const char* title;
  /// Builds the switch, during elaboration. Throws ConfigError for a request that cannot be built.
  std::function<std::unique_ptr<EthSwitch>(const SwitchRequest& request)> make;
  std::function<nlohmann::json()> describe_defaults;  ///< in the form of
                                                      ///< longhaul::describe_defaults()
  Origin origin{};
};

/// All types of switches. The types of this folder are always in it.
Catalog<SwitchType>& switch_types();

}  // namespace longhaul
