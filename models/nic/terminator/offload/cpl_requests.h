// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/nic/terminator/cpl.h"
#include "models/toe/messages.h"

namespace longhaul::nic::terminator::cpl {

/// Reads a driver's message to the offload engine. Nothing if the engine does not know the opcode,
/// or the message is shorter than its struct, or a CPL_TX_DATA has another length than it says.
///
/// CPL_SET_TCB_FIELD counts fields as toe::TcbField does, since the T1's TCB is not public.
std::optional<toe::FromHost> request(Message&& message);

}  // namespace longhaul::nic::terminator::cpl
