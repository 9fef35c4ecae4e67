// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/cxgb_params.h"

#include <fmt/format.h>

#include "models/common/param_json.h"

namespace longhaul::host::chelsio {

void check_rings(const CxgbDriverParams& params, const std::string& where) {
  const auto holds = [&](const Param<std::uint32_t>& list, const Param<std::uint32_t>& mark) {
    if (mark() < list()) return;
    throw ConfigError(fmt::format("{}.{}: {} is not less than the {} entries of {}", where,
                                  mark.name, mark(), list(), list.name));
  };
  for (const auto* list : {&params.rx_buffers, &params.rx_jumbo_buffers}) {
    holds(*list, params.drop_below);
    holds(*list, params.refill_below);
  }
  holds(params.tx_descriptors, params.tx_stop);
}

CxgbDriverParams cxgb_driver_params(const nlohmann::json& json, const std::string& where) {
  CxgbDriverParams params;
  configure(params, json, where);
  check_rings(params, where);
  return params;
}

}  // namespace longhaul::host::chelsio
