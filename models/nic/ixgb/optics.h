// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace longhaul::nic::ixgb {

/// One kind of optics, which the board's device id tells (Linux ixgb_ids.h).
struct OpticsKind {
  const char* name;
  std::uint16_t device_id;
  bool long_reach;
};
constexpr std::array<OpticsKind, 4> kOptics{{{"sr", 0x1a48, false},
                                             {"lr", 0x1b48, true},
                                             {"xenpak-lr", 0x1048, true},
                                             {"cx4", 0x109e, false}}};

}  // namespace longhaul::nic::ixgb
