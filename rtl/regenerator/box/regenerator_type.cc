// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/wan/box_type.h"
#include "rtl/regenerator/box/regenerator_box.h"

namespace longhaul::cosim::regenerator {

LONGHAUL_PLUGIN(regenerator) {
  wan::BoxType type{};
  type.name = "regenerator";
  type.title = "a gigabit line's regenerator between two clocks, as RTL";
  type.make = [](const wan::BoxRequest& request) -> std::unique_ptr<wan::WanBox> {
    Params params;
    configure(params, request.params, request.where);
    return std::make_unique<RegeneratorBox>(request.module_name, params);
  };
  type.describe_defaults = [] { return describe_defaults(Params{}); };
  wan::box_types().add(std::move(type));
}

}  // namespace longhaul::cosim::regenerator
