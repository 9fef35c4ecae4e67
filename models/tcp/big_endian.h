// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::tcp {

inline std::uint16_t get16(const std::uint8_t* at) { return static_cast<std::uint16_t>(at[0] << 8U | at[1]); }
inline std::uint32_t get32(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0]) << 24U | static_cast<std::uint32_t>(at[1]) << 16U |
         static_cast<std::uint32_t>(at[2]) << 8U | at[3];
}
inline void put16(std::uint8_t* at, std::uint32_t value) {
  at[0] = static_cast<std::uint8_t>(value >> 8U);
  at[1] = static_cast<std::uint8_t>(value);
}
inline void put32(std::uint8_t* at, std::uint32_t value) {
  put16(at, value >> 16U);
  put16(at + 2, value);
}

}  // namespace longhaul::tcp
