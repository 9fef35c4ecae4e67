// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/blocks/link_partner.h"

namespace longhaul::nic::genesis {

/// The 1000BASE-X PCS inside the XMAC, as the PHY at address 0: clause 22 registers, and
/// negotiation by IEEE 802.3, clause 37.
///
/// It is synchronised while there is light and it is out of reset. Frames pass when it is
/// synchronised and negotiation has completed or is off (CTRL.12). Negotiation starts with light,
/// at the end of a reset, and on request. It takes `negotiation` if the partner takes part, and
/// otherwise never ends.
class XmacPhy final : public sc_core::sc_module {
 public:
  struct Settings {
    sc_core::sc_time negotiation;
    LinkPartner partner;
  };
  /// `changed` is called when the result of one of the functions below may have changed.
  /// `negotiated` is called when negotiation has completed.
  XmacPhy(const sc_core::sc_module_name& name, const Settings& settings,
          std::function<void()> changed, std::function<void()> negotiated);

  /// The light came or went.
  void set_signal(bool signal);
  /// In reset (initially) the registers have their reset values and there is no negotiation.
  void set_reset(bool on);
  bool synchronised() const { return signal_ && !in_reset_; }
  bool negotiating() const;
  /// Whether frames can be sent and received.
  bool passes_frames() const;

  /// Registers 0 to 31. Registers that do not exist read as zero and ignore writes. A read has the
  /// same side effects as on the bus.
  std::uint16_t read(std::uint32_t address);
  void write(std::uint32_t address, std::uint16_t value);

 private:
  bool negotiates() const;
  void set_defaults();
  void restart();
  void complete();
  std::uint16_t status();
  std::uint16_t partner_word() const;
  std::uint16_t resolved() const;

  const Settings settings_;
  std::function<void()> changed_;
  std::function<void()> negotiated_;
  DelayTimer timer_;
  bool signal_ = false;
  bool in_reset_ = true;
  bool complete_ = false;
  bool sync_was_lost_ = true;   // latched low in the status register until it is read
  bool page_received_ = false;  // until the expansion register is read
  std::uint16_t control_ = 0;
  std::uint16_t advertised_ = 0;
  std::uint16_t next_page_ = 0;
};

}  // namespace longhaul::nic::genesis
