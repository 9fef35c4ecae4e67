// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::ethernet {

constexpr std::uint32_t kVlanTagBytes = 4;  ///< IEEE 802.1Q, 9.3

}  // namespace longhaul::ethernet
