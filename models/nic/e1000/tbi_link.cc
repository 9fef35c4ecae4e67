// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/tbi_link.h"

#include <utility>

namespace longhaul::nic::e1000 {

TbiLink::TbiLink(const sc_core::sc_module_name& name, RegisterBank& bank, const Settings& settings,
                 std::function<void()> changed, std::function<void(PauseModes)> negotiated)
    : sc_module(name),
      settings_(settings),
      changed_(std::move(changed)),
      negotiated_(std::move(negotiated)),
      timer_("timer",
             [this] {
               complete_ = true;
               word_changed_ = true;
               const std::uint32_t here = txcw_.value();
               const std::uint32_t there = partner_word();
               negotiated_(resolve_pause((here & regs::kTxcwFields.pause) != 0,
                                         (here & regs::kTxcwFields.asm_dir) != 0,
                                         (there & regs::kTxcwFields.pause) != 0,
                                         (there & regs::kTxcwFields.asm_dir) != 0));
               changed_();
             }),
      txcw_(bank, regs::kTxcw, this, &TbiLink::restart),
      rxcw_(bank, regs::kRxcw, this, &TbiLink::rxcw_now) {}

void TbiLink::set_signal(bool signal) {
  if (std::exchange(signal_, signal) != signal) restart();
}

void TbiLink::set_loopback(bool on) {
  if (std::exchange(looped_, on) != on) restart();
}

void TbiLink::set_control(bool in_reset, bool forced) {
  const bool released = std::exchange(in_reset_, in_reset) != in_reset;
  const bool force_changed = std::exchange(forced_, forced) != forced;
  if (released) restart();
  if (force_changed) changed_();
}

bool TbiLink::up() const {
  return synchronised() && !in_reset_ && (negotiates() ? complete_ : forced_);
}

void TbiLink::reset() { restart(); }

void TbiLink::restart() {
  complete_ = false;
  timer_.cancel();
  const bool answered = looped_ || settings_.partner != LinkPartner::kSilent;
  const bool can = synchronised() && !in_reset_ && negotiates() && answered;
  if (can) {
    timer_.restart(settings_.negotiation);
  } else {
    changed_();
  }
}

std::uint32_t TbiLink::partner_word() const {
  switch (looped_ ? LinkPartner::kAlike : settings_.partner) {
    case LinkPartner::kAlike:
      return (txcw_.value() & regs::kTxcwFields.word) | regs::kTxcwFields.ack;
    case LinkPartner::kNoPause: return regs::kTxcwFields.fd | regs::kTxcwFields.ack;
    case LinkPartner::kSilent: break;
  }
  return 0;
}

std::uint32_t TbiLink::rxcw_now() {
  if (!synchronised()) return regs::kRxcwFields.nc;
  std::uint32_t value = regs::kRxcwFields.synch;
  if (timer_.running()) value |= regs::kRxcwFields.c;
  if (complete_) value |= partner_word() | regs::kRxcwFields.anc;
  if (std::exchange(word_changed_, false)) value |= regs::kRxcwFields.cc;
  return value;
}

}  // namespace longhaul::nic::e1000
