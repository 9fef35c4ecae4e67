// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace longhaul::assembly {

/// The registers of an adapter of that type with its default parameters, as it declares them: by
/// offset, with access, reset value and fields. docs/interfaces.md says how the JSON looks.
///
/// Makes one such adapter, so it is for a program that simulates nothing. Throws ConfigError for a
/// type that there is not, and for one whose registers are in RTL.
nlohmann::json register_list(const std::string& adapter);

}  // namespace longhaul::assembly
