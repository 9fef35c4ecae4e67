// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/wan/box_type.h"
#include "models/wan/nistnet/nistnet.h"

namespace longhaul::wan {

LONGHAUL_PLUGIN(nistnet) {
  BoxType type{};
  type.name = "nistnet";
  type.title = "a PC with NIST Net and two gigabit adapters";
  type.make = [](const BoxRequest& request) -> std::unique_ptr<WanBox> {
    return std::make_unique<Nistnet>(
        request.module_name, nistnet_params_from(request.params, request.where, request.seed));
  };
  type.describe_defaults = [] { return describe_defaults(NistnetParams{}); };
  box_types().add(std::move(type));
}

}  // namespace longhaul::wan
