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
/// Synchronised while there is light and it is out of reset. Frames pass when it is synchronised,
/// and negotiation has completed or is off (CTRL.12). Negotiation starts with light, with the end
/// of a reset, and on request; it takes `negotiation` with a partner that takes part, and never
/// ends with one that does not.
class XmacPhy final : public sc_core::sc_module {
 public:
  struct Settings {
    sc_core::sc_time negotiation;
    LinkPartner partner;
  };
  /// `changed`: what one of the following says may have changed. `negotiated`: negotiation has
  /// completed.
  XmacPhy(const sc_core::sc_module_name& name, const Settings& settings,
          std::function<void()> changed, std::function<void()> negotiated);

  /// Light came or went.
  void set_signal(bool signal);
  /// While on, the registers have their reset values and nothing is negotiated (initially on).
  void set_reset(bool on);
  bool synchronised() const { return signal_ && !in_reset_; }
  bool negotiating() const;
  /// Frames can be sent and received.
  bool passes_frames() const;

  /// Registers 0 to 31; those that are not there read zero and ignore writes. Reading has the side
  /// effects that it has on a bus.
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
  bool sync_was_lost_ = true;   // latched low in the status register until read
  bool page_received_ = false;  // until the expansion register is read
  std::uint16_t control_ = 0;
  std::uint16_t advertised_ = 0;
  std::uint16_t next_page_ = 0;
};

}  // namespace longhaul::nic::genesis
