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
  std::uint32_t bar0_size;         ///< bytes, a power of two
  std::uint8_t io_bar = 0;         ///< which base address register maps I/O ports: 1 to 5, or 0 for none
  std::uint32_t io_size = 0;       ///< ports, a power of two, 4 at least
  std::uint8_t interrupt_pin = 1;  ///< INTA# is 1, INTB# 2
};

/// Bits of the status register that record how this device's own transactions ended; written as one to clear.
namespace status {
constexpr std::uint16_t kReceivedTargetAbort = 1U << 12;
constexpr std::uint16_t kReceivedMasterAbort = 1U << 13;
}  // namespace status

/// Type 0 configuration space with a memory BAR 0, one I/O BAR where the device has ports, and the PCI-X and MSI capabilities: 256 bytes, little-endian, with the
/// write masks that PCI 2.3 (chapter 6) and PCI-X 1.0b (chapter 7) give. Unwritable bits keep their value; reads outside
/// the 256 bytes give all-ones. Throws std::logic_error if the identity places a capability or sizes the BAR wrongly.
class ConfigSpace {
 public:
  explicit ConfigSpace(const ConfigIdentity& identity);

  std::uint32_t read(std::uint32_t offset, std::uint32_t size) const;  ///< size 1, 2 or 4
  void write(std::uint32_t offset, std::uint32_t size, std::uint32_t value);

  std::uint64_t bar0() const;
  std::uint32_t bar0_size() const { return identity_.bar0_size; }
  std::uint64_t io_bar() const;                     ///< first port; 0 if there is no I/O BAR
  bool io_enabled() const;                          ///< command bit 0
  bool memory_enabled() const;                      ///< command bit 1
  bool master_enabled() const;                      ///< command bit 2
  bool intx_disabled() const;                       ///< command bit 10
  bool claims_memory(std::uint64_t address) const;  ///< enabled, and in BAR 0
  bool claims_io(std::uint64_t port) const;         ///< enabled, mapped (not at port 0), and in the I/O BAR

  /// Maximum memory read byte count of the PCI-X command register: 512, 1024, 2048 or 4096.
  std::uint32_t max_memory_read_bytes() const;
  /// Maximum outstanding split transactions: 1, 2, 3, 4, 8, 12, 16 or 32.
  std::uint32_t max_outstanding_splits() const;
  /// Whether the device may set the Relaxed Ordering attribute (PCI-X command bit 1).
  bool relaxed_ordering_enabled() const;
  std::uint8_t latency_timer() const;  ///< bus clocks
  /// Sets the read-only PCI-X status register (bus width, 133 MHz, designed maxima).
  void set_pcix_status(std::uint32_t status);
  /// Sets the status register's error bits (status::kReceived...), which software clears by writing ones.
  void note_status(std::uint16_t bits);
  /// Shows the interrupt request in the status register (bit 3), whether or not INTA# is driven.
  void set_interrupt_status(bool pending);

  /// Says in the header type that the device has more than one function.
  void set_multifunction();
  std::uint32_t interrupt_pin() const;  ///< INTA# is 1, INTB# 2

  bool msi_enabled() const;
  std::uint64_t msi_address() const;
  std::uint16_t msi_data() const;

 private:
  std::uint32_t word(std::uint32_t offset) const;
  void put(std::uint32_t offset, std::uint32_t size, std::uint32_t value, std::uint32_t writable_mask = 0,
           std::uint32_t write_one_to_clear_mask = 0);
  void put_pcix_capability(std::uint8_t next);
  void put_msi_capability();

  ConfigIdentity identity_;
  std::array<std::uint8_t, 256> bytes_{};
  std::array<std::uint8_t, 256> writable_{};
  std::array<std::uint8_t, 256> write_one_to_clear_{};
};

}  // namespace longhaul::pcix
