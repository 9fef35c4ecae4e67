// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/mac_part.h"

#include <utility>

#include "models/nic/terminator/phy_mv88x201x.h"

namespace longhaul::nic::terminator {

using mac_regs::kElmer0GpoFields;
using mac_regs::kElmer0PinFields;

MacPart::MacPart(const sc_core::sc_module_name& name, RegisterBank& bank, EthMac& mac,
                 const MacPartParams& params, Board board, Frequency core_clock,
                 std::function<void()> on_cause)
    : sc_module(name),
      mac_(mac),
      on_cause_(std::move(on_cause)),
      board_(board),
      elmer0_([this](std::uint32_t outputs) { outputs_changed(outputs); }, [this] { on_cause_(); }),
      phy_(board, params,
           {[this] { return mac_.carrier(); }, [this] { update(); },
            [this](bool level) { elmer0_.set_input(kElmer0PinFields.phy, level); }}),
      mi1_(phy_, params.elmer0_clock(), phy_.mdi_inverted()),
      tpi_(bank, core_clock, params.tpi_base_clocks()),
      espi_("espi", bank, params, core_clock, drops,
            {[this] { on_cause_(); }, [this] { return pm3393_.operates(); },
             [this] { pm3393_.ingress().kick(); }, nullptr}),
      pm3393_("pm3393", mac, params, {rx_overflows, rx_filtered, rx_refused, tx_refused, drops},
              espi_,
              {[this] { elmer0_.set_input(kElmer0PinFields.mac, pm3393_.interrupt()); },
               [this] { update(); }, [this] { phy_.light_changed(); }, [this] { espi_.kick_tx(); },
               [this](const FrameRef& frame) {
                 if (client_ != nullptr) client_->frame_sent(frame);
               }}) {
  tpi_.attach(0, pm3393_.bank(), [this](std::uint32_t offset) { return pm3393_.answers(offset); });
  tpi_.attach(mac_regs::kElmer0Base, elmer0_.bank());
  tpi_.attach(mac_regs::kMi1Base, mi1_.bank());
  elmer0_.set_input(kElmer0PinFields.module, board != Board::kT110Fibre);
  mac_.enable_laser(false);
  mac_.enable_tx(false);
  built_ = true;
  reset();
}

void MacPart::attach(FrameSource& source, EspiClient& client) {
  client_ = &client;
  espi_.attach(pm3393_.egress(), source, client);
}

void MacPart::reset() {
  tpi_.reset();
  mi1_.reset();
  espi_.reset();
  elmer0_.reset();
}

void MacPart::outputs_changed(std::uint32_t outputs) {
  const bool powered = board_ != Board::kT110Fibre || (outputs & kElmer0GpoFields.power) != 0;
  phy_.set_running(powered && (outputs & kElmer0GpoFields.phy_run) != 0);
  phy_.set_transmitter((outputs & kElmer0GpoFields.laser) != 0);
  pm3393_.set_running((outputs & kElmer0GpoFields.mac_run) != 0);
  update();
}

/// Everything that follows from the states of PHY, PM3393 and Elmer0's outputs.
void MacPart::update() {
  if (!built_) return;
  const bool lit = phy_.sends_light();
  if (std::exchange(lit_, lit) != lit) mac_.enable_laser(lit);
  const bool sends = phy_.ready() && pm3393_.xaui_stable() && pm3393_.sends();
  if (std::exchange(sends_, sends) != sends) mac_.enable_tx(sends);
  pm3393_.set_phy(phy_.ready(), phy_.link());
  if (board_ == Board::kN110) {
    link_led.set(static_cast<const PhyMv88x201x&>(phy_.phy()).link_led() ? 1 : 0);
  } else {
    link_led.set((elmer0_.outputs() & kElmer0GpoFields.link_led) == 0 ? 1 : 0);
    activity_led.set((elmer0_.outputs() & kElmer0GpoFields.activity_led) == 0 ? 1 : 0);
  }
  const bool up = link_up();
  if (std::exchange(was_up_, up) != up && client_ != nullptr) client_->link_changed(up);
}

}  // namespace longhaul::nic::terminator
