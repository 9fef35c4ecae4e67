// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace longhaul::assembly {

/// All types of all catalogues with their parameters, by kind and name: {"types": [...]}, as
/// docs/plugins.md has it.
nlohmann::json type_list();

}  // namespace longhaul::assembly
