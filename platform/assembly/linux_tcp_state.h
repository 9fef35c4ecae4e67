// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/connection.h"
#include "platform/observe/tcp_table.h"

namespace longhaul::assembly {

/// The number of a state in include/net/tcp_states.h. 0 stands for states that are not in Linux'
/// table of established connections.
std::uint32_t linux_number(tcp::State state);

/// A modelled connection's state in the form of Linux. `iss` is its first sequence number.
observe::TcpState linux_state(const tcp::Connection& connection, std::uint32_t iss);

}  // namespace longhaul::assembly
