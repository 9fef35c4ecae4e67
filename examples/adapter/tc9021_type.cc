// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "models/nic/blocks/kinds.h"
#include "tc9021.h"

namespace tc9021 {

LONGHAUL_PLUGIN(tc9021) {
  using namespace longhaul;  // NOLINT: the catalogue
  nic::AdapterType type{};
  type.name = "tc9021";
  type.title = "Sundance TC9021 on fibre (D-Link DL2000), PCI, 1 Gb/s";
  type.ids = {{0x1186, 0x4000}};
  type.phy = "1000base-x";
  type.slot = "pci-66";
  type.linux_driver = {"dl2k",
                       68,
                       1500,
                       "Linux dl2k.c: ETH_MIN_MTU; without jumbo=1 MaxFrameSize stays at 1518",
                       "drivers/net/ethernet/dlink",
                       "CONFIG_DL2K"};
  type.make = [](const nic::AdapterRequest& request) -> std::unique_ptr<nic::Adapter> {
    nic::refuse_second_function(request, "a tc9021");
    Tc9021Params params;
    configure(params, request.params, nic::full_name(request.module_name));
    return std::make_unique<Tc9021>(request.module_name, params, request.index);
  };
  type.describe_defaults = [] { return describe_defaults(Tc9021Params{}); };
  nic::adapter_types().add(std::move(type));
}

}  // namespace tc9021
