// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/common/catalog.h"
#include "models/nic/adapter.h"
#include "models/pcix/firmware.h"
#include "models/pcix/function_ids.h"

namespace longhaul::nic {

/// What an adapter is made of.
struct AdapterRequest {
  const char* module_name;
  nlohmann::json params;
  std::string where;             ///< begins the message of what cannot be: "sender.eth0"
  std::uint32_t index;           ///< unique in the simulation, from 0: for default MAC addresses
  std::uint64_t seed;            ///< for its random stream
  Adapter* function0 = nullptr;  ///< the one whose second function this is
};

/// The module of an adapter's unmodified Linux driver, and the MTUs that it takes, in bytes.
struct LinuxDriver {
  const char* module;
  std::uint32_t least_mtu;
  std::uint32_t largest_mtu;
  const char* source;
  /// Of a driver that the guests' kernel (sw/linux/kernel.config) does not have built in: its
  /// folder in the kernel's sources and the option that builds it. A run makes a module of it and
  /// loads that. The module may need symbols of the kernel, and none of other modules. A module
  /// without folder that is not built in is the user's to give (docs/own_drivers.md).
  const char* folder = nullptr;
  const char* option = nullptr;
};

/// What a device tree tells of a platform device.
struct PlatformNode {
  /// Registers from the window's begin on.
  struct Region {
    std::string name;
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  std::string node;  ///< its name: "ethernet"
  std::vector<std::string> compatible;
  std::vector<Region> regions;  ///< `reg` and `reg-names`
  bool interrupt;
  std::vector<std::string> properties;  ///< more, as a device tree's source has them
};

/// A type of adapter.
struct AdapterType {
  const char* name;
  const char* title;
  std::vector<pcix::FunctionIds> ids;  ///< that its boards have
  const char* phy;   ///< the cable that fits its default board: LinkParams' `phy` ("1000base-x")
  const char* slot;  ///< the bus that it is made for: pcix-133, pcix-100, pcix-66, pci-66, pci-33
  pcix::FirmwareParams firmware;  ///< what firmware writes by itself
  std::optional<LinuxDriver> linux_driver;
  /// Throws ConfigError for what cannot be built. During elaboration.
  std::function<std::unique_ptr<Adapter>(const AdapterRequest& request)> make;
  std::function<nlohmann::json()> describe_defaults;  ///< as longhaul::describe_defaults()
  bool rtl = false;                      ///< its inside is RTL whose signals can be traced
  std::optional<PlatformNode> platform;  ///< of a platform device: it has no ids, slot or firmware
  Origin origin{};
};

/// All types of adapters. Those of this folder are in it from the beginning.
Catalog<AdapterType>& adapter_types();

/// Throws ConfigError if the request is for a second function.
void refuse_second_function(const AdapterRequest& request, const char* what);

}  // namespace longhaul::nic
