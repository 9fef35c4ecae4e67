// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/pcix/bus_timing.h"

namespace longhaul::portmap {

/// The mode of a bus as a function in reset sees it, in the codes of the 82597EX. Sources: REQ64#
/// and M66EN (PCI 2.3, 4.3.2 and 7.5.1), the initialization pattern (PCI-X 1.0b, 6.2).
struct BusMode {
  bool pci66 = false;            ///< conventional PCI at more than 33 MHz
  bool bus64 = false;            ///< 64 bit wide
  bool pcix = false;             ///< PCI-X
  std::uint32_t pcix_speed = 0;  ///< 0: up to 66 MHz, 1: 100 MHz, 2: 133 MHz and more

  static BusMode of(const pcix::BusTiming& bus);
  /// The mode of a 64-bit slot of that name, which must be one of names().
  static BusMode named(const std::string& name);
  static std::vector<std::string> names();
};

}  // namespace longhaul::portmap
