// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/pcix/config_space.h"

namespace longhaul::portmap {

/// A memory BAR, and its part of an interface to the block's registers.
struct BarEntry {
  pcix::MemoryBar bar;
  std::string registers;     ///< the interface
  std::uint64_t offset = 0;  ///< address of the BAR's first byte on that interface
};

/// The block as a function of the bus. Interfaces are given by name; empty for none.
struct PciEntry {
  std::uint16_t vendor = 0;
  std::uint16_t device = 0;
  std::uint16_t subsystem_vendor = 0;
  std::uint16_t subsystem = 0;
  std::uint8_t revision = 0;
  std::uint32_t class_code = 0;
  std::vector<BarEntry> bars;
  bool msi = false;
  std::uint8_t vectors = 1;       ///< of MSI
  std::uint8_t msix_vectors = 0;  ///< 0: it has no MSI-X
  std::uint8_t msix_bar = 0;
  bool intx = true;  ///< it has an interrupt pin
  std::string slot;
  std::uint32_t max_read = 0;  ///< bytes; conventional PCI only
  std::string memory;
  std::string interrupts;
  std::string port;
  std::string bus;  ///< the interface of the bus's own pins; then the block has all of the above

  /// Throws nlohmann's exceptions for a text that is not such an entry.
  static PciEntry read(const nlohmann::json& json);
  /// The identity for the function's configuration space.
  pcix::ConfigIdentity identity() const;
};

}  // namespace longhaul::portmap
