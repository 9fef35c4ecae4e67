// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Addresses of platform devices (docs/interfaces.md). Each device number has a window. All windows
/// lie above all memory below 4 GiB and below the windows of PCI. longhaul.guest.device_tree tells
/// a guest the same addresses.
namespace longhaul::hostbus::address_map {

constexpr std::uint64_t kWindowsBegin = 0xe000'0000;
constexpr std::uint64_t kWindowBytes = 0x100'0000;
constexpr std::uint32_t kWindows = 8;  ///< number 0 stays empty, as slot 0 of the PCI bus does
constexpr std::uint64_t kWindowsEnd = kWindowsBegin + kWindows * kWindowBytes;
/// The interrupt line of number 0, above the lines of the PCI slots.
constexpr std::uint32_t kFirstLine = 16;

constexpr bool is_window(std::uint64_t address) {
  return address >= kWindowsBegin && address < kWindowsEnd;
}

}  // namespace longhaul::hostbus::address_map
