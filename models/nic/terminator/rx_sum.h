// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/net/frame/frame.h"

namespace longhaul::nic::terminator {

/// The ones' complement sum over TCP or UDP with its pseudo header, as CPL_RX_PKT has it: 0xffff if
/// the checksum is right. `skip` bytes at the frame's begin are not part of it.
///
/// No value for other protocols than TCP and UDP of IPv4, for fragments, and for lengths that do
/// not fit the frame. One VLAN tag is looked through.
std::optional<std::uint16_t> l4_sum(const Frame& frame, std::uint32_t skip);

}  // namespace longhaul::nic::terminator
