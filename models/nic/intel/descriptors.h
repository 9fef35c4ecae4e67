// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/vlan.h"
#include "models/nic/blocks/little_endian.h"

/// Descriptors of Intel's PCI and PCI-X controllers (8254x, 82597EX): 16 bytes, little-endian, with
/// the same layout in all of them.
///
/// Sources: Intel 8254x Software Developer's Manual, chapter 3; Linux 6.1 e1000_hw.h and ixgb_hw.h.
namespace longhaul::nic::intel {

using ethernet::kVlanTagBytes;
constexpr std::uint32_t kStandardFrameBytes = 1518;  ///< FCS included, no VLAN tag
constexpr std::uint16_t kVlanType = 0x8100;

/// Byte 12 of a receive descriptor.
namespace rx_status {
constexpr std::uint8_t kDd = 0x01;
constexpr std::uint8_t kEop = 0x02;
constexpr std::uint8_t kIxsm = 0x04;  // ignore the checksum bits
constexpr std::uint8_t kVp = 0x08;    // a VLAN tag was stripped
constexpr std::uint8_t kTcpcs = 0x20;
constexpr std::uint8_t kIpcs = 0x40;
constexpr std::uint8_t kPif = 0x80;  // passed by hash or promiscuous mode only
}  // namespace rx_status

/// Byte 13 of a receive descriptor.
namespace rx_error {
constexpr std::uint8_t kCe = 0x01;
constexpr std::uint8_t kTcpe = 0x20;
constexpr std::uint8_t kIpe = 0x40;
constexpr std::uint8_t kRxe = 0x80;
}  // namespace rx_error

/// Transmit descriptors: bits of the word at byte 8, then bytes 12 (status) and 13 (options).
namespace tx {
constexpr std::uint32_t kLengthMask = 0xfffff;
constexpr std::uint32_t kTypeShift = 20;
constexpr std::uint32_t kTypeMask = 0xf;
constexpr std::uint32_t kTypeContext = 0;
constexpr std::uint32_t kEop = 1U << 24;  // in a context descriptor: TCP
constexpr std::uint32_t kIp = 1U << 25;   // context: IPv4
constexpr std::uint32_t kTse = 1U << 26;
constexpr std::uint32_t kRs = 1U << 27;
constexpr std::uint32_t kVle = 1U << 30;
constexpr std::uint32_t kIde = 1U << 31;
constexpr std::uint8_t kDd = 0x01;
constexpr std::uint8_t kIxsm = 0x01;
constexpr std::uint8_t kTxsm = 0x02;
}  // namespace tx

}  // namespace longhaul::nic::intel
