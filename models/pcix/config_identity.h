// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/pcix/memory_bar.h"

namespace longhaul::pcix {

/// The identity of a function, and the offsets of its capabilities (zero: it does not have that
/// one).
struct ConfigIdentity {
  std::uint16_t vendor_id;
  std::uint16_t device_id;
  std::uint8_t revision;
  std::uint32_t class_code;  ///< 24 bit: base class, sub-class, programming interface
  std::uint16_t subsystem_vendor_id;
  std::uint16_t subsystem_id;
  std::uint8_t pcix_capability_offset;
  std::uint8_t msi_capability_offset;
  std::uint32_t memory_size;       ///< bytes of the memory BAR, a power of two
  std::uint8_t io_bar = 1;         ///< which base address register maps I/O ports: 0 to 5
  std::uint32_t io_size = 0;       ///< ports, a power of two, 4 at least; 0 for none
  std::uint8_t interrupt_pin = 1;  ///< INTA# is 1, INTB# 2
  /// Largest memory read of a device without the PCI-X capability, in bytes.
  std::uint32_t max_read_bytes = 512;
  std::uint8_t power_capability_offset = 0;
  /// PMC register: version, D1, D2, PME support (PCI Power Management 1.1, 3.2.3).
  std::uint16_t power_capabilities = 2;
  std::uint8_t vpd_capability_offset = 0;
  std::uint8_t memory_bar = 0;  ///< which base address register maps memory: 0 to 5
  /// All memory BARs of a function that has several, or one of 64 bits. They replace memory_size
  /// and memory_bar.
  MemoryBars bars{};
  std::uint8_t msi_vectors = 1;  ///< vectors that the MSI capability asks for: a power of two, 32
                                 ///< at most
  std::uint8_t msix_capability_offset = 0;
  std::uint8_t msix_vectors = 0;  ///< vectors of the table, which has a BAR of its own (MsixTable)
  std::uint8_t msix_bar = 0;      ///< which base address register maps that table
};

}  // namespace longhaul::pcix
