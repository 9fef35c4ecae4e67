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
#include "models/common/ring_map.h"
#include "models/nic/adapter.h"
#include "models/pcix/firmware.h"
#include "models/pcix/function_ids.h"

namespace longhaul::nic {

/// A request to build an adapter.
struct AdapterRequest {
  const char* module_name;
  nlohmann::json params;
  std::string where;             ///< begins the messages of errors: "sender.eth0"
  std::uint32_t index;           ///< unique in the simulation, from 0; gives the default MAC
                                 ///< address
  std::uint64_t seed;            ///< of the adapter's random stream
  Adapter* function0 = nullptr;  ///< function 0 of the device, if this is its function 1
};

/// The module of an adapter's unmodified Linux driver, and the MTUs that it takes, in bytes.
struct LinuxDriver {
  const char* module;
  std::uint32_t least_mtu;
  std::uint32_t largest_mtu;
  const char* source;
  /// For a driver that is not built into the guests' kernel (sw/linux/kernel.config): its folder in
  /// the kernel's sources and the option that builds it. A run builds it as a module and loads it.
  /// The module may need symbols of the kernel, but none of other modules.
  ///
  /// A module without folder that is not built in comes from the user (docs/own_drivers.md).
  const char* folder = nullptr;
  const char* option = nullptr;
};

/// The device-tree node of a platform device.
struct PlatformNode {
  /// Registers, as a region of the window.
  struct Region {
    std::string name;
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  std::string node;  ///< name of the node: "ethernet"
  std::vector<std::string> compatible;
  std::vector<Region> regions;  ///< `reg` and `reg-names`
  bool interrupt;
  std::vector<std::string> properties;  ///< further properties, as in a device tree's source
};

/// A type of adapter.
struct AdapterType {
  const char* name;
  const char* title;
  std::vector<pcix::FunctionIds> ids;  ///< ids of its boards
  const char* phy;   ///< the link type of its default board: LinkParams' `phy` ("1000base-x")
  const char* slot;  ///< the bus that it is made for: pcix-133, pcix-100, pcix-66, pci-66, pci-33
  pcix::FirmwareParams firmware;  ///< the values that firmware writes
  std::optional<LinuxDriver> linux_driver;
  /// Builds the adapter, during elaboration. Throws ConfigError for a request that cannot be built.
  std::function<std::unique_ptr<Adapter>(const AdapterRequest& request)> make;
  std::function<nlohmann::json()> describe_defaults;  ///< in the form of
                                                      ///< longhaul::describe_defaults()
  bool rtl = false;                      ///< it contains RTL whose signals can be traced
  std::optional<PlatformNode> platform;  ///< set for a platform device, which has no ids, slot or
                                         ///< firmware
  /// Its descriptor rings, if packets can be followed through memory (platform/observe/packets).
  std::optional<RingMap> rings;
  Origin origin{};
};

/// All types of adapters. The types of this folder are always in it.
Catalog<AdapterType>& adapter_types();

/// Throws ConfigError if the request is for a second function.
void refuse_second_function(const AdapterRequest& request, const char* what);

}  // namespace longhaul::nic
