// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "models/nic/dp83820/dp83820.h"

namespace longhaul::nic::dp83820 {

LONGHAUL_PLUGIN(dp83820) {
  AdapterType type{};
  type.name = "dp83820";
  type.title = "National DP83820 on fibre (Netgear GA621), PCI, 1 Gb/s";
  type.ids = {{0x100b, 0x0022}};
  type.phy = "1000base-x";
  type.slot = "pci-66";
  type.linux_driver = {"ns83820",
                       68,
                       1500,
                       "Linux ns83820.c: min_mtu 0, so IPv4's least; RX_BUF_SIZE",
                       "drivers/net/ethernet/natsemi",
                       "CONFIG_NS83820"};
  type.make = [](const AdapterRequest& request) -> std::unique_ptr<Adapter> {
    refuse_second_function(request, "a dp83820");
    return make_dp83820(request.module_name, request.params, request.index);
  };
  type.describe_defaults = [] { return describe_defaults(Dp83820Params{}); };
  adapter_types().add(std::move(type));
}

}  // namespace longhaul::nic::dp83820
