// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "models/net/frame/frame.h"

namespace longhaul {

/// A 48-bit MAC address in the order of its bytes on the wire.
using MacAddress = std::array<std::uint8_t, 6>;

namespace ethernet {

constexpr std::uint32_t kHeaderBytes = 14;         ///< two addresses and the EtherType
constexpr std::uint32_t kPreambleBytes = 8;        ///< preamble and start frame delimiter (IEEE 802.3, 3.2.1, 3.2.2)
constexpr std::uint32_t kGapBytes = 12;            ///< inter-packet gap, 96 bit times (IEEE 802.3, 4A.4.2)
constexpr std::uint16_t kTypeMacControl = 0x8808;  ///< IEEE 802.3, clause 31
constexpr std::uint16_t kOpcodePause = 0x0001;     ///< IEEE 802.3, annex 31B
/// Where PAUSE frames are sent; bridges never forward it (IEEE 802.3, 31B.1).
constexpr MacAddress kPauseAddress{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};

inline MacAddress address_at(const std::uint8_t* bytes) {
  MacAddress address;
  std::memcpy(address.data(), bytes, address.size());
  return address;
}
inline MacAddress destination(const Frame& frame) { return address_at(frame.data()); }
inline MacAddress source(const Frame& frame) { return address_at(frame.data() + 6); }
inline std::uint16_t read_be16(const std::uint8_t* bytes) {
  return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]);
}
inline void write_be16(std::uint8_t* bytes, std::uint16_t value) {
  bytes[0] = static_cast<std::uint8_t>(value >> 8);
  bytes[1] = static_cast<std::uint8_t>(value);
}
inline std::uint16_t type(const Frame& frame) { return read_be16(frame.data() + 12); }
/// Group bit of an address: multicast, which includes broadcast.
inline bool is_group(const MacAddress& address) { return (address[0] & 1U) != 0; }

}  // namespace ethernet
}  // namespace longhaul
