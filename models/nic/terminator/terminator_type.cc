// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "models/nic/terminator/ring_map.h"
#include "models/nic/terminator/terminator.h"

namespace longhaul::nic::terminator {

LONGHAUL_PLUGIN(terminator) {
  AdapterType type{};
  type.name = "n110";
  type.title = "Chelsio N110 and T110 (Terminator 1), PCI-X, 10 Gb/s";
  for (const BoardKind& kind : kBoards) type.ids.push_back({kVendorChelsio, kind.device_id});
  type.phy = "10gbase-r";
  type.slot = "pcix-133";
  type.linux_driver = {"cxgb", 68, 9582,
                       "Linux cxgb2.c: ETH_MIN_MTU; PM3393_MAX_FRAME_SIZE less header and FCS"};
  type.make = [](const AdapterRequest& request) -> std::unique_ptr<Adapter> {
    refuse_second_function(request, "an n110");
    return make_terminator(request.module_name, request.params, request.index);
  };
  type.describe_defaults = [] { return describe_defaults(TerminatorParams{}); };
  type.rings = ring_map();
  adapter_types().add(std::move(type));
}

}  // namespace longhaul::nic::terminator
