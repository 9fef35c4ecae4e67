// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace longhaul::nic::e1000 {

/// One kind of board: its controller and its port.
struct BoardKind {
  const char* name;
  std::uint16_t device_id;
  std::uint16_t subsystem_id;
  std::uint8_t revision;
  bool fiber;
  std::uint32_t ports;
};

// Linux e1000_hw.h (device ids); pci.ids (boards).
constexpr std::array<BoardKind, 8> kBoards{{{"82545em-fiber", 0x1011, 0x1002, 1, true, 1},
                                            {"82545em-copper", 0x100f, 0x1001, 1, false, 1},
                                            {"82546eb-fiber", 0x1012, 0x1012, 1, true, 2},
                                            {"82546eb-copper", 0x1010, 0x1011, 1, false, 2},
                                            {"82545gm-fiber", 0x1027, 0x1027, 4, true, 1},
                                            {"82545gm-copper", 0x1026, 0x1026, 4, false, 1},
                                            {"82546gb-fiber", 0x107a, 0x127a, 3, true, 2},
                                            {"82546gb-copper", 0x1079, 0x1179, 3, false, 2}}};

}  // namespace longhaul::nic::e1000
