// SPDX-License-Identifier: Apache-2.0
#include "models/nic/dp83820/interrupts.h"

#include <utility>

namespace longhaul::nic::dp83820 {

using namespace regs;  // NOLINT: names of the registers

Interrupts::Interrupts(const sc_core::sc_module_name& name, RegisterBank& bank,
                       const sc_core::sc_time& holdoff_unit, std::function<void(bool level)> drive)
    : sc_module(name),
      unit_(holdoff_unit),
      drive_(std::move(drive)),
      isr_(bank, kIsr, this, &Interrupts::take),
      imr_(bank, kImr, this, &Interrupts::update),
      ier_(bank, kIer, this, &Interrupts::update),
      ihr_(bank, kIhr, this, &Interrupts::ihr_written) {}

void Interrupts::post(std::uint32_t causes) {
  causes_ |= causes;
  update();
}

std::uint32_t Interrupts::take() {
  const std::uint32_t found = causes_ | ((causes_ & kIsrFields.high) != 0 ? kIsrFields.hibint : 0U);
  causes_ = 0;
  load_timer();
  update();
  return found;
}

void Interrupts::load_timer() {
  const std::uint32_t steps = ihr_.get(kIhrFields.ih);
  if (steps == 0) return;
  armed_ = ihr_.has(kIhrFields.ihctl);
  if (!armed_) timer_.restart(unit_ * steps);
}

void Interrupts::ihr_written(std::uint32_t value) {
  if ((value & kIhrFields.ih) != 0) return;
  armed_ = false;
  timer_.cancel();
  update();
}

void Interrupts::update() {
  const std::uint32_t found = causes_ | ((causes_ & kIsrFields.high) != 0 ? kIsrFields.hibint : 0U);
  const bool wanted = ier_.value() != 0 && (found & imr_.value()) != 0;
  if (wanted && armed_) {
    armed_ = false;
    timer_.restart(unit_ * ihr_.get(kIhrFields.ih));
  }
  const bool level = wanted && !timer_.running();
  if (wanted && !level && !std::exchange(waiting_, true)) held_off.add();
  if (!wanted || level) waiting_ = false;
  if (level == level_) return;
  level_ = level;
  if (level) raised.add();
  if (!level && causes_ != 0) withdrawn.add();
  drive_(level);
}

void Interrupts::reset(std::uint32_t causes) {
  timer_.cancel();
  armed_ = waiting_ = false;
  causes_ = causes;
  update();
}

}  // namespace longhaul::nic::dp83820
