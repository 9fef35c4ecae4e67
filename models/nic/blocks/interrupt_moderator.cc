// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/interrupt_moderator.h"

#include <utility>

#include "models/common/units.h"

namespace longhaul::nic {

InterruptModerator::InterruptModerator(const sc_core::sc_module_name& name, std::function<void(bool level)> drive)
    : sc_module(name), drive_(std::move(drive)) {}

void InterruptModerator::post(std::uint32_t causes) {
  causes_ |= causes;
  update();
}

std::uint32_t InterruptModerator::take() {
  const std::uint32_t taken = causes_;
  causes_ = 0;
  update();
  return taken;
}

void InterruptModerator::acknowledge(std::uint32_t causes) {
  causes_ &= ~causes;
  update();
}

void InterruptModerator::enable(std::uint32_t causes) {
  mask_ |= causes;
  update();
}

void InterruptModerator::disable(std::uint32_t causes) {
  mask_ &= ~causes;
  update();
}

void InterruptModerator::reset() {
  causes_ = 0;
  mask_ = 0;
  update();
}

void InterruptModerator::update() {
  const bool level = (causes_ & mask_) != 0;
  if (level == level_) return;
  level_ = level;
  request.set(level ? 1 : 0);
  if (level) {
    raised.add();
    rose_ps_ = now_ps();
    rose_causes_ = causes_;
  } else {
    spans.report(rose_ps_, now_ps(), "interrupt", rose_causes_, mask_);
  }
  drive_(level);
}

}  // namespace longhaul::nic
