// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::nic::terminator {

/// The board's serial EEPROM behind the VPD registers: format, serial number, Ethernet address
/// (Linux 6.1 cxgb/subr.c, chelsio_vpd_t and EEPROMSIZE).
std::vector<std::uint8_t> vpd_image(const MacAddress& address);

}  // namespace longhaul::nic::terminator
