// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace longhaul::host {

/// The bytes of an IPv4 (first four) or IPv6 address.
using HostBytes = std::array<std::uint8_t, 16>;

/// An IPv4 or IPv6 address and port; IPv4 is in the first four bytes.
struct Address {
  bool ipv6 = false;
  HostBytes host{};
  std::uint16_t port = 0;
};

/// Reads "192.168.0.1" or "fd00::1". Throws ConfigError whose message starts with `where` for
/// another text.
Address address_from(const std::string& text, std::uint16_t port, const std::string& where);
std::string to_text(const Address& address);  ///< without the port

/// Whether the first `bits` of two addresses of one family are equal.
bool same_prefix(const HostBytes& a, const HostBytes& b, std::uint32_t bits);

}  // namespace longhaul::host
