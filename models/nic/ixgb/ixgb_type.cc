// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "models/nic/ixgb/ixgb.h"
#include "models/nic/ixgb/ring_map.h"

namespace longhaul::nic::ixgb {

LONGHAUL_PLUGIN(ixgb) {
  AdapterType type{};
  type.name = "ixgb";
  type.title = "Intel PRO/10GbE (82597EX), PCI-X, 10 Gb/s";
  for (const OpticsKind& kind : kOptics) type.ids.push_back({intel::kVendor, kind.device_id});
  type.phy = "10gbase-r";
  type.slot = "pcix-133";
  type.linux_driver = {"ixgb", 68, 16114, "Linux ixgb_main.c: ETH_MIN_MTU; ixgb.rst: 16114"};
  type.make = [](const AdapterRequest& request) -> std::unique_ptr<Adapter> {
    refuse_second_function(request, "an ixgb");
    return make_ixgb(request.module_name, request.params, request.index);
  };
  type.describe_defaults = [] { return describe_defaults(IxgbParams{}); };
  type.rings = ring_map();
  adapter_types().add(std::move(type));
}

}  // namespace longhaul::nic::ixgb
