// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/interrupts.h"

#include <utility>

namespace longhaul::nic::genesis {

Interrupts::Interrupts(const sc_core::sc_module_name& name, RegisterBank& bank, Frequency clock,
                       Sources sources)
    : sc_module(name),
      sources_(std::move(sources)),
      bank_(bank),
      moderation_(
          bank, clock, {"IRQM_INI", "IRQM_VAL", "IRQM_CTRL"}, regs::kIrqmIni,
          {regs::kTimerCtrlFields, regs::kTimerCtrlFields.start, regs::kTimerCtrlFields.stop},
          {[this] { update(); }, {}, [this] { released(); }}),
      timer_(bank, clock, {"TI_INI", "TI_VAL", "TI_CTRL"}, regs::kTiIni,
             {regs::kTimerCtrlFields, regs::kTimerCtrlFields.start, regs::kTimerCtrlFields.stop,
              regs::kTimerCtrlFields.clr_irq},
             {[this] { timer_.tell_at_zero(); },
              [this] {
                timer_cause_ = false;
                timer_.tell_at_zero();
                update();
              },
              [this] { timer_done(); }}) {}

std::uint32_t Interrupts::causes() const {
  return sources_.causes() | (timer_cause_ ? regs::kIsrcFields.timint : 0U) |
         ((sources_.errors() & hwe_imsk_.value()) != 0 ? regs::kIsrcFields.hw_err : 0U);
}

void Interrupts::update() {
  const std::uint32_t all = causes();
  const std::uint32_t moderated = moderation_.running() ? irqm_msk_.value() & all : 0;
  passed_ &= moderated;  // a cause that ended must wait when it occurs again
  const std::uint32_t wait = moderated & ~passed_;
  if ((wait & ~waiting_) != 0) {
    held_back.add();
    moderation_.tell_at_zero();
  }
  waiting_ = wait;
  sources_.drive((all & ~wait & imsk_.value()) != 0);
}

/// The moderation timer has reached zero.
void Interrupts::released() {
  passed_ |= waiting_;
  update();
}

void Interrupts::timer_done() {
  timer_cause_ = true;
  update();
}

std::uint32_t Interrupts::take() {
  constexpr std::uint32_t kWholeDword = 4;
  const std::uint32_t let_through = causes() & imsk_.value();
  if (let_through != 0 && sources_.access_bytes() >= kWholeDword) {
    imsk_.set(0);
    update();
  }
  return let_through;
}

void Interrupts::reset() {
  timer_cause_ = false;
  waiting_ = passed_ = 0;
  moderation_.reset();
  timer_.reset();
}

}  // namespace longhaul::nic::genesis
