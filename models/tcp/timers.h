// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/tcp/environment.h"

namespace longhaul::tcp {

/// When a timer of `duration` that is started at `now` fires, in a system that looks at its timers
/// every `tick`. It fires at the tick that comes ceil(duration / tick) ticks after the last one, up
/// to one tick early. With a tick of 0 it fires exactly at `now + duration`.
constexpr std::uint64_t fires_at(std::uint64_t now, std::uint64_t duration, std::uint64_t tick) {
  return tick == 0 ? now + duration : (now / tick + (duration + tick - 1) / tick) * tick;
}

/// Deadlines of a connection's timers, with few wake-ups of the environment.
///
/// Moving a deadline further away costs nothing: the earlier wake-up finds that it is too early and
/// requests another one.
class Timers {
 public:
  explicit Timers(Environment& environment) : environment_(environment) {}

  /// Sets the deadline of `timer`, in place of an earlier one.
  void set(Timer timer, std::uint64_t at) {
    Slot& slot = slots_[index(timer)];
    slot.deadline = at;
    if (slot.woken_at <= at) return;
    slot.woken_at = at;
    environment_.wake(timer, at);
  }
  void cancel(Timer timer) { slots_[index(timer)].deadline = kNever; }
  void cancel_all() {
    for (Slot& slot : slots_) slot.deadline = kNever;
  }
  bool running(Timer timer) const { return slots_[index(timer)].deadline != kNever; }
  std::uint64_t deadline(Timer timer) const { return slots_[index(timer)].deadline; }

  /// The environment woke this timer. Returns true, and stops the timer, if it is due.
  bool expired(Timer timer) {
    Slot& slot = slots_[index(timer)];
    const std::uint64_t now = environment_.now();
    if (now >= slot.woken_at) slot.woken_at = kNever;
    if (slot.deadline == kNever) return false;
    if (now >= slot.deadline) {
      slot.deadline = kNever;
      return true;
    }
    if (slot.deadline < slot.woken_at) {
      slot.woken_at = slot.deadline;
      environment_.wake(timer, slot.deadline);
    }
    return false;
  }

 private:
  static constexpr std::uint64_t kNever = ~0ULL;
  struct Slot {
    std::uint64_t deadline = kNever;
    std::uint64_t woken_at = kNever;  // the wake-up that was requested of the environment
  };
  static constexpr std::size_t index(Timer timer) { return static_cast<std::size_t>(timer); }

  Environment& environment_;
  std::array<Slot, kTimerKinds> slots_{};
};

}  // namespace longhaul::tcp
