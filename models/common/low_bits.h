// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

/// A number whose lowest `count` bits are set; all 64 bits if `count` is 64 or more.
constexpr std::uint64_t low_bits(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace longhaul
