// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/sge_control.h"

namespace longhaul::nic::terminator {

SgeControl::SgeControl(RegisterBank& bank, Calls calls)
    : calls_(std::move(calls)),
      control_(bank, regs::kSgControl, calls_.controlled),
      doorbell_(bank, regs::kSgDoorbell, calls_.rung),
      enable_(bank, regs::kSgIntEnable, calls_.causes_changed),
      cause_(
          bank, regs::kSgIntCause, [this] { return causes_; },
          [this](std::uint32_t value) { cause_written(value); }) {}

void SgeControl::post(std::uint32_t causes) {
  if ((causes & ~causes_) == 0) return;
  causes_ |= causes;
  calls_.causes_changed();
}

void SgeControl::cause_written(std::uint32_t value) {
  causes_ &= ~value;
  calls_.causes_changed();
}

}  // namespace longhaul::nic::terminator
