// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/rtl_types.h"

#include <deque>
#include <utility>

#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "models/wan/box_type.h"
#include "platform/portmap/mapped_box.h"
#include "platform/portmap/mapped_function.h"

namespace longhaul::portmap {
namespace {

/// What types refer to by pointers lives as long as the program.
const BlockMap& kept(BlockMap map) {
  static std::deque<BlockMap> maps;
  return maps.emplace_back(std::move(map));
}

void add_adapter(const BlockMap& map, const cosim::RtlObject& object) {
  nic::AdapterType type{};
  type.name = map.name.c_str();
  type.title = map.title.c_str();
  type.ids = {{map.pci->vendor, map.pci->device}};
  type.phy = phy_of(map, map.pci->port);
  type.slot = map.pci->slot.c_str();
  if (map.driver) {
    type.linux_driver = {map.driver->module.c_str(), map.driver->least_mtu, map.driver->largest_mtu,
                         "its port map"};
  }
  type.make = [&map, &object](const nic::AdapterRequest& request) -> std::unique_ptr<nic::Adapter> {
    nic::refuse_second_function(request, "an adapter by a port map");
    FunctionParams params;
    params.block.inputs = InputParams(map.inputs);
    configure(params, params.block.inputs.take(request.params, request.where), request.where);
    return std::make_unique<MappedFunction>(request.module_name, map, object, params);
  };
  type.describe_defaults = [&map] {
    return InputParams(map.inputs).describe_defaults(describe_defaults(FunctionParams{}));
  };
  type.rtl = true;
  nic::adapter_types().add(std::move(type));
}

void add_box(const BlockMap& map, const cosim::RtlObject& object) {
  wan::BoxType type{};
  type.name = map.name.c_str();
  type.title = map.title.c_str();
  type.make = [&map, &object](const wan::BoxRequest& request) -> std::unique_ptr<wan::WanBox> {
    BlockParams params;
    params.inputs = InputParams(map.inputs);
    configure(params, params.inputs.take(request.params, request.where), request.where);
    return std::make_unique<MappedBox>(request.module_name, map, object, params);
  };
  type.describe_defaults = [&map] {
    return InputParams(map.inputs).describe_defaults(describe_defaults(BlockParams{}));
  };
  type.rtl = true;
  wan::box_types().add(std::move(type));
}

}  // namespace

void add_rtl_type(const cosim::RtlObject& object, const std::string& where) {
  const BlockMap& map = kept(BlockMap::parse(object.map, where));
  if (map.pci) {
    add_adapter(map, object);
  } else {
    add_box(map, object);
  }
}

}  // namespace longhaul::portmap
