// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/wan/box_type.h"
#include "models/wan/frame_injector/frame_injector.h"

namespace longhaul::wan::frame_injector {

LONGHAUL_PLUGIN(frame_injector) {
  BoxType type{};
  type.name = "frame_injector";
  type.title = "a cable that adds odd frames";
  type.make = [](const BoxRequest& request) -> std::unique_ptr<WanBox> {
    return std::make_unique<FrameInjectorBox>(
        request.module_name,
        frame_injector_params_from(request.params, request.where, request.seed));
  };
  type.describe_defaults = [] { return describe_defaults(FrameInjectorParams{}); };
  box_types().add(std::move(type));
}

}  // namespace longhaul::wan::frame_injector
