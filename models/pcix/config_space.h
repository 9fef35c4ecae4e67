// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace longhaul::pcix {

/// What a device says it is, and where its capabilities lie (zero: it has none).
struct ConfigIdentity {
  std::uint16_t vendor_id;
  std::uint16_t device_id;
  std::uint8_t revision;
  std::uint32_t class_code;  ///< 24 bit: base class, sub-class, programming interface
  std::uint16_t subsystem_vendor_id;
  std::uint16_t subsystem_id;
  std::uint8_t pcix_capability_offset;
  std::uint8_t msi_capability_offset;
  std::uint32_t bar0_size;  ///< bytes, a power of two
};

/// Type 0 configuration space with a memory BAR 0 and the PCI-X and MSI capabilities: 256 bytes, little-endian, with the
/// write masks that PCI 2.3 (chapter 6) and PCI-X 1.0b (chapter 7) give. Unwritable bits keep their value.
class ConfigSpace {
 public:
  explicit ConfigSpace(const ConfigIdentity& identity);

  std::uint32_t read(std::uint32_t offset, std::uint32_t size) const;  ///< size 1, 2 or 4
  void write(std::uint32_t offset, std::uint32_t size, std::uint32_t value);

  std::uint64_t bar0() const;
  bool memory_enabled() const;  ///< command bit 1
  bool master_enabled() const;  ///< command bit 2
  bool intx_disabled() const;   ///< command bit 10

  /// Maximum memory read byte count of the PCI-X command register: 512, 1024, 2048 or 4096.
  std::uint32_t max_memory_read_bytes() const;
  /// Maximum outstanding split transactions: 1, 2, 3, 4, 8, 12, 16 or 32.
  std::uint32_t max_outstanding_splits() const;
  std::uint8_t latency_timer() const;  ///< bus clocks
  void set_pcix_status(std::uint32_t status);

  bool msi_enabled() const;
  std::uint64_t msi_address() const;
  std::uint16_t msi_data() const;

 private:
  std::uint32_t word(std::uint32_t offset) const;
  void put(std::uint32_t offset, std::uint32_t size, std::uint32_t value, std::uint32_t writable_mask);

  ConfigIdentity identity_;
  std::array<std::uint8_t, 256> bytes_{};
  std::array<std::uint8_t, 256> writable_{};
};

}  // namespace longhaul::pcix
