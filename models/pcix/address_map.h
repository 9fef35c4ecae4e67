// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Physical addresses of a PC (docs/interfaces.md). An address in none of these windows is memory.
namespace longhaul::pcix::address_map {

/// Configuration space of slot n, function f, is at kConfigBegin + n * kConfigBytes + f *
/// kFunctionBytes.
constexpr std::uint64_t kConfigBegin = 0xeff0'0000;
constexpr std::uint64_t kConfigBytes = 4096;
constexpr std::uint64_t kFunctionBytes = 256;
constexpr std::uint64_t kIoBegin = 0xeff8'0000;  ///< I/O port p is at kIoBegin + p
constexpr std::uint64_t kIoBytes = 0x1'0000;
constexpr std::uint64_t kMmioBegin = 0xf000'0000;  ///< memory BARs, up to kMmioEnd
constexpr std::uint64_t kMmioEnd = 0xfec0'0000;
constexpr std::uint64_t kMsiBegin = 0xfee0'0000;  ///< interrupt messages (MSI, MSI-X), up to
                                                  ///< kMsiEnd
constexpr std::uint64_t kMsiEnd = 0xfef0'0000;
constexpr std::uint64_t kMemoryResumes = 0x1'0000'0000;  ///< memory again, above 4 GiB
/// 64-bit memory BARs, up to kHighMmioEnd.
constexpr std::uint64_t kHighMmioBegin = 0x100'0000'0000;
constexpr std::uint64_t kHighMmioEnd = 0x101'0000'0000;

constexpr bool is_config(std::uint64_t address) {
  return address >= kConfigBegin && address < kIoBegin;
}
constexpr bool is_io(std::uint64_t address) {
  return address >= kIoBegin && address < kIoBegin + kIoBytes;
}
constexpr bool is_high_mmio(std::uint64_t address) {
  return address >= kHighMmioBegin && address < kHighMmioEnd;
}
constexpr bool is_mmio(std::uint64_t address) {
  return (address >= kMmioBegin && address < kMmioEnd) || is_high_mmio(address);
}
constexpr bool is_msi(std::uint64_t address) { return address >= kMsiBegin && address < kMsiEnd; }
constexpr bool is_memory(std::uint64_t address) {
  return address < kConfigBegin || (address >= kMemoryResumes && !is_high_mmio(address));
}

}  // namespace longhaul::pcix::address_map
