// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/pcix/config_space.h"
#include "platform/cosim/bus/pcix_host.h"
#include "platform/portmap/pci_entry.h"

namespace longhaul::portmap {

/// Accesses of a host to the pins of a PCI-X device before SystemC's zero. It reads configuration
/// space and the sizes of the base address registers, and compares them with the port map. Then it
/// writes the settings of firmware that `config` has.
class PinStart {
 public:
  /// Messages begin with `where`.
  PinStart(cosim::PcixHost& host, const PciEntry& entry, pcix::ConfigSpace& config,
           std::string where);

  /// Called again and again while the clocks run. Returns true when all is done. Throws
  /// std::runtime_error if the device does not answer, or is another one.
  bool done();
  /// The place of the device's PCI-X capability.
  std::uint32_t pcix_capability() const { return capability(kPcixId); }

 private:
  static constexpr std::uint8_t kPcixId = 0x07;
  static constexpr std::uint8_t kMsiId = 0x05;
  static constexpr std::uint32_t kWords = 64;
  static constexpr std::uint32_t kBars = 6;
  enum class Stage : std::uint8_t { kWait, kRead, kFirmware };

  void ask();
  void take(const cosim::PcixAccess& access);
  void read(std::uint32_t offset);
  void write(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value);
  void compare() const;
  void compare(const char* what, std::uint32_t device, std::uint32_t map) const;
  void compare_bars() const;
  void set_firmware();
  std::uint32_t capability(std::uint8_t id) const;
  [[noreturn]] void refuse(const std::string& what) const;

  cosim::PcixHost& host_;
  const PciEntry& entry_;
  pcix::ConfigSpace& config_;
  const std::string where_;
  Stage stage_ = Stage::kWait;
  std::uint32_t calls_ = 0;
  std::uint32_t open_ = 0;  // accesses without an answer
  std::array<std::uint32_t, kWords> words_{};
  std::array<std::uint32_t, kBars> sizes_{};  // what the registers read after all ones
  bool sizing_ = false;
};

}  // namespace longhaul::portmap
