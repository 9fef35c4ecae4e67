// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/engine.h"

#include <algorithm>
#include <utility>

namespace longhaul::nic {

Engine::Engine(const sc_core::sc_module_name& name, Frequency clock, std::function<Step()> step)
    : sc_module(name), hz_(clock.hz), step_(std::move(step)) {}

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
    state.enter(last == Step::kDone ? kBusyState : last == Step::kIdle ? kIdleState : kBlockedState);
  }
  if (busy()) wake_alarm_.set_no_later(free_ps_);
}

void Engine::occupy(std::uint64_t clocks_of_1024) {
  constexpr std::uint64_t kSecond = 1'000'000'000'000ULL;
  const std::uint64_t divisor = hz_ * 1024;
  std::uint64_t time = 0;
  if (clocks_of_1024 <= (~0ULL - divisor) / kSecond) {  // 64 bits do, and a division of 128 is a slow one
    time = (clocks_of_1024 * kSecond + divisor / 2) / divisor;
  } else {
    time =
        static_cast<std::uint64_t>((static_cast<unsigned __int128>(clocks_of_1024) * kSecond + divisor / 2) / divisor);
  }
  free_ps_ = std::max(free_ps_, now_ps()) + time;
}

void Engine::reset() {
  wake_alarm_.cancel();
  free_ps_ = 0;
  state.enter(kIdleState);
}

}  // namespace longhaul::nic
