// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/catalog.h"
#include "models/host/drivers/driver_setup.h"
#include "models/host/net/net_device.h"
#include "models/pcix/function_ids.h"

namespace longhaul::host {

/// A request to make a driver.
struct DriverRequest {
  std::string module_name;
  const DriverSetup& setup;
  pcix::FunctionIds ids;  ///< of the device
  const nlohmann::json& params;
  std::string where;  ///< begins the messages of errors: "machine.eth0"
};

/// A driver of a modelled system, and the devices that it supports.
struct DriverType {
  const char* name;
  const char* title;
  std::vector<pcix::FunctionIds> ids;
  /// Makes the driver, before the simulation starts. Throws ConfigError for a request that cannot
  /// be satisfied.
  std::unique_ptr<NetDevice> (*make)(const DriverRequest& request);
  nlohmann::json (*describe_defaults)();  ///< in the form of longhaul::describe_defaults()
  Origin origin{};
};

/// All drivers. The drivers of this folder are always in it.
Catalog<DriverType>& driver_types();

/// Makes the driver of the device. Throws ConfigError for a device without a driver; the message
/// names its slot and ids, and the ids that have a driver.
std::unique_ptr<NetDevice> make_driver(const DriverRequest& request);

}  // namespace longhaul::host
