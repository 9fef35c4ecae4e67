// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_json.h"
#include "models/nic/blocks/mdio_device_type.h"
#include "models/nic/phy/phy22.h"

namespace longhaul::nic::phy {
namespace {

constexpr std::uint16_t kFirst = 4;  // the registers before it have parameters
constexpr std::uint16_t kLast = 31;

Phy22Params params_from(const nlohmann::json& params, const std::string& where) {
  Phy22Params values;
  configure(values, params, where);
  return values;
}

}  // namespace

LONGHAUL_PLUGIN(phy22) {
  MdioDeviceType type{};
  type.name = "phy22";
  type.title = "PHY of clause 22, with registers as data";
  type.make = [](const MdioDeviceRequest& request) -> std::unique_ptr<MdioDevice> {
    for (const auto& [number, value] : request.registers) {
      if (number < kFirst || number > kLast) {
        throw ConfigError(fmt::format(
            "{}.registers.{}: wants a register from {} to {}; parameters set the others",
            request.where, number, kFirst, kLast));
      }
    }
    return std::make_unique<Phy22>(params_from(request.params, request.where), request.registers,
                                   request.has_carrier, request.carrier_losses);
  };
  type.describe = [](const nlohmann::json& params) { return describe(params_from(params, "")); };
  type.describe_defaults = [](const nlohmann::json& params) {
    return describe_defaults(params_from(params, ""));
  };
  mdio_device_types().add(std::move(type));
}

}  // namespace longhaul::nic::phy
