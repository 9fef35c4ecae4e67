// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/delay_timer.h"

#include <utility>

namespace longhaul::nic {

DelayTimer::DelayTimer(const sc_core::sc_module_name& name, std::function<void()> expired)
    : sc_module(name), expired_(std::move(expired)) {}

void DelayTimer::restart(const sc_core::sc_time& delay) {
  if (delay == sc_core::SC_ZERO_TIME) {
    running_ = false;
    expired_();
    return;
  }
  running_ = true;
  deadline_ = now() + delay;
  end_.set_no_later(to_ps(deadline_));
}

void DelayTimer::due() {
  if (!running_) return;
  if (now() < deadline_) return end_.set(to_ps(deadline_));
  running_ = false;
  expired_();
}

void DelayTimer::start_if_idle(const sc_core::sc_time& delay) {
  if (!running()) restart(delay);
}

}  // namespace longhaul::nic
