// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

// Fields of packets and frames, in network byte order. A write drops the upper bits of a value that
// is too wide.

inline std::uint16_t read_be16(const std::uint8_t* bytes) {
  return static_cast<std::uint16_t>(bytes[0] << 8U | bytes[1]);
}
inline std::uint32_t read_be32(const std::uint8_t* bytes) {
  return std::uint32_t{read_be16(bytes)} << 16U | read_be16(bytes + 2);
}
inline void write_be16(std::uint8_t* bytes, std::uint32_t value) {
  bytes[0] = static_cast<std::uint8_t>(value >> 8U);
  bytes[1] = static_cast<std::uint8_t>(value);
}
inline void write_be32(std::uint8_t* bytes, std::uint32_t value) {
  write_be16(bytes, value >> 16U);
  write_be16(bytes + 2, value);
}

}  // namespace longhaul
