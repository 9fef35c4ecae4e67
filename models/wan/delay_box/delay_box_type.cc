// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/wan/box_type.h"
#include "models/wan/delay_box/delay_box.h"

namespace longhaul::wan {

LONGHAUL_PLUGIN(delay_box) {
  BoxType type{};
  type.name = "delay_box";
  type.title = "exact delay, loss, bit errors, reordering, duplicates and rate, as Anue's H series";
  type.make = [](const BoxRequest& request) -> std::unique_ptr<WanBox> {
    return std::make_unique<DelayBox>(
        request.module_name, delay_box_params_from(request.params, request.where, request.seed));
  };
  type.describe_defaults = [] { return describe_defaults(DelayBoxParams{}); };
  box_types().add(std::move(type));
}

}  // namespace longhaul::wan
