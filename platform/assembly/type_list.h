// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace longhaul::assembly {

/// All types of all catalogues with their parameters, by kind and name: {"types": [...]}, in the
/// form of docs/plugins.md.
nlohmann::json type_list();

}  // namespace longhaul::assembly
