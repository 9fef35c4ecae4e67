// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/wan/box_type.h"
#include "models/wan/gnet1/gnet1_twin.h"
#include "rtl/gnet1/box/gnet1_rtl.h"

namespace longhaul::cosim {
namespace {

/// Chooses the model. The other parameters are the same for both models.
struct Gnet1ModelParams {
  Param<std::string> model{"model",
                           "rtl",
                           "Verilated RTL, or its TLM twin",
                           {Evidence::kChosen, "the user's: rtl (Verilated) or tlm, its twin"},
                           {"rtl", "tlm"}};
  auto fields() { return std::tie(model); }
};

std::unique_ptr<wan::WanBox> make(const wan::BoxRequest& request) {
  nlohmann::json own = nlohmann::json::object();
  nlohmann::json params = request.params;
  Gnet1ModelParams which;
  if (params.is_object() && params.contains(which.model.name)) {
    own[which.model.name] = params[which.model.name];
    params.erase(which.model.name);
  }
  configure(which, own, request.where);
  const wan::Gnet1Params numbers = wan::gnet1_params_from(params, request.where, request.seed);
  if (which.model() == "tlm") return std::make_unique<wan::Gnet1Twin>(request.module_name, numbers);
  return std::make_unique<Gnet1Rtl>(request.module_name, numbers);
}

nlohmann::json defaults() {
  nlohmann::json all = describe_defaults(Gnet1ModelParams{});
  for (nlohmann::json& param : describe_defaults(wan::Gnet1Params{}))
    all.push_back(std::move(param));
  return all;
}

}  // namespace

LONGHAUL_PLUGIN(gnet1) {
  wan::BoxType type{};
  type.name = "gnet1";
  type.title = "GNET-1: an FPGA box with four gigabit ports, as RTL or as its TLM twin";
  type.make = make;
  type.describe_defaults = defaults;
  wan::box_types().add(std::move(type));
}

}  // namespace longhaul::cosim
