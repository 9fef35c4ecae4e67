// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/nic/genesis/regs.h"

namespace longhaul::nic::genesis {

constexpr std::uint16_t kVendorSysKonnect = 0x1148;

/// One kind of board: the values of its configuration space and its EEPROM.
struct BoardKind {
  const char* name;
  const char* product;  ///< as in the VPD
  std::uint16_t device_id;
  std::uint16_t subsystem_id;
  std::uint8_t revision;
  char connector;
  char medium;  ///< PMD type: 'S' is 1000BASE-SX
};

/// The slot of the adapter, in the bits of CTST.
struct BusKind {
  const char* name;
  std::uint32_t ctst;
};

// Subsystem and revision: README.md#open-numbers.
constexpr std::array<BoardKind, 1> kBoards{
    {{"sk-9843", "SK-9843 SX", 0x4300, 0x9843, 0x12, 'F', 'S'}}};

constexpr std::array<BusKind, 4> kBuses{
    {{"pci-66", regs::kCtstFields.bus_slot_sz | regs::kCtstFields.bus_clock},
     {"pci-33", regs::kCtstFields.bus_slot_sz},
     {"pci-66-32", regs::kCtstFields.bus_clock},
     {"pci-33-32", 0}}};

}  // namespace longhaul::nic::genesis
