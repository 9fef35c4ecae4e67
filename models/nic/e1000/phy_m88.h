// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/blocks/link_partner.h"
#include "models/nic/blocks/mdio.h"

namespace longhaul::nic::e1000 {

/// The 1000BASE-T transceiver inside the 82545 and 82546 (a Marvell 88E1011 by its identifier),
/// with clause 22 registers at address 1. It has control, status, advertisement, the partner's
/// advertisement, 1000BASE-T control and status, its own control and status, and the paged register
/// 30.
///
/// Boards with optics have it, too, without a cable; there the serializer does the loopback.
///
/// Sources: IEEE 802.3, 22.2.4 and 40.5; Linux 6.1 e1000_hw.h.
class PhyM88 final : public sc_core::sc_module, public MdioDevice {
 public:
  struct Settings {
    sc_core::sc_time negotiation;
    LinkPartner partner;
  };
  static constexpr std::uint32_t kAddress = 1;
  static constexpr std::uint32_t kIdentifier = 0x01410c20;  ///< without the revision in bits 3:0

  PhyM88(const sc_core::sc_module_name& name, const Settings& settings,
         std::function<void()> changed);

  /// The far end appeared on the cable, or went.
  void set_signal(bool signal);
  bool up() const { return complete_; }
  /// Whether the transceiver returns what it is given to send (control register, bit 14). It has no
  /// link then.
  bool loops() const;
  /// A reset by the pin that CTRL.PHY_RST drives.
  void hardware_reset();

  bool mdio_answers(std::uint32_t port, std::uint32_t /*device*/) const override {
    return port == kAddress;
  }
  std::uint16_t mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) override;
  void mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                  std::uint16_t value) override;

 private:
  void set_defaults();
  void restart();
  std::uint16_t status();
  std::uint16_t partner_ability() const;

  const Settings settings_;
  std::function<void()> changed_;
  DelayTimer timer_;
  bool signal_ = false;
  bool complete_ = false;
  bool link_was_lost_ = true;  // latched low in the status register until it is read
  std::array<std::uint16_t, 32> registers_{};
  std::array<std::uint16_t, 256> paged_{};  // register 30 for each value of register 29
};

}  // namespace longhaul::nic::e1000
