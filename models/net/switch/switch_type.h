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

/// A switch in a topology: ports that links join, and numbers that describe it.
class EthSwitch : public sc_core::sc_module {
 public:
  using sc_module::sc_module;
  virtual std::uint32_t ports() const = 0;
  /// Errors: std::out_of_range from ports() on.
  virtual EthPort& port(std::uint32_t n) = 0;
  /// Its parameters as longhaul::describe() has them.
  virtual nlohmann::json describe_params() const = 0;
};

/// What a switch is made of.
struct SwitchRequest {
  const char* module_name;
  std::uint32_t ports;
  nlohmann::json params;
  std::string where;  ///< begins the message of what cannot be
};

/// A type of switch.
struct SwitchType {
  const char* name;
  const char* title;
  /// Throws ConfigError for what cannot be built. During elaboration.
  std::function<std::unique_ptr<EthSwitch>(const SwitchRequest& request)> make;
  std::function<nlohmann::json()> describe_defaults;  ///< as longhaul::describe_defaults()
  Origin origin{};
};

/// All types of switches. Those of this folder are in it from the beginning.
Catalog<SwitchType>& switch_types();

}  // namespace longhaul
