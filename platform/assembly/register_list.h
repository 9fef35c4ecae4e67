// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace longhaul::assembly {

/// The registers of an adapter of that type with default parameters: by offset, with access, reset
/// value and fields. docs/interfaces.md gives the form of the JSON.
///
/// Makes such an adapter, so it is for programs that do not simulate. Throws ConfigError for an
/// unknown type, and for a type whose registers are in RTL.
nlohmann::json register_list(const std::string& adapter);

}  // namespace longhaul::assembly
