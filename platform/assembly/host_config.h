// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/host/modelled_host.h"

namespace longhaul::assembly {

/// The number of processors of a "host".
std::uint32_t host_processors(const nlohmann::json& json, const std::string& where);
/// Reads a machine's "host" member by member (docs/interfaces.md, Modelled host). Throws
/// ConfigError whose message starts with `where`.
host::HostConfig read_host(const nlohmann::json& json, const std::string& where);

}  // namespace longhaul::assembly
