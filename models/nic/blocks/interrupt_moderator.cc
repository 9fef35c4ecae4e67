// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/interrupt_moderator.h"

#include <utility>

#include "models/common/units.h"

namespace longhaul::nic {

InterruptModerator::InterruptModerator(const sc_core::sc_module_name& name,
                                       std::function<void(bool level)> drive)
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
  const bool was_high = level_;
  mask_ &= ~causes;
  update();
  if (was_high && !level_) withdrawn.add();
}

void InterruptModerator::reset() {
  causes_ = 0;
  mask_ = 0;
  gap_ps_ = 0;
  rose_once_ = false;
  update();
}

void InterruptModerator::set_gap(const sc_core::sc_time& gap) {
  gap_ps_ = to_ps(gap);
  update();
}

void InterruptModerator::update() {
  const bool level = (causes_ & mask_) != 0;
  if (level == level_) {
    waiting_ = false;
    return;
  }
  if (level && rose_once_ && now_ps() < rose_ps_ + gap_ps_) {
    if (!waiting_) held_back.add();
    waiting_ = true;
    gap_over_.set(rose_ps_ + gap_ps_);
    return;
  }
  waiting_ = false;
  level_ = level;
  request.set(level ? 1 : 0);
  if (level) {
    raised.add();
    rose_once_ = true;
    rose_ps_ = now_ps();
    rose_causes_ = causes_;
  } else {
    spans.report(rose_ps_, now_ps(), "interrupt", rose_causes_, mask_);
  }
  drive_(level);
}

}  // namespace longhaul::nic
