// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/chip_timer.h"

#include <utility>

#include "models/common/wide_math.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint64_t kNeverZero = ~std::uint64_t{0};
constexpr std::uint64_t kPsInSecond = 1'000'000'000'000ULL;

}  // namespace

ChipTimer::ChipTimer(RegisterBank& bank, Frequency clock, const Names& names, std::uint32_t offset,
                     const Control& control, Callbacks callbacks)
    : clock_(clock),
      control_(control),
      callbacks_(std::move(callbacks)),
      timer_([this] {
        if (callbacks_.zero) callbacks_.zero();
      }),
      ini_(bank, names.ini, offset, 0, Access::kReadWrite, {}, [this](std::uint32_t) { reload(); }),
      val_(bank, names.val, offset + 4, 0, Access::kReadOnly, [this] { return value_now(); }),
      ctrl_(
          bank, RegisterSpec{names.ctrl, offset + 8, control.fields},
          [this] { return control_now(); },
          [this](std::uint32_t v) {
            ctrl_.set(0);
            control_written(v);
          }) {}

std::uint64_t ChipTimer::length_ps(std::uint64_t clocks) const {
  return times_over(clocks, kPsInSecond, 0, clock_.hz);
}

void ChipTimer::reset() {
  running_ = false;
  stopped_at_ = 0;
  zeros_before_ = 0;
  timer_.cancel();
}

void ChipTimer::control_written(std::uint32_t value) {
  if ((value & control_.stop) != 0) {
    stopped_at_ = value_now();
    zeros_before_ = zeros();
    running_ = false;
    timer_.cancel();
  }
  if ((value & control_.start) != 0) {
    zeros_before_ = zeros();
    running_ = true;
    timer_.cancel();
    load(now_ps());
  }
  if ((value & (control_.start | control_.stop)) != 0 && callbacks_.changed) callbacks_.changed();
  if ((value & control_.clear) != 0 && callbacks_.cleared) callbacks_.cleared();
}

/// Counts INI down from `from_ps` on.
void ChipTimer::load(std::uint64_t from_ps) {
  period_ps_ = length_ps(ini_.value());
  first_ps_ = from_ps + period_ps_;
}

/// INI has changed. The present count ends as it began.
void ChipTimer::reload() {
  if (!running_) return;
  const std::uint64_t next = next_zero_ps();
  if (next == kNeverZero) return load(now_ps());
  zeros_before_ = zeros();
  period_ps_ = length_ps(ini_.value());
  first_ps_ = next;
}

std::uint64_t ChipTimer::next_zero_ps() const {
  if (!running_) return kNeverZero;
  if (now_ps() < first_ps_) return first_ps_;
  if (period_ps_ == 0) return kNeverZero;
  return first_ps_ + ((now_ps() - first_ps_) / period_ps_ + 1) * period_ps_;
}

std::uint64_t ChipTimer::zeros() const {
  if (!running_ || period_ps_ == 0 || now_ps() < first_ps_) return zeros_before_;
  return zeros_before_ + (now_ps() - first_ps_) / period_ps_ + 1;
}

std::uint32_t ChipTimer::value_now() const {
  const std::uint64_t next = next_zero_ps();
  if (next == kNeverZero) return stopped_at_;
  // Rounded up: VAL shows a count until its clock is over.
  return static_cast<std::uint32_t>(
      times_over(next - now_ps(), clock_.hz, kPsInSecond - 1, kPsInSecond));
}

std::uint32_t ChipTimer::control_now() const {
  return (running_ ? control_.start : 0U) | (zeros() % 2 != 0 ? control_.blinks : 0U);
}

}  // namespace longhaul::nic::genesis
