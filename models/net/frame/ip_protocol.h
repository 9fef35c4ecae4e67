// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Protocol numbers in IPv4's and IPv6's headers (IANA: Assigned Internet Protocol Numbers).
namespace longhaul::ip_protocol {

constexpr std::uint8_t kIcmp = 1;
constexpr std::uint8_t kTcp = 6;
constexpr std::uint8_t kUdp = 17;
constexpr std::uint8_t kIcmp6 = 58;

}  // namespace longhaul::ip_protocol
