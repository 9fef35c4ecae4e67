// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/frame.h"

namespace longhaul::nic::genesis {

/// The XMAC's status word of a received frame (xm::frame_status). `rx_cmd` (RX_CMD) tells whether
/// the length includes the FCS, and which faults to ignore. `vlan_type` (1L_VLAN) is the EtherType
/// of a VLAN tag; tagged frames may be 4 bytes longer.
std::uint32_t frame_status(const Frame& frame, std::uint16_t rx_cmd, std::uint16_t vlan_type);

}  // namespace longhaul::nic::genesis
