// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/nec/gigabit_board.h"

#include "models/nic/nec_toe/regs.h"

namespace longhaul::host::nec {
namespace {

namespace line_regs = nic::nec_toe::regs;

/// 100 MHz (models/nic/nec_toe, core_clock). The engines send and receive in elements of their own,
/// so that modulation needs no pauses to let receive in.
constexpr chelsio::Board::Clocks kClocks{10'000, 0};

}  // namespace

GigabitBoard::GigabitBoard(chelsio::RegisterAccess& registers)
    : chelsio::Board(registers, kClocks) {}

void GigabitBoard::configure_mac(const MacAddress& /*mac*/, std::uint32_t largest_frame) {
  registers().write_register(line_regs::kLineMaxFrame, largest_frame);
}

void GigabitBoard::enable_mac(bool flow_control) {
  constexpr const auto& kControl = line_regs::kLineControlFields;
  const std::uint32_t pause = flow_control ? kControl.send_pause | kControl.obey_pause : 0U;
  registers().write_register(line_regs::kLineControl, kControl.transmit | kControl.receive | pause);
}

void GigabitBoard::disable_mac() { registers().write_register(line_regs::kLineControl, 0); }

bool GigabitBoard::link() {
  return (registers().read_register(line_regs::kLineStatus) & line_regs::kLineStatusFields.link) !=
         0;
}

}  // namespace longhaul::host::nec
