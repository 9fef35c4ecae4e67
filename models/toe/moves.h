// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/toe/engine_core.h"
#include "models/toe/frames.h"

namespace longhaul::toe {

/// Handles a frame of a connection that the host has opened (Tcb::moves()).
///
/// While the context is on its way from the host, the frame waits. A frame that is more than data
/// in order or an ACK sends the connection back, and follows it to the host.
void receive_moved(EngineCore& core, Tcb& tcb, const Inbound& in, const FrameRef& frame);

}  // namespace longhaul::toe
