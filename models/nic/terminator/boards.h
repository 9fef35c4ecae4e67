// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/nic/terminator/mac_part.h"

namespace longhaul::nic::terminator {

constexpr std::uint16_t kVendorChelsio = 0x1425;

/// A board that carries a Terminator.
struct BoardKind {
  const char* name;
  std::uint16_t device_id;
  Board board;
  bool offload;  ///< it has the memories for TCP offload
};

/// Linux 6.1 cxgb/subr.c, t1_pci_tbl. `t110` is in illumos chxge/com/ch_subr.c only: no driver of
/// mainline Linux takes it.
constexpr std::array<BoardKind, 3> kBoards{{{"n110", 0x0007, Board::kN110, false},
                                            {"t110-cx4", 0x0008, Board::kT110Cx4, true},
                                            {"t110", 0x0006, Board::kT110Fibre, true}}};

}  // namespace longhaul::nic::terminator
