// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/frame.h"

namespace longhaul::nic::genesis {

/// What the XMAC says of a frame that it received: the status word of xm::frame_status. `rx_cmd`
/// (RX_CMD) says whether the FCS is in the length, and which faults are none; `vlan_type` (1L_VLAN)
/// is the EtherType of a tag, with which frames may be 4 bytes longer.
std::uint32_t frame_status(const Frame& frame, std::uint16_t rx_cmd, std::uint16_t vlan_type);

}  // namespace longhaul::nic::genesis
