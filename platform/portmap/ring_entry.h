// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/common/ring_map.h"

namespace longhaul::portmap {

/// The rings of a block, as `longhaul.portmap` passes them: numbers, and bit fields as [at, width].
/// Throws nlohmann's exceptions for a text that is not such an entry.
RingMap rings_of(const nlohmann::json& json);

}  // namespace longhaul::portmap
