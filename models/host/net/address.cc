// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/address.h"

#include <arpa/inet.h>

#include <cstring>

#include "models/common/echo.h"
#include "models/common/param.h"

namespace longhaul::host {

Address address_from(const std::string& text, std::uint16_t port, const std::string& where) {
  Address address;
  address.port = port;
  if (::inet_pton(AF_INET, text.c_str(), address.host.data()) == 1) return address;
  address.ipv6 = true;
  if (::inet_pton(AF_INET6, text.c_str(), address.host.data()) == 1) return address;
  throw ConfigError(where + ": \"" + echo(text) +
                    "\" is no IPv4 or IPv6 address such as 10.0.0.1 or fd00::1");
}

std::string to_text(const Address& address) {
  char text[INET6_ADDRSTRLEN] = {};
  ::inet_ntop(address.ipv6 ? AF_INET6 : AF_INET, address.host.data(), text, sizeof text);
  return text;
}

bool same_prefix(const HostBytes& a, const HostBytes& b, std::uint32_t bits) {
  const std::uint32_t whole = bits / 8;
  if (std::memcmp(a.data(), b.data(), whole) != 0) return false;
  const std::uint32_t rest = bits % 8;
  return rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0;
}

}  // namespace longhaul::host
