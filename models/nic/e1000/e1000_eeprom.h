// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/nic/blocks/eeprom_93c46.h"
#include "models/nic/blocks/mac_address.h"

namespace longhaul::nic::e1000 {

/// Content of an adapter's EEPROM, for eeprom_image().
struct EepromContent {
  MacAddress mac{};
  std::uint32_t pba = 0;
  std::uint16_t device_id = 0;
  std::uint16_t subsystem_id = 0;
  bool fiber = true;
  std::uint32_t ports = 1;
};

/// The 64 words that device and driver expect. They have the address in words 0 to 2, the board
/// number in 8 and 9, and the signature 01b on top of word 0xa. Ids begin at 0xb; word 0xf has
/// PAUSE in both directions; wake-up is off. Word 0x14 gives INTB# to LAN B if there are two ports.
/// The last word makes the sum 0xbaba.
///
/// Sources: 8254x SDM, chapter 5; Linux 6.1 e1000_hw.h.
Eeprom93c46::Words eeprom_image(const EepromContent& content);

}  // namespace longhaul::nic::e1000
