// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/nic/blocks/kinds.h"
#include "models/nic/intel/regs.h"

namespace longhaul::nic::intel {

/// PCI vendor id.
constexpr std::uint16_t kVendor = 0x8086;

/// The bus of the slot, in the bits of STATUS (the same in all controllers: 8254x SDM, 13.4.2;
/// ixgb_hw.h).
struct BusKind {
  const char* name;
  std::uint32_t status;
};
constexpr std::uint32_t kPcix64 = kStatusFields.pcix_mode | kStatusFields.bus64;
constexpr std::array<BusKind, 5> kBuses{{
    {"pcix-133", kPcix64 | kStatusFields.pcix_speed.put(2)},
    {"pcix-100", kPcix64 | kStatusFields.pcix_speed.put(1)},
    {"pcix-66", kPcix64},
    {"pci-66", kStatusFields.bus64 | kStatusFields.pci66},
    {"pci-33", kStatusFields.bus64},
}};

}  // namespace longhaul::nic::intel
