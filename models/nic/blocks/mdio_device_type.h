// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "models/common/catalog.h"
#include "models/nic/blocks/mdio.h"

namespace longhaul::nic {

/// A request to build a device of a management bus. Its port address on that bus is 0.
struct MdioDeviceRequest {
  nlohmann::json params;
  std::string where;                                 ///< begins the messages of errors
  std::map<std::uint16_t, std::uint16_t> registers;  ///< values that replace those of the device
  std::function<bool()> has_carrier;                 ///< whether light is on the fibre both ways
  std::function<std::uint64_t()> carrier_losses;     ///< how often it was lost so far
};

/// A type of device of a management bus: a PHY or optics.
struct MdioDeviceType {
  const char* name;
  const char* title;
  /// Builds the device, during elaboration. Throws ConfigError for a request that cannot be built.
  std::function<std::unique_ptr<MdioDevice>(const MdioDeviceRequest& request)> make;
  /// All parameters in the form of longhaul::describe(), with `params` in place of the defaults.
  std::function<nlohmann::json(const nlohmann::json& params)> describe;
  std::function<nlohmann::json(const nlohmann::json& params)> describe_defaults;
  Origin origin{};
};

/// All types of devices of a management bus. The types of this folder are always in it.
Catalog<MdioDeviceType>& mdio_device_types();

/// Throws ConfigError if the request has registers, for a device whose registers are its own.
void refuse_registers(const MdioDeviceRequest& request, const char* what);

}  // namespace longhaul::nic
