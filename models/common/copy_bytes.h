// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace longhaul {

/// std::memcpy() for counts that are not known when compiled, and are eight most of the time: it
/// then needs no call.
inline void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::size_t count) {
  if (count == 8) {
    std::memcpy(to, from, 8);
  } else {
    std::memcpy(to, from, count);
  }
}

}  // namespace longhaul
