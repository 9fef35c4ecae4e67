// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/nic/terminator/sge_rx.h"
#include "models/toe/messages.h"

namespace longhaul::nic::terminator::cpl {

/// Makes the message to the driver of one of the offload engine's, but for toe::RxPacket.
///
/// CPL_GET_TCB_RPL has the fields of toe::TcbFields in their order, numbers of bytes and
/// picoseconds as two words, since the T1's TCB is not public.
RxMessage reply(const toe::ToHost& message);

}  // namespace longhaul::nic::terminator::cpl
