// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/register_bank.h"
#include "models/nic/blocks/delay_timer.h"
#include "models/nic/blocks/link_partner.h"
#include "models/nic/e1000/regs.h"

namespace longhaul::nic::e1000 {

/// The 1000BASE-X side of an adapter with optics: TXCW, RXCW and the negotiation of IEEE 802.3,
/// clause 37, by the controller itself (8254x SDM, 8.6).
///
/// The link is up while there is light and the link is out of reset, if negotiation has completed
/// (TXCW.ANE) or software forces the link (CTRL.SLU without ANE). Negotiation takes `negotiation`
/// from its start if the partner takes part, and otherwise never ends. In loopback this end is its
/// own partner.
class TbiLink final : public sc_core::sc_module {
 public:
  struct Settings {
    sc_core::sc_time negotiation;
    LinkPartner partner;
  };
  /// `changed` is called when up() may have changed. `negotiated` is called when negotiation has
  /// completed, with its PAUSE directions.
  TbiLink(const sc_core::sc_module_name& name, RegisterBank& bank, const Settings& settings,
          std::function<void()> changed, std::function<void(PauseModes)> negotiated);

  /// The light came or went.
  void set_signal(bool signal);
  /// Connects the serializer's output to its input: this end negotiates with itself.
  void set_loopback(bool on);
  /// Sets the present values of CTRL.LRST and CTRL.SLU.
  void set_control(bool in_reset, bool forced);
  bool up() const;
  /// Device reset. The bank resets the registers; negotiation starts again.
  void reset();

 private:
  bool negotiates() const { return txcw_.has(regs::kTxcwFields.ane); }
  bool synchronised() const { return signal_ || looped_; }
  void restart();
  std::uint32_t partner_word() const;
  std::uint32_t rxcw_now();

  const Settings settings_;
  std::function<void()> changed_;
  std::function<void(PauseModes)> negotiated_;
  DelayTimer timer_;
  bool signal_ = false;
  bool looped_ = false;
  bool in_reset_ = true;
  bool forced_ = false;
  bool complete_ = false;
  bool word_changed_ = false;  // RXCW.CC, until it is read

  Reg32 txcw_;
  Reg32 rxcw_;
};

}  // namespace longhaul::nic::e1000
