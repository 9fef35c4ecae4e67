// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pl_interrupts.h"

#include <utility>

#include "models/common/units.h"

namespace longhaul::nic::terminator {

PlInterrupts::PlInterrupts(const sc_core::sc_module_name& name, RegisterBank& bank,
                           std::function<std::uint32_t()> parts, Drive drive)
    : sc_module(name),
      parts_(std::move(parts)),
      drive_(std::move(drive)),
      enable_(bank, regs::kPlEnable, this, &PlInterrupts::enable_written),
      cause_(bank, regs::kPlCause, this, &PlInterrupts::causes, &PlInterrupts::cause_written) {}

std::uint32_t PlInterrupts::causes() const {
  return parts_() | (data_ ? regs::kPlIntrFields.pl_intr_sge_data : 0U);
}

void PlInterrupts::data_ready() {
  data_ = true;
  settle(false);
}

void PlInterrupts::update() { settle(false); }

void PlInterrupts::cause_written(std::uint32_t value) {
  if ((value & regs::kPlIntrFields.pl_intr_sge_data) != 0) data_ = false;
  settle(true);
}

void PlInterrupts::enable_written() {
  const bool was_high = last_ != 0;
  settle(true);
  if (was_high && last_ == 0) withdrawn.add();
}

void PlInterrupts::reset() {
  data_ = false;
  settle(false);
}

void PlInterrupts::settle(bool written) {
  const std::uint32_t bits = causes() & enable_.value();
  const bool message = written ? bits != 0 : (bits & ~last_) != 0;
  const bool rises = bits != 0 && last_ == 0;
  const bool falls = bits == 0 && last_ != 0;
  last_ = bits;
  if (rises) {
    raised.add();
    request.set(1);
    rose_ps_ = now_ps();
    rose_causes_ = bits;
  } else if (falls) {
    request.set(0);
    spans.report(rose_ps_, now_ps(), "interrupt", rose_causes_, enable_.value());
  }
  if (rises || falls || message) drive_(bits != 0, message);
}

}  // namespace longhaul::nic::terminator
