// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// Commands of PCI-X, C/BE[3:0]# of an address phase.
namespace pcix_command {
constexpr std::uint8_t kReadDword = 0x6;
constexpr std::uint8_t kWrite = 0x7;  ///< with byte enables
constexpr std::uint8_t kReadBlockAlias = 0x8;
constexpr std::uint8_t kWriteBlockAlias = 0x9;
constexpr std::uint8_t kConfigRead = 0xa;
constexpr std::uint8_t kConfigWrite = 0xb;
constexpr std::uint8_t kSplitCompletion = 0xc;
constexpr std::uint8_t kDual = 0xd;  ///< low half of a 64-bit address
constexpr std::uint8_t kReadBlock = 0xe;
constexpr std::uint8_t kWriteBlock = 0xf;

constexpr bool is_config(std::uint8_t command) {
  return command == kConfigRead || command == kConfigWrite;
}
constexpr bool is_read(std::uint8_t command) {
  return command == kReadDword || command == kReadBlock || command == kReadBlockAlias ||
         command == kConfigRead;
}
constexpr bool is_memory_write(std::uint8_t command) {
  return command == kWrite || command == kWriteBlock || command == kWriteBlockAlias;
}
/// Commands of one DWORD: their attributes have byte enables instead of a byte count.
constexpr bool is_dword(std::uint8_t command) {
  return command == kReadDword || is_config(command);
}
}  // namespace pcix_command

/// Groups of signals that have one output enable.
namespace pcix_group {
constexpr std::uint32_t kAd = 1U << 0U;
constexpr std::uint32_t kAd64 = 1U << 1U;
constexpr std::uint32_t kCbe = 1U << 2U;
constexpr std::uint32_t kCbe64 = 1U << 3U;
constexpr std::uint32_t kPar = 1U << 4U;
constexpr std::uint32_t kPar64 = 1U << 5U;
constexpr std::uint32_t kFrame = 1U << 6U;
constexpr std::uint32_t kIrdy = 1U << 7U;
constexpr std::uint32_t kTarget = 1U << 8U;  ///< TRDY#, STOP#, DEVSEL#
constexpr std::uint32_t kReq64 = 1U << 9U;
constexpr std::uint32_t kAck64 = 1U << 10U;
constexpr std::uint32_t kPerr = 1U << 11U;
/// Signals that are driven high for a clock before they are let go.
constexpr std::uint32_t kSustained = kFrame | kIrdy | kTarget | kReq64 | kAck64 | kPerr;
}  // namespace pcix_group

/// One clock of a PCI-X bus, or what one agent drives in it. Control signals are true when they are
/// asserted. C/BE# has the levels of its pins. `drives` are groups of pcix_group.
struct PcixClock {
  std::uint64_t ad = ~std::uint64_t{0};
  std::uint8_t cbe = 0xff;
  bool par = true;
  bool par64 = true;
  bool frame = false;
  bool irdy = false;
  bool trdy = false;
  bool stop = false;
  bool devsel = false;
  bool req64 = false;
  bool ack64 = false;
  bool perr = false;
  std::uint32_t drives = 0;

  std::uint32_t low() const { return static_cast<std::uint32_t>(ad); }
  std::uint8_t command() const { return cbe & 0xfU; }
  bool answers() const { return trdy || stop || devsel || ack64; }
};

/// Bursts may be cut at multiples of this address (allowable disconnect boundary).
constexpr std::uint32_t kPcixBoundary = 128;
constexpr std::uint32_t kPcixMostBytes = 4096;  ///< of a sequence

/// Even parity of a half of AD and its C/BE#.
inline bool pcix_parity(std::uint32_t ad, std::uint32_t cbe) {
  return ((__builtin_popcount(ad) + __builtin_popcount(cbe & 0xfU)) & 1) != 0;
}
/// Data phases of `bytes` from `address` on.
inline std::uint32_t pcix_phases(std::uint64_t address, std::uint32_t bytes, bool wide) {
  const std::uint32_t size = wide ? 8 : 4;
  return (static_cast<std::uint32_t>(address % size) + bytes + size - 1) / size;
}
/// Data phases from `address` to the first boundary behind it.
inline std::uint32_t pcix_to_boundary(std::uint64_t address, bool wide) {
  const std::uint32_t size = wide ? 8 : 4;
  return (kPcixBoundary - static_cast<std::uint32_t>(address % kPcixBoundary) + size - 1) / size;
}
/// Data phases of a burst that is to stop, with STOP# first in data phase `told` (from 0). It is
/// announced four data phases ahead of a boundary, or in the first data phase.
inline std::uint32_t pcix_stop_phases(std::uint64_t address, bool wide, std::uint32_t told) {
  std::uint32_t boundary = pcix_to_boundary(address, wide);
  while (told != 0 && boundary < told + 4) boundary += wide ? 16 : 32;
  return boundary;
}
/// The byte count of an attribute phase.
inline std::uint32_t pcix_count(std::uint8_t cbe, std::uint32_t ad) {
  const std::uint32_t count = (cbe & 0xfU) << 8U | (ad & 0xffU);
  return count == 0 ? kPcixMostBytes : count;
}

}  // namespace longhaul::cosim
