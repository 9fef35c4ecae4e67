// SPDX-License-Identifier: Apache-2.0
#include "models/common/engine.h"

#include <algorithm>
#include <utility>

#include "models/common/wide_math.h"

namespace longhaul {

Engine::Engine(const sc_core::sc_module_name& name, Frequency clock, std::function<Step()> step)
    : sc_module(name), hz_times_1024_(clock.hz * 1024), step_(std::move(step)) {}

void Engine::kick() {
  if (working_) {
    again_ = true;
    return;
  }
  if (!busy()) {
    Step last = Step::kDone;
    working_ = true;
    do {
      again_ = false;
      do last = step_();
      while (last == Step::kDone && !busy());
    } while (again_ && !busy());
    working_ = false;
    state.enter(last == Step::kDone   ? kBusyState
                : last == Step::kIdle ? kIdleState
                                      : kBlockedState);
  }
  if (busy()) wake_.set_no_later(free_ps_);
}

void Engine::occupy(std::uint64_t clocks_of_1024) {
  free_ps_ = std::max(free_ps_, now_ps()) + times_over(clocks_of_1024, 1'000'000'000'000ULL,
                                                       hz_times_1024_.value() / 2, hz_times_1024_);
}

void Engine::reset() {
  wake_.cancel();
  free_ps_ = 0;
  state.enter(kIdleState);
}

}  // namespace longhaul
