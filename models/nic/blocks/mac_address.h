// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/blocks/eeprom_93c46.h"

namespace longhaul::nic {

/// The address in words 0 to 2.
MacAddress mac_address_of(const Eeprom93c46& eeprom);

/// Reads "00:07:e9:00:00:01"; throws ConfigError that starts with `where`, also for a group or zero
/// address.
MacAddress parse_mac_address(const std::string& text, const std::string& where);

/// What a user gave as an address; for an empty text, `number` behind four bytes of the maker's.
MacAddress station_address(const std::string& text, const std::array<std::uint8_t, 4>& maker,
                           std::uint32_t number, const std::string& where);

}  // namespace longhaul::nic
