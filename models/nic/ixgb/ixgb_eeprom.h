// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/blocks/eeprom_93c46.h"
#include "models/nic/blocks/mac_address.h"

namespace longhaul::nic::ixgb {

/// Content of an adapter's EEPROM, for eeprom_image().
struct EepromContent {
  MacAddress mac{};
  std::uint32_t pba = 0;
  std::uint16_t device_id = 0;
  std::uint16_t subsystem_id = 0;
};

/// The 64 words that the driver expects: address in words 0 to 2, board number in 8 and 9,
/// signature 01b on top of word 0xa, ids from 0xb on. The last word makes the sum 0xbaba. Source:
/// Linux 6.1 ixgb_ee.h.
Eeprom93c46::Words eeprom_image(const EepromContent& content);

}  // namespace longhaul::nic::ixgb
