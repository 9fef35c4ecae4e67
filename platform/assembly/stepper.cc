// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stepper.h"

#include <algorithm>

#include "models/common/units.h"

namespace longhaul::assembly {
namespace {

/// Sets a flag while a block runs, even if the block throws.
class Raised {
 public:
  explicit Raised(bool& flag) : flag_(flag) { flag_ = true; }
  ~Raised() { flag_ = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  bool& flag_;
};

}  // namespace

Stepper::Watch& Stepper::every(std::uint64_t period_ps, std::function<void()> look) {
  Watch& watch = watches_.emplace_back();
  watch.period_ps_ = period_ps;
  watch.due_ps_ = now_ps() + period_ps;
  watch.look_ = std::move(look);
  return watch;
}

Stepper::Watch& Stepper::each_instant(std::function<void()> look) {
  Watch& watch = watches_.emplace_back();
  watch.look_ = std::move(look);
  return watch;
}

Stepper::Stop Stepper::run(const sc_core::sc_time& duration, const std::function<void()>& between) {
  const Raised raised(running_);
  asked_ = false;
  const std::uint64_t end_ps = now_ps() + to_ps(duration);
  if (!sc_core::sc_start_of_simulation_invoked()) simulation_.advance(sc_core::SC_ZERO_TIME);
  std::uint64_t between_ps = now_ps() + to_ps(slice());
  while (!asked_ && !simulation_.over() && now_ps() < end_ps) {
    const std::uint64_t next_ps = std::min({end_ps, next_due_ps(), between_ps});
    // next_ps is not later than now only if an exception of another watch skipped a turn.
    tell(next_ps > now_ps() && advance(next_ps));
    if (now_ps() < between_ps) continue;
    between();
    between_ps = now_ps() + to_ps(slice());
  }
  if (simulation_.over()) return Stop::kOver;
  return asked_ ? Stop::kAsked : Stop::kTime;
}

bool Stepper::advance(std::uint64_t end_ps) {
  const std::uint64_t left_ps = end_ps - now_ps();
  std::uint64_t next_ps = left_ps;
  if (any_at_instants()) next_ps = std::min(left_ps, to_ps(sc_core::sc_time_to_pending_activity()));
  if (next_ps != 0) simulation_.advance(from_ps(next_ps));
  if (next_ps == left_ps) return false;
  do {
    simulation_.advance(sc_core::SC_ZERO_TIME);
  } while (!simulation_.over() && sc_core::sc_pending_activity_at_current_time());
  return true;
}

void Stepper::tell(bool instant) {
  for (Watch& watch : watches_) {
    const bool due = watch.period_ps_ == 0 ? instant : watch.due_ps_ <= now_ps();
    if (watch.removed_ || !due) continue;
    watch.due_ps_ += watch.period_ps_;
    watch.look_();
  }
  watches_.remove_if([](const Watch& watch) { return watch.removed_; });
}

std::uint64_t Stepper::next_due_ps() const {
  std::uint64_t next = ~std::uint64_t{0};
  for (const Watch& watch : watches_) {
    if (watch.period_ps_ != 0 && !watch.removed_) next = std::min(next, watch.due_ps_);
  }
  return next;
}

bool Stepper::any_at_instants() const {
  return std::any_of(watches_.begin(), watches_.end(),
                     [](const Watch& watch) { return watch.period_ps_ == 0 && !watch.removed_; });
}

}  // namespace longhaul::assembly
