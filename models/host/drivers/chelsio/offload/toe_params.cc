// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/offload/toe_params.h"

#include "models/common/param_json.h"

namespace longhaul::host::chelsio {

ToeDriverParams toe_driver_params(const nlohmann::json& json, const NetParams& net,
                                  const std::string& where) {
  ToeDriverParams params;
  configure(params, json, where);
  check_rings(params, where);
  const bool linux = !net.send_by_call() && !net.posted_reads() && !net.walks_chains();
  if (params.offload() && !linux)
    throw ConfigError(where +
                      ".offload: the system's socket calls are not Linux', whose driver it "
                      "is; wants false");
  return params;
}

}  // namespace longhaul::host::chelsio
