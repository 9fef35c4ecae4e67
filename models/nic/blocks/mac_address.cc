// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/mac_address.h"

#include <cstdio>

#include "models/common/echo.h"
#include "models/common/param.h"

namespace longhaul::nic {

MacAddress mac_address_of(const Eeprom93c46& eeprom) {
  MacAddress mac;
  for (std::uint32_t i = 0; i < 6; ++i)
    mac[i] = static_cast<std::uint8_t>(eeprom.word(i / 2) >> (8 * (i % 2)));
  return mac;
}

MacAddress parse_mac_address(const std::string& text, const std::string& where) {
  MacAddress mac{};
  unsigned byte[6];
  int end = 0;
  const int fields = std::sscanf(text.c_str(), "%2x:%2x:%2x:%2x:%2x:%2x%n", &byte[0], &byte[1],
                                 &byte[2], &byte[3], &byte[4], &byte[5], &end);
  if (fields != 6 || static_cast<std::size_t>(end) != text.size()) {
    throw ConfigError(where + ": '" + echo(text) +
                      "' is no MAC address, wants six bytes such as \"00:07:e9:00:00:01\"");
  }
  for (std::size_t i = 0; i < 6; ++i) mac[i] = static_cast<std::uint8_t>(byte[i]);
  if (ethernet::is_group(mac))
    throw ConfigError(where + ": '" + echo(text) + "' is a group address, wants a station's own");
  if (mac == MacAddress{}) throw ConfigError(where + ": the address 00:00:00:00:00:00 is nobody's");
  return mac;
}

MacAddress station_address(const std::string& text, const std::array<std::uint8_t, 4>& maker,
                           std::uint32_t number, const std::string& where) {
  if (!text.empty()) return parse_mac_address(text, where);
  return {maker[0],
          maker[1],
          maker[2],
          maker[3],
          static_cast<std::uint8_t>(number >> 8),
          static_cast<std::uint8_t>(number)};
}

}  // namespace longhaul::nic
