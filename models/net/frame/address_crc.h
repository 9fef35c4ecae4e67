// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstdint>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::ethernet {

/// The CRC register after the bits of an address (IEEE 802.3, 3.2.9), with its first bit last and
/// without the final inversion.
inline std::uint32_t crc_of(const MacAddress& address) {
  return ~static_cast<std::uint32_t>(crc32_z(0, address.data(), address.size()));
}

}  // namespace longhaul::ethernet
