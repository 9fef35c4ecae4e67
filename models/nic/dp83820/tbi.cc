// SPDX-License-Identifier: Apache-2.0
#include "models/nic/dp83820/tbi.h"

#include <utility>

namespace longhaul::nic::dp83820 {

using namespace regs;  // NOLINT: names of the registers

Tbi::Tbi(const sc_core::sc_module_name& name, RegisterBank& bank,
         const sc_core::sc_time& negotiation, LinkPartner partner, std::function<void()> changed)
    : sc_module(name),
      negotiation_(negotiation),
      partner_(partner),
      changed_(std::move(changed)),
      timer_("timer",
             [this] {
               complete_ = true;
               changed_();
             }),
      tbicr_(bank, kTbicr, this, &Tbi::control_written),
      tbisr_(bank, kTbisr, this, &Tbi::status_now),
      tanar_(bank, kTanar),
      tanlpar_(bank, kTanlpar, this, &Tbi::partner_now),
      taner_(bank, kTaner),
      tesr_(bank, kTesr) {}

void Tbi::set_signal(bool signal) {
  if (std::exchange(signal_, signal) != signal) restart();
}

void Tbi::control_written(std::uint32_t value) {
  tbicr_.clear_bits(kTbicrFields.mr_restart_an);
  const bool changes = std::exchange(negotiated_before_, negotiates()) != negotiates();
  if (changes || (value & kTbicrFields.mr_restart_an) != 0) restart();
}

void Tbi::reset() {
  negotiated_before_ = negotiates();
  restart();
}

void Tbi::restart() {
  complete_ = false;
  timer_.cancel();
  if (signal_ && negotiates() && partner_ != LinkPartner::kSilent) timer_.restart(negotiation_);
  changed_();
}

std::uint32_t Tbi::status_now() {
  return (complete_ ? kTbisrFields.mr_an_complete : 0U) | (up() ? kTbisrFields.mr_link_status : 0U);
}

std::uint32_t Tbi::partner_now() {
  if (!complete_) return 0;
  return partner_ == LinkPartner::kAlike ? tanar_.value() & kTanarFields.abilities
                                         : kTanarFields.full_dup;
}

}  // namespace longhaul::nic::dp83820
