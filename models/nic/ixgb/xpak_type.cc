// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/nic/blocks/mdio_device_type.h"
#include "models/nic/ixgb/xpak.h"

namespace longhaul::nic::ixgb {
namespace {

XpakParams params_from(const nlohmann::json& params, const std::string& where) {
  XpakParams values;
  configure(values, params, where);
  return values;
}

}  // namespace

LONGHAUL_PLUGIN(xpak) {
  MdioDeviceType type{};
  type.name = "xpak";
  type.title = "XPAK optics of clause 45, 10GBASE-SR or -LR";
  type.make = [](const MdioDeviceRequest& request) -> std::unique_ptr<MdioDevice> {
    refuse_registers(request, "an xpak");
    const XpakParams params = params_from(request.params, request.where);
    return std::make_unique<Xpak>(params.vendor(), params.reach() == "lr", request.has_carrier);
  };
  type.describe = [](const nlohmann::json& params) { return describe(params_from(params, "")); };
  type.describe_defaults = [](const nlohmann::json& params) {
    return describe_defaults(params_from(params, ""));
  };
  mdio_device_types().add(std::move(type));
}

}  // namespace longhaul::nic::ixgb
