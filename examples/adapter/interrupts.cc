// SPDX-License-Identifier: Apache-2.0
#include "interrupts.h"

#include <utility>

#include "models/common/event_queue.h"
#include "regs.h"

namespace tc9021 {

using namespace regs;  // NOLINT: names of the registers

Interrupts::Interrupts(const sc_core::sc_module_name& name, longhaul::RegisterBank& bank,
                       const sc_core::sc_time& countdown_unit, const AccessCovers& covers,
                       std::function<void(bool level)> drive)
    : sc_module(name),
      unit_(countdown_unit),
      covers_(covers),
      drive_(std::move(drive)),
      timer_("countdown", [this] { post(cause::kIntRequested); }),
      int_(
          bank, kInt, [this] { return enabled_ | status() << 16; },
          [this](std::uint32_t value) { written(value); }),
      ack_(bank, kIntStatusAck, this, &Interrupts::acknowledge),
      countdown_(bank, kCountdown, this, &Interrupts::countdown_now,
                 &Interrupts::countdown_written) {}

std::uint32_t Interrupts::status() const {
  return causes_ | ((causes_ & enabled_) != 0 ? cause::kInterruptStatus : 0U);
}

void Interrupts::post(std::uint32_t causes) {
  causes_ |= causes;
  update();
}

std::uint32_t Interrupts::acknowledge() {
  const std::uint32_t found = status();
  if (covers_(kIntStatusAck + 2)) {
    causes_ = 0;
    enabled_ = 0;
    int_.set(0);
    update();
  }
  return found << 16;
}

/// The lower half keeps its value in the register; the upper one keeps none, so that a write to
/// the lower half alone clears no cause.
void Interrupts::written(std::uint32_t value) {
  enabled_ = value & cause::kAll;
  causes_ &= ~(value >> 16);
  int_.set(enabled_);
  update();
}

std::uint32_t Interrupts::countdown_now() const {
  const std::uint32_t modes = countdown_.value() & ~kCount;
  if (!timer_.running()) return modes;
  const sc_core::sc_time left = timer_.deadline() - longhaul::now();
  return modes | (static_cast<std::uint32_t>(left / unit_) & kCount);
}

void Interrupts::countdown_written(std::uint32_t value) {
  if (!covers_(kCountdown)) return;
  const std::uint32_t count = value & kCount;
  if (count == 0) {
    timer_.cancel();
  } else {
    timer_.restart(unit_ * count);
  }
}

void Interrupts::update() {
  const bool level = (causes_ & enabled_) != 0;
  if (level == level_) return;
  level_ = level;
  if (!level && causes_ != 0) withdrawn.add();
  drive_(level);
}

void Interrupts::reset() {
  timer_.cancel();
  causes_ = 0;
  enabled_ = 0;
  update();
}

}  // namespace tc9021
