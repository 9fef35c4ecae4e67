// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/register_bank.h"
#include "models/nic/blocks/delay_timer.h"
#include "models/nic/blocks/link_partner.h"
#include "models/nic/dp83820/regs.h"

namespace longhaul::nic::dp83820 {

/// The ten-bit interface: TBICR to TESR, and the negotiation of 1000BASE-X (IEEE 802.3, clause 37).
///
/// With TBICR.AN_ENABLE the link is up when negotiation is complete. It takes `negotiation` from
/// the arrival of the signal, the setting of the bit, or a restart. Without that bit the link is up
/// with the signal.
class Tbi final : public sc_core::sc_module {
 public:
  /// `changed` is called when up() may have changed.
  Tbi(const sc_core::sc_module_name& name, RegisterBank& bank, const sc_core::sc_time& negotiation,
      LinkPartner partner, std::function<void()> changed);

  /// The light came or went.
  void set_signal(bool signal);
  /// Called after the bank has reset the registers.
  void reset();
  bool up() const { return signal_ && (!negotiates() || complete_); }

 private:
  bool negotiates() const { return tbicr_.has(regs::kTbicrFields.mr_an_enable); }
  void control_written(std::uint32_t value);
  void restart();
  std::uint32_t status_now();
  std::uint32_t partner_now();

  const sc_core::sc_time negotiation_;
  const LinkPartner partner_;
  std::function<void()> changed_;
  DelayTimer timer_;
  bool signal_ = false;
  bool negotiated_before_ = false;  // TBICR.AN_ENABLE at the last write
  bool complete_ = false;
  Reg32 tbicr_;
  Reg32 tbisr_;
  Reg32 tanar_;
  Reg32 tanlpar_;
  Reg32 taner_;
  Reg32 tesr_;
};

}  // namespace longhaul::nic::dp83820
