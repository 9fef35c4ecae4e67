// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace longhaul::portmap {

/// Bits [lsb, lsb + width) of a port of the top module.
struct PinPlace {
  std::string port;
  std::uint32_t lsb = 0;
  std::uint32_t width = 0;
};

}  // namespace longhaul::portmap
