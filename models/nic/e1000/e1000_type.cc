// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/common/param_set.h"
#include "models/nic/adapter_type.h"
#include "models/nic/e1000/e1000.h"

namespace longhaul::nic::e1000 {
namespace {

std::unique_ptr<Adapter> make(const AdapterRequest& request) {
  auto* const lan_a = dynamic_cast<E1000*>(request.function0);
  if (request.function0 != nullptr && lan_a == nullptr)
    throw ConfigError(request.where + ".function: function 0 of its slot is no e1000");
  return make_e1000(request.module_name, request.params, request.index, lan_a);
}

}  // namespace

LONGHAUL_PLUGIN(e1000) {
  AdapterType type{};
  type.name = "e1000";
  type.title = "Intel PRO/1000 server adapters (82545, 82546), PCI-X, 1 Gb/s";
  for (const BoardKind& kind : kBoards) type.ids.push_back({intel::kVendor, kind.device_id});
  type.firmware.mmrbc.source = {Evidence::kStandard,
                                "PCI-X 1.0b, 7.2.3: after reset 0, reads of 512 B"};
  set(type.firmware.outstanding, 1,
      {Evidence::kMeasured,
       "lspci of 82545 and 82546 boards: OST=1, and DMOST=1, made for one "
       "(models/nic/e1000/README.md)"});
  type.phy = "1000base-x";
  type.slot = "pcix-133";
  type.linux_driver = {"e1000", 46, 16110,
                       "Linux e1000_main.c: ETH_ZLEN - ETH_HLEN; MAX_JUMBO_FRAME_SIZE less header "
                       "and FCS"};
  type.make = make;
  type.describe_defaults = [] { return describe_defaults(E1000Params{}); };
  adapter_types().add(std::move(type));
}

}  // namespace longhaul::nic::e1000
