// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/catalog.h"
#include "models/host/drivers/intel_driver.h"
#include "models/pcix/function_ids.h"

namespace longhaul::host {

/// What a driver is made of, as a module.
struct DriverRequest {
  std::string module_name;
  const DriverSetup& setup;
  pcix::FunctionIds ids;  ///< of the device
  const nlohmann::json& params;
  std::string where;  ///< begins the message of what cannot be: "machine.eth0"
};

/// A driver of a modelled system, and the devices that it drives.
struct DriverType {
  const char* name;
  const char* title;
  std::vector<pcix::FunctionIds> ids;
  /// Throws ConfigError for what cannot be. Before the simulation starts.
  std::unique_ptr<NetDevice> (*make)(const DriverRequest& request);
  nlohmann::json (*describe_defaults)();  ///< as longhaul::describe_defaults()
  Origin origin{};
};

/// All drivers. Those of this folder are in it from the beginning.
Catalog<DriverType>& driver_types();

/// Makes the driver of the device. ConfigError names the slot and the ids of a device without a
/// driver, and those that have one.
std::unique_ptr<NetDevice> make_driver(const DriverRequest& request);

}  // namespace longhaul::host
