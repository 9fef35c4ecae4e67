// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/phy_board.h"

#include <utility>

#include "models/nic/ixgb/xpak.h"
#include "models/nic/terminator/phy_mv88x201x.h"
#include "models/nic/terminator/phy_my3126.h"

namespace longhaul::nic::terminator {
namespace {

/// Linux 6.1 cxgb/subr.c, t1_board; of the T110 with fibre illumos chxge/com/ch_subr.c.
std::uint32_t phy_address(Board board) { return board == Board::kN110 ? 0 : 1; }

}  // namespace

BoardPhy::BoardPhy(Board board, const MacPartParams& params, Owner owner)
    : board_(board),
      ready_after_ps_(to_ps(board == Board::kT110Fibre ? params.xpak_reset() : params.phy_reset())),
      light_after_ps_(to_ps(params.laser_on())),
      owner_(std::move(owner)),
      phy_(make()) {}

std::unique_ptr<Phy45> BoardPhy::make() {
  const auto light = [this] { return link(); };
  switch (board_) {
    case Board::kN110:
      return std::make_unique<PhyMv88x201x>(
          light, [this] { update_interrupt(); }, [this] { owner_.state_changed(); });
    case Board::kT110Cx4: return std::make_unique<PhyMy3126>(light);
    case Board::kT110Fibre: break;
  }
  return std::make_unique<ixgb::Xpak>("INTEL", false, light);
}

bool BoardPhy::mdi_inverted() const { return board_ != Board::kN110; }

bool BoardPhy::mdio_answers(std::uint32_t port, std::uint32_t device) const {
  return ready_ && port == phy_address(board_) && phy_->mdio_answers(0, device);
}

std::uint16_t BoardPhy::mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) {
  return mdio_answers(port, device) ? phy_->mdio_read(0, device, address) : std::uint16_t{0xffff};
}

void BoardPhy::mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                          std::uint16_t value) {
  if (mdio_answers(port, device)) phy_->mdio_write(0, device, address, value);
}

void BoardPhy::set_running(bool running) {
  if (std::exchange(running_, running) == running) return;
  if (running) return ready_at_.set(now_ps() + ready_after_ps_);
  ready_at_.cancel();
  ready_ = false;
  phy_->reset();
  owner_.state_changed();
}

void BoardPhy::now_ready() {
  ready_ = true;
  phy_->light_changed();
  owner_.state_changed();
}

void BoardPhy::set_transmitter(bool on) {
  if (std::exchange(switched_on_, on) == on) return;
  if (on) return light_at_.set(now_ps() + light_after_ps_);
  light_at_.cancel();
  lit_ = false;
  owner_.state_changed();
}

void BoardPhy::light_changed() {
  if (!ready_) return;
  phy_->light_changed();
  owner_.state_changed();
}

void BoardPhy::update_interrupt() {
  if (!phy_) return;  // its constructor
  const bool level = phy_->interrupt();
  if (std::exchange(interrupt_, level) != level) owner_.interrupt(level);
}

}  // namespace longhaul::nic::terminator
