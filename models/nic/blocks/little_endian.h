// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Words of descriptors and EEPROMs in the order of PCI devices: least significant byte first, at
/// any alignment.
namespace longhaul::nic {

inline std::uint32_t read_le32(const std::uint8_t* p) {
  return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
         static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
}
inline std::uint64_t read_le64(const std::uint8_t* p) {
  return read_le32(p) | static_cast<std::uint64_t>(read_le32(p + 4)) << 32;
}
inline std::uint16_t read_le16(const std::uint8_t* p) {
  return static_cast<std::uint16_t>(p[0] | p[1] << 8);
}
inline void write_le16(std::uint8_t* p, std::uint32_t v) {
  p[0] = static_cast<std::uint8_t>(v);
  p[1] = static_cast<std::uint8_t>(v >> 8);
}
inline void write_le32(std::uint8_t* p, std::uint32_t v) {
  write_le16(p, v);
  write_le16(p + 2, v >> 16);
}

}  // namespace longhaul::nic
