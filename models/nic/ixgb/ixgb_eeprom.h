// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/blocks/eeprom_93c46.h"

namespace longhaul::nic::ixgb {

/// Content of an adapter's EEPROM, for eeprom_image().
struct EepromContent {
  MacAddress mac{};
  std::uint32_t pba = 0;
  std::uint16_t device_id = 0;
  std::uint16_t subsystem_id = 0;
};

/// The 64 words as the driver wants them: address in words 0 to 2, board number in 8 and 9,
/// signature 01b on top of word 0xa, ids from 0xb on, and a last word that makes the sum 0xbaba.
/// Source: Linux 6.1 ixgb_ee.h.
Eeprom93c46::Words eeprom_image(const EepromContent& content);

/// The address in words 0 to 2.
MacAddress mac_address_of(const Eeprom93c46& eeprom);

/// Reads "00:07:e9:00:00:01"; throws ConfigError that starts with `where`, also for a group or zero
/// address.
MacAddress parse_mac_address(const std::string& text, const std::string& where);

}  // namespace longhaul::nic::ixgb
