// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/type_list.h"

#include <algorithm>
#include <vector>

#include "models/common/param_json.h"
#include "models/host/drivers/driver_type.h"
#include "models/host/profiles/os_profile.h"
#include "models/host/workloads/workload.h"
#include "models/net/switch/switch_type.h"
#include "models/nic/adapter_type.h"
#include "models/nic/blocks/mdio_device_type.h"
#include "models/pcix/bridges/bridge_kind.h"
#include "models/tcp/congestion/control_type.h"
#include "models/wan/box_type.h"

namespace longhaul::assembly {
namespace {

nlohmann::json ids_of(const std::vector<pcix::FunctionIds>& all) {
  nlohmann::json list = nlohmann::json::array();
  for (const pcix::FunctionIds& ids : all)
    list.push_back(fmt::format("{:04x}:{:04x}", ids.vendor, ids.device));
  return list;
}

// Entries of a type other than name and title. Parameters are listed by the configuration's key.

nlohmann::json described(const nic::PlatformNode& platform) {
  nlohmann::json regions = nlohmann::json::array();
  for (const nic::PlatformNode::Region& region : platform.regions)
    regions.push_back({{"name", region.name}, {"offset", region.offset}, {"bytes", region.bytes}});
  return {{"node", platform.node},
          {"compatible", platform.compatible},
          {"regions", std::move(regions)},
          {"interrupt", platform.interrupt},
          {"properties", platform.properties}};
}

void describe_more(const nic::AdapterType& type, nlohmann::json& entry) {
  if (type.platform) entry["platform"] = described(*type.platform);
  entry["pci_ids"] = ids_of(type.ids);
  entry["phy"] = type.phy;
  entry["slot"] = type.slot;
  if (type.rtl) entry["rtl"] = true;
  if (type.linux_driver) {
    entry["linux_driver"] = {{"module", type.linux_driver->module},
                             {"least_mtu", type.linux_driver->least_mtu},
                             {"largest_mtu", type.linux_driver->largest_mtu},
                             {"source", type.linux_driver->source}};
    if (type.linux_driver->folder != nullptr) {
      entry["linux_driver"]["folder"] = type.linux_driver->folder;
      entry["linux_driver"]["option"] = type.linux_driver->option;
    }
  }
  entry["parameters"] = {{"params", type.describe_defaults()}};
  if (!type.platform) entry["parameters"]["firmware"] = describe_defaults(type.firmware);
}

void describe_more(const wan::BoxType& type, nlohmann::json& entry) {
  if (type.rtl) entry["rtl"] = true;
  entry["parameters"] = {{"params", type.describe_defaults()}};
}

void describe_more(const nic::MdioDeviceType& type, nlohmann::json& entry) {
  entry["parameters"] = {{"params", type.describe_defaults(nlohmann::json::object())}};
}

void describe_more(const SwitchType& type, nlohmann::json& entry) {
  entry["parameters"] = {{"params", type.describe_defaults()}};
}

void describe_more(const pcix::BridgeEntry& type, nlohmann::json& entry) {
  const pcix::BridgeKind kind = type.make();
  entry["parameters"] = {{"bridge", describe_defaults(kind.host)},
                         {"pcix", describe_defaults(kind.bus)}};
}

void describe_more(const host::DriverType& type, nlohmann::json& entry) {
  entry["pci_ids"] = ids_of(type.ids);
  entry["parameters"] = {{"driver", type.describe_defaults()}};
}

void describe_more(const host::OsProfileType& type, nlohmann::json& entry) {
  const host::OsProfile profile = type.make();
  entry["parameters"] = {{"tcp", describe_defaults(profile.tcp)},
                         {"net", describe_defaults(profile.net)},
                         {"kernel", describe_defaults(profile.kernel)}};
}

void describe_more(const host::WorkloadType& type, nlohmann::json& entry) {
  entry["parameters"] = {{"params", type.describe_defaults()}};
}

void describe_more(const tcp::ControlType& /*type*/, nlohmann::json& entry) {
  entry["parameters"] = nlohmann::json::object();
}

template <class Type>
void append(nlohmann::json& list, const Catalog<Type>& catalog) {
  for (const std::string& name : catalog.names()) {
    const Type& type = *catalog.look(name);
    nlohmann::json entry{{"kind", catalog.kind()},
                         {"name", type.name},
                         {"title", type.title},
                         {"file", type.origin.file},
                         {"plugin", nullptr}};
    if (!type.origin.plugin.empty()) entry["plugin"] = type.origin.plugin;
    describe_more(type, entry);
    list.push_back(std::move(entry));
  }
}

}  // namespace

nlohmann::json type_list() {
  nlohmann::json list = nlohmann::json::array();
  append(list, nic::adapter_types());
  append(list, nic::mdio_device_types());
  append(list, wan::box_types());
  append(list, switch_types());
  append(list, pcix::bridge_kinds());
  append(list, tcp::congestion_controls());
  append(list, host::driver_types());
  append(list, host::os_profiles());
  append(list, host::workload_types());
  return {{"types", std::move(list)}};
}

}  // namespace longhaul::assembly
