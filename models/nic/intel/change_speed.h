// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/common/param_json.h"
#include "models/nic/intel/engine_speed.h"

namespace longhaul::nic::intel {

/// Changes a parameter of an engine (speed_names()), and the engine with it. Throws ConfigError,
/// which starts with `where`.
template <class Params, class Tx, class Rx>
void change_speed(Params& params, Tx& tx, Rx& rx, const std::string& name,
                  const nlohmann::json& value, const std::string& where) {
  configure(params, nlohmann::json{{name, value}}, where);
  tx.set_speed(tx_speed(params));
  rx.set_speed(rx_speed(params));
}

}  // namespace longhaul::nic::intel
