// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/connection.h"
#include "models/toe/messages.h"

namespace longhaul::toe {

/// The fields of a connection's control block. `iss` is its first sequence number, `unpushed` the
/// bytes that wait for more in payload memory.
TcbFields fields_of(const tcp::Connection& connection, std::uint32_t iss, std::uint64_t unpushed);

}  // namespace longhaul::toe
