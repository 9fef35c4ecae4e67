// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/ticker.h"

#include <algorithm>
#include <utility>

#include "models/common/units.h"

namespace longhaul::observe {

Ticker::Ticker(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_HAS_PROCESS(Ticker);
  SC_METHOD(tick_method);
  sensitive << due_event_;
}

void Ticker::every(const sc_core::sc_time& period, std::function<void()> observer) {
  sc_assert(period != sc_core::SC_ZERO_TIME);
  observers_.push_back({to_ps(period), to_ps(period), std::move(observer)});
}

void Ticker::wake() {
  if (armed_) return;
  for (Observer& observer : observers_) {
    observer.due_ps = (now_ps() / observer.period_ps + 1) * observer.period_ps;
  }
  arm();
}

void Ticker::tick_method() {
  const std::uint64_t now = now_ps();
  for (Observer& observer : observers_) {
    if (observer.due_ps != now) continue;
    observer.due_ps += observer.period_ps;
    observer.call();
  }
  // The ticker's own event has just fired. Any pending activity belongs to other parts.
  armed_ = sc_core::sc_pending_activity();
  if (armed_) arm();
}

void Ticker::arm() {
  armed_ = true;
  if (observers_.empty()) return;
  const auto next =
      std::min_element(observers_.begin(), observers_.end(),
                       [](const Observer& a, const Observer& b) { return a.due_ps < b.due_ps; });
  due_event_.notify(from_ps(next->due_ps - now_ps()));
}

}  // namespace longhaul::observe
