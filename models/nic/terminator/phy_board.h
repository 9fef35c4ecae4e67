// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "models/common/event_queue.h"
#include "models/nic/phy/phy45.h"
#include "models/nic/terminator/mac_params.h"

namespace longhaul::nic::terminator {

/// The board around the Terminator: its PHY, and the address of the PHY on the management bus.
enum class Board {
  kN110,       ///< 1425:0007, Marvell 88X2010 with optics, PHY address 0
  kT110Cx4,    ///< 1425:0008, Mysticom MY3126 with CX4, PHY address 1
  kT110Fibre,  ///< 1425:0006, XPAK module, PHY address 1
};

/// A board's PHY on the management bus, with its reset pin and its transmitter's switch.
///
/// In reset the PHY answers nothing and has no link. After the release it takes its time until it
/// answers. Light leaves the board when the PHY is ready, its registers let it transmit, and the
/// transmitter has been on for a while.
class BoardPhy final : public MdioDevice {
 public:
  struct Owner {
    std::function<bool()> has_light;      ///< the medium carries a signal to this board
    std::function<void()> state_changed;  ///< ready(), link() or sends_light() has changed
    std::function<void(bool)> interrupt;  ///< the level of the interrupt has changed
  };
  BoardPhy(Board board, const MacPartParams& params, Owner owner);

  bool mdio_answers(std::uint32_t port, std::uint32_t device) const override;
  std::uint16_t mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) override;
  void mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                  std::uint16_t value) override;

  /// The reset pin: false holds the PHY in reset.
  void set_running(bool running);
  void set_transmitter(bool on);
  /// The light of the far end came or went.
  void light_changed();

  bool ready() const { return ready_; }
  bool link() const { return ready_ && owner_.has_light(); }
  bool sends_light() const { return ready_ && lit_ && phy_->transmits(); }
  /// Whether the board inverts the data that come from its PHY (MDI).
  bool mdi_inverted() const;
  Phy45& phy() { return *phy_; }

 private:
  std::unique_ptr<Phy45> make();
  void now_ready();
  void update_interrupt();

  const Board board_;
  const std::uint64_t ready_after_ps_;
  const std::uint64_t light_after_ps_;
  Owner owner_;
  bool running_ = false;
  bool ready_ = false;
  bool switched_on_ = false;
  bool lit_ = false;
  bool interrupt_ = false;
  Timer ready_at_{[this] { now_ready(); }};
  Timer light_at_{[this] {
    lit_ = true;
    owner_.state_changed();
  }};
  std::unique_ptr<Phy45> phy_;
};

}  // namespace longhaul::nic::terminator
