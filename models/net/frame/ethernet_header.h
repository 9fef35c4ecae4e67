// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "models/common/big_endian.h"
#include "models/net/frame/frame.h"

namespace longhaul {

/// A 48-bit MAC address in the order of its bytes on the wire.
using MacAddress = std::array<std::uint8_t, 6>;

namespace ethernet {

constexpr std::uint32_t kHeaderBytes = 14;  ///< two addresses and the EtherType
/// Preamble and start frame delimiter (IEEE 802.3, 3.2.1, 3.2.2).
constexpr std::uint32_t kPreambleBytes = 8;
constexpr std::uint8_t kPreamble = 0x55;
constexpr std::uint8_t kDelimiter = 0xd5;
constexpr std::uint32_t kGapBytes = 12;  ///< inter-packet gap, 96 bit times (IEEE 802.3, 4A.4.2)
// EtherTypes: IEEE's registry (RFC 9542, appendix B).
constexpr std::uint16_t kTypeIpv4 = 0x0800;
constexpr std::uint16_t kTypeArp = 0x0806;
constexpr std::uint16_t kTypeVlan = 0x8100;
constexpr std::uint16_t kTypeIpv6 = 0x86dd;
constexpr std::uint16_t kTypeMacControl = 0x8808;  ///< IEEE 802.3, clause 31
constexpr std::uint16_t kOpcodePause = 0x0001;     ///< IEEE 802.3, annex 31B
/// Destination of PAUSE frames; bridges never forward it (IEEE 802.3, 31B.1).
constexpr MacAddress kPauseAddress{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};

inline MacAddress address_at(const std::uint8_t* bytes) {
  MacAddress address;
  std::memcpy(address.data(), bytes, address.size());
  return address;
}
inline MacAddress destination(const Frame& frame) { return address_at(frame.head()); }
inline MacAddress source(const Frame& frame) { return address_at(frame.head() + 6); }
inline std::uint16_t type(const Frame& frame) { return read_be16(frame.head() + 12); }
/// Whether the group bit of an address is set: multicast, which includes broadcast.
inline bool is_group(const MacAddress& address) { return (address[0] & 1U) != 0; }

}  // namespace ethernet
}  // namespace longhaul
