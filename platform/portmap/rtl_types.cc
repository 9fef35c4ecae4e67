// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/rtl_types.h"

#include <deque>
#include <utility>

#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "models/nic/blocks/mdio_device_type.h"
#include "models/wan/box_type.h"
#include "platform/portmap/mapped_box.h"
#include "platform/portmap/mapped_device.h"
#include "platform/portmap/mapped_function.h"
#include "platform/portmap/pin_function.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint32_t kNoIndex = 0;  // a box has no Ethernet address

/// Refuses device types that do not exist, when the map is loaded.
void check_devices(const BlockMap& map, const std::string& where) {
  for (const InterfaceEntry& interface : map.interfaces) {
    for (const MdioDeviceEntry& device : interface.devices) {
      nic::mdio_device_types().find(
          device.type, where + ": interfaces." + interface.name + ".devices." + device.name);
    }
  }
}

/// Keeps the map for the program's lifetime, because types point into it.
const BlockMap& kept(BlockMap map) {
  static std::deque<BlockMap> maps;
  return maps.emplace_back(std::move(map));
}

/// Makes the part of an adapter's type that is the same for all kinds of blocks.
nic::AdapterType adapter_of(const BlockMap& map, const std::string& port) {
  nic::AdapterType type{};
  type.name = map.name.c_str();
  type.title = map.title.c_str();
  type.phy = phy_of(map, port);
  type.slot = "";
  if (map.driver) {
    const DriverEntry& driver = *map.driver;
    type.linux_driver = {driver.module.c_str(), driver.least_mtu, driver.largest_mtu,
                         "its port map"};
    if (!driver.folder.empty()) {
      type.linux_driver->folder = driver.folder.c_str();
      type.linux_driver->option = driver.option.c_str();
    }
  }
  type.rtl = true;
  return type;
}

void add_function(const BlockMap& map, const cosim::RtlObject& object) {
  nic::AdapterType type = adapter_of(map, map.pci->port);
  type.ids = {{map.pci->vendor, map.pci->device}};
  type.slot = map.pci->slot.c_str();
  type.rings = map.rings;
  type.make = [&map, &object](const nic::AdapterRequest& request) -> std::unique_ptr<nic::Adapter> {
    nic::refuse_second_function(request, "an adapter by a port map");
    FunctionParams params;
    params.block = BlockParams(map);
    configure(params, params.block.take(request.params, request.where, request.index),
              request.where);
    if (!map.pci->bus.empty())
      return std::make_unique<PinFunction>(request.module_name, map, object, params);
    return std::make_unique<MappedFunction>(request.module_name, map, object, params);
  };
  type.describe_defaults = [&map] {
    return BlockParams(map).describe_defaults(describe_defaults(FunctionParams{}));
  };
  nic::adapter_types().add(std::move(type));
}

void add_platform_device(const BlockMap& map, const cosim::RtlObject& object) {
  const PlatformEntry& platform = *map.platform;
  nic::AdapterType type = adapter_of(map, platform.port);
  nic::PlatformNode node{
      platform.node, platform.compatible, {}, !platform.interrupts.empty(), platform.properties};
  for (const PlatformEntry::Region& region : platform.regions)
    node.regions.push_back({region.name, region.offset, region.bytes});
  type.platform = std::move(node);
  type.make = [&map, &object](const nic::AdapterRequest& request) -> std::unique_ptr<nic::Adapter> {
    nic::refuse_second_function(request, "a platform device");
    DeviceParams params;
    params.block = BlockParams(map);
    configure(params, params.block.take(request.params, request.where, request.index),
              request.where);
    return std::make_unique<MappedDevice>(request.module_name, map, object, params);
  };
  type.describe_defaults = [&map] {
    return BlockParams(map).describe_defaults(describe_defaults(DeviceParams{}));
  };
  nic::adapter_types().add(std::move(type));
}

void add_box(const BlockMap& map, const cosim::RtlObject& object) {
  wan::BoxType type{};
  type.name = map.name.c_str();
  type.title = map.title.c_str();
  type.make = [&map, &object](const wan::BoxRequest& request) -> std::unique_ptr<wan::WanBox> {
    BlockParams params(map);
    configure(params, params.take(request.params, request.where, kNoIndex), request.where);
    return std::make_unique<MappedBox>(request.module_name, map, object, params);
  };
  type.describe_defaults = [&map] {
    return BlockParams(map).describe_defaults(describe_defaults(BlockParams{}));
  };
  type.rtl = true;
  wan::box_types().add(std::move(type));
}

}  // namespace

void add_rtl_type(const cosim::RtlObject& object, const std::string& where) {
  const BlockMap& map = kept(BlockMap::parse(object.map, where));
  check_devices(map, where);
  if (map.pci) {
    add_function(map, object);
  } else if (map.platform) {
    add_platform_device(map, object);
  } else {
    add_box(map, object);
  }
}

}  // namespace longhaul::portmap
