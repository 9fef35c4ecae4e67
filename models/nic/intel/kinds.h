// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/nic/blocks/kinds.h"

namespace longhaul::nic::intel {

/// PCI vendor id.
constexpr std::uint16_t kVendor = 0x8086;

/// What the slot says of the bus, in the bits of STATUS (the same in all controllers: 8254x
/// SDM, 13.4.2; ixgb_hw.h).
struct BusKind {
  const char* name;
  std::uint32_t status;
};
namespace bus_status {
constexpr std::uint32_t kPci66 = 1U << 11;
constexpr std::uint32_t kBus64 = 1U << 12;
constexpr std::uint32_t kPcix = 1U << 13;
constexpr std::uint32_t kPcix100 = 1U << 14;
constexpr std::uint32_t kPcix133 = 2U << 14;
}  // namespace bus_status
constexpr std::array<BusKind, 5> kBuses{{
    {"pcix-133", bus_status::kPcix | bus_status::kBus64 | bus_status::kPcix133},
    {"pcix-100", bus_status::kPcix | bus_status::kBus64 | bus_status::kPcix100},
    {"pcix-66", bus_status::kPcix | bus_status::kBus64},
    {"pci-66", bus_status::kBus64 | bus_status::kPci66},
    {"pci-33", bus_status::kBus64},
}};

}  // namespace longhaul::nic::intel
