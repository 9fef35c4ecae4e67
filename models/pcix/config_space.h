// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "models/pcix/config_bytes.h"
#include "models/pcix/config_identity.h"
#include "models/pcix/message_capabilities.h"

namespace longhaul::pcix {

/// Vital product data of the VPD capability: its bytes, and the access times of four of them.
struct VpdRom {
  /// At most 32 KB. Beyond the end, reads return ones and writes do nothing.
  std::vector<std::uint8_t> bytes;
  sc_core::sc_time read_time;
  sc_core::sc_time write_time;
};

/// Power states of the power management capability.
namespace power {
constexpr std::uint32_t kD0 = 0;
constexpr std::uint32_t kD1 = 1;
constexpr std::uint32_t kD2 = 2;
constexpr std::uint32_t kD3hot = 3;
}  // namespace power

/// Bits of the status register that record how this device's own transactions ended. Software
/// clears one by writing a one.
namespace status {
constexpr std::uint16_t kReceivedTargetAbort = 1U << 12;
constexpr std::uint16_t kReceivedMasterAbort = 1U << 13;
constexpr std::uint16_t kErrors = 0xf900;  ///< all error bits: parity, system error, aborts
}  // namespace status

/// The type 0 configuration space of a function: 256 bytes, little-endian. It has memory BARs, one
/// I/O BAR if the function has ports, and the power management, VPD, PCI-X, MSI and MSI-X
/// capabilities of its identity, chained in this order.
///
/// Write masks follow PCI 2.3 (chapter 6), PCI Power Management 1.1 (chapter 3) and PCI-X 1.0b
/// (chapter 7). Bits that are not writable keep their value; reads outside the 256 bytes return all
/// ones. Throws std::logic_error if the identity gives a capability a wrong offset or a BAR a wrong
/// size.
///
/// In a power state other than D0 the device claims no memory and no ports, does not master the bus
/// and does not drive an interrupt pin. From D3hot to D0 all registers return to their reset values
/// (PCI Power Management 1.1, 5.4.1).
class ConfigSpace {
 public:
  explicit ConfigSpace(const ConfigIdentity& identity);
  ConfigSpace(const ConfigSpace&) = delete;
  ConfigSpace& operator=(const ConfigSpace&) = delete;

  std::uint32_t read(std::uint32_t offset, std::uint32_t size) const;  ///< size 1, 2 or 4
  void write(std::uint32_t offset, std::uint32_t size, std::uint32_t value);

  /// Memory BARs by number, in the order of the identity: their addresses and sizes in bytes.
  std::size_t memory_bars() const { return bar_count_; }
  std::uint64_t memory_bar(std::size_t number = 0) const;
  std::uint32_t memory_size(std::size_t number = 0) const { return identity_.bars[number].bytes; }
  /// The base address register of a memory BAR by its number.
  std::uint32_t memory_bar_index(std::size_t number) const { return identity_.bars[number].index; }
  bool memory_bar_is_wide(std::size_t number) const { return identity_.bars[number].wide; }
  /// The number of the memory BAR at base address register `index`.
  std::size_t memory_bar_at(std::uint32_t index) const;
  /// The number of the memory BAR that claims an address; memory_bars() if no BAR does.
  std::size_t claiming_bar(std::uint64_t address) const;
  /// Whether this is a PCI-X device; else it is a conventional PCI device.
  bool is_pcix() const { return identity_.pcix_capability_offset != 0; }
  std::uint64_t io_bar() const;  ///< first port; 0 if there is no I/O BAR
  std::uint32_t io_bar_size() const { return identity_.io_size; }
  std::uint32_t io_bar_index() const { return identity_.io_bar; }
  bool io_enabled() const;                           ///< command bit 0, and D0
  bool memory_enabled() const;                       ///< command bit 1, and D0
  bool master_enabled() const;                       ///< command bit 2, and D0
  bool intx_disabled() const;                        ///< command bit 10, or not D0
  bool claims_memory(std::uint64_t address) const {  ///< enabled, and in a memory BAR
    return claiming_bar(address) != bar_count_;
  }
  /// Enabled, mapped (not at port 0), and in the I/O BAR.
  bool claims_io(std::uint64_t port) const;

  /// Maximum memory read byte count (MMRBC) of the PCI-X command register: 512, 1024, 2048 or 4096.
  /// Without that register, the number of the identity.
  std::uint32_t max_memory_read_bytes() const;
  /// Maximum outstanding split transactions of the PCI-X command register: 1, 2, 3, 4, 8, 12, 16 or
  /// 32. Without that register, 1.
  std::uint32_t max_outstanding_splits() const;
  /// Whether the device may set the Relaxed Ordering attribute (PCI-X command bit 1).
  bool relaxed_ordering_enabled() const;
  std::uint8_t latency_timer() const;  ///< bus clocks
  /// Sets the read-only bits of the PCI-X status register (bus width, 133 MHz, designed maxima).
  void set_pcix_status(std::uint32_t status);
  /// Sets error bits of the status register (status::kReceived...). Software clears them by writing
  /// ones.
  void note_status(std::uint16_t bits);
  std::uint16_t status_errors() const;  ///< the bits of status::kErrors that are set
  /// Shows the interrupt request in the status register (bit 3), whether or not INTA# is driven.
  void set_interrupt_status(bool pending);

  /// Sets the header type's bit for a device with more than one function.
  void set_multifunction();
  std::uint32_t interrupt_pin() const;  ///< INTA# is 1, INTB# 2

  std::uint32_t power_state() const;  ///< power::kD0 to kD3hot
  /// Sets the data of the VPD capability; without it, reads return ones. A reset does not change
  /// the data.
  void set_vpd(VpdRom rom) { vpd_ = std::move(rom); }
  const std::vector<std::uint8_t>& vpd() const { return vpd_.bytes; }
  /// Gives the DWORD at `offset`, which is specific to the device, its value after reset, its
  /// writable bits, and those that software clears by writing ones. Throws std::logic_error if
  /// `offset` lies in the header or is not a multiple of 4.
  void set_device_register(std::uint32_t offset, std::uint32_t value, std::uint32_t writable_mask,
                           std::uint32_t write_one_to_clear_mask = 0);
  /// Sets bits of such a DWORD.
  void note_device(std::uint32_t offset, std::uint32_t bits);
  /// `changed` is called after each write, note_status() and note_device(). `woken` is called
  /// before it when D3hot was left for D0, which resets the device.
  void set_listeners(std::function<void()> changed, std::function<void()> woken);

  const MessageCapabilities& messages() const { return messages_; }
  bool msi_enabled() const { return messages_.msi_enabled(); }
  std::uint64_t msi_address() const { return messages_.msi_address(); }
  std::uint16_t msi_data() const { return messages_.msi_data(); }

 private:
  std::uint32_t word(std::uint32_t offset) const;
  void put_power_capability(std::uint8_t next);
  void put_vpd_capability(std::uint8_t next);
  void put_pcix_capability(std::uint8_t next);
  void put_memory_bars();
  bool in_d0() const { return power_state() == power::kD0; }
  void keep_known_power_state(std::uint32_t before);
  void start_vpd();

  ConfigIdentity identity_;
  std::size_t bar_count_ = 0;  // BARs in identity_.bars
  ConfigBytes bytes_;
  MessageCapabilities messages_;
  VpdRom vpd_;
  std::uint64_t vpd_done_ps_ = 0;  // until then the VPD flag reads as its opposite
  std::function<void()> changed_;
  std::function<void()> woken_;
};

}  // namespace longhaul::pcix
