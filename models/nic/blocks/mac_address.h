// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/blocks/eeprom_93c46.h"

namespace longhaul::nic {

/// The address in words 0 to 2 of the EEPROM.
MacAddress mac_address_of(const Eeprom93c46& eeprom);

/// Reads an address such as "00:07:e9:00:00:01". Throws ConfigError whose message starts with
/// `where` for another text, a group address or zero.
MacAddress parse_mac_address(const std::string& text, const std::string& where);

/// The address that a user gave. For an empty text, the four bytes of `maker` followed by `number`.
/// Throws ConfigError whose message starts with `where`.
MacAddress station_address(const std::string& text, const std::array<std::uint8_t, 4>& maker,
                           std::uint32_t number, const std::string& where);

}  // namespace longhaul::nic
