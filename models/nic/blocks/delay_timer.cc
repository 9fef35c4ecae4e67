// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/delay_timer.h"

#include <utility>

namespace longhaul::nic {

DelayTimer::DelayTimer(const sc_core::sc_module_name& name, std::function<void()> expired)
    : sc_module(name), expired_(std::move(expired)) {
  SC_HAS_PROCESS(DelayTimer);
  SC_METHOD(wake_method);
  sensitive << wake_event_;
  dont_initialize();
}

void DelayTimer::restart(const sc_core::sc_time& delay) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (delay == sc_core::SC_ZERO_TIME) {
    running_ = false;
    expired_();
    return;
  }
  running_ = true;
  deadline_ = now + delay;
  if (wake_pending_ && wake_at_ <= deadline_) return;  // the pending wake-up comes first and looks again
  wake_pending_ = true;
  wake_at_ = deadline_;
  wake_event_.cancel();
  wake_event_.notify(delay);
}

void DelayTimer::start_if_idle(const sc_core::sc_time& delay) {
  if (!running_) restart(delay);
}

void DelayTimer::wake_method() {
  wake_pending_ = false;
  if (!running_) return;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (now < deadline_) {
    wake_pending_ = true;
    wake_at_ = deadline_;
    wake_event_.notify(deadline_ - now);
    return;
  }
  running_ = false;
  expired_();
}

}  // namespace longhaul::nic
