// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "models/nic/nec_toe/nec_toe.h"

namespace longhaul::nic::nec_toe {
namespace {

void add(const char* name, const char* title, std::uint16_t device_id, NecToeParams (*params)()) {
  AdapterType type{};
  type.name = name;
  type.title = title;
  type.ids = {{kVendorNec, device_id}};
  type.phy = "1000base-x";
  type.slot = "pci-33";
  type.make = [=](const AdapterRequest& request) -> std::unique_ptr<Adapter> {
    refuse_second_function(request, name);
    NecToeParams values = params();
    configure(values, request.params, request.where);
    return std::make_unique<NecToe>(request.module_name, values, device_id, request.index);
  };
  type.describe_defaults = [=] { return describe_defaults(params()); };
  adapter_types().add(std::move(type));
}

}  // namespace

LONGHAUL_PLUGIN(nec_toe) {
  add("nec-parallel", "NEC-TOE's parallel offload engine, PCI, 1 Gb/s", 0x7001, parallel_params);
  add("nec-pipeline", "NEC-TOE's pipeline offload engine, PCI, 1 Gb/s", 0x7002, pipeline_params);
}

}  // namespace longhaul::nic::nec_toe
