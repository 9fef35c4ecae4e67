// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/wan/box_type.h"
#include "models/wan/gilbert/gilbert.h"

namespace longhaul::wan::gilbert {

LONGHAUL_PLUGIN(gilbert) {
  BoxType type{};
  type.name = "gilbert";
  type.title = "a line whose losses come in bursts (Gilbert-Elliott), with a delay";
  type.make = [](const BoxRequest& request) -> std::unique_ptr<WanBox> {
    GilbertParams params;
    params.seed.value = request.seed;
    configure(params, request.params, request.where);
    return std::make_unique<GilbertBox>(request.module_name, params);
  };
  type.describe_defaults = [] { return describe_defaults(GilbertParams{}); };
  box_types().add(std::move(type));
}

}  // namespace longhaul::wan::gilbert
