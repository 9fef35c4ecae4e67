// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "models/nic/genesis/genesis.h"

namespace longhaul::nic::genesis {

LONGHAUL_PLUGIN(genesis) {
  AdapterType type{};
  type.name = "genesis";
  type.title = "SysKonnect SK-98xx (GEnesis and XMAC II), PCI, 1 Gb/s";
  for (const BoardKind& kind : kBoards) type.ids.push_back({kVendorSysKonnect, kind.device_id});
  type.phy = "1000base-x";
  type.slot = "pci-66";
  type.linux_driver = {"skge", 60, 9000, "Linux skge.c: ETH_ZLEN, ETH_JUMBO_MTU"};
  type.make = [](const AdapterRequest& request) -> std::unique_ptr<Adapter> {
    refuse_second_function(request, "a genesis");
    return make_genesis(request.module_name, request.params, request.index);
  };
  type.describe_defaults = [] { return describe_defaults(GenesisParams{}); };
  adapter_types().add(std::move(type));
}

}  // namespace longhaul::nic::genesis
