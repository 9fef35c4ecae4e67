// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/net_device.h"

#include <nlohmann/json.hpp>

namespace longhaul::host {

nlohmann::json NetDevice::describe_params() const { return nlohmann::json::array(); }

}  // namespace longhaul::host
