// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/host/drivers/intel_driver.h"

namespace longhaul::host {

/// What a device is, from its configuration space.
struct DeviceIds {
  std::uint16_t vendor;
  std::uint16_t device;
};

/// Makes the driver of a device as a module; before the simulation starts. `where` starts error
/// messages, "machine.eth0". ConfigError names the slot and the ids of a device without a driver,
/// and those that have one.
std::unique_ptr<NetDevice> make_driver(const std::string& module_name, const DriverSetup& setup,
                                       const DeviceIds& ids, const nlohmann::json& params,
                                       const std::string& where);

}  // namespace longhaul::host
