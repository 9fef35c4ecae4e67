// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/common/event_queue.h"

namespace sc_core {
class sc_cor;
}

namespace longhaul {

class Condition;

/// A thread of control at a tenth of an SC_THREAD's cost. It gives way only in EventQueue::pass()
/// and pass_until().
///
/// It uses SystemC's coroutines but not its scheduler: the event queue runs fibers between timers.
/// Fibers that are ready at the same instant run in the order in which they became ready, after the
/// timers that are due. A fiber obeys the rules for timers (event_queue.h) and never calls
/// sc_core::wait(). An exception that the body throws comes out of sc_start().
class Fiber final {
 public:
  /// `body` starts at the present instant, or at the start of the simulation. The fiber ends when
  /// `body` returns.
  Fiber(std::function<void()> body, std::size_t stack_bytes);
  /// A fiber must not destroy itself. If it has not ended, its stack is freed as it is, as SystemC
  /// does it: objects on the stack are not destroyed.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The fiber that runs now, or on whose stack a timer's action runs; null outside of fibers.
  static Fiber* current();
  bool done() const { return done_; }

 private:
  friend class EventQueue;
  friend class Condition;

  static void enter(void* fiber);

  std::function<void()> body_;
  const std::size_t stack_bytes_;
  EventQueue& event_queue_;
  Timer wake_;
  Condition* waits_for_ = nullptr;
  std::unique_ptr<sc_core::sc_cor> coroutine_;  // made at the fiber's first turn
  bool done_ = false;
};

/// A condition that fibers and threads of SystemC wait for by EventQueue::pass_until(). It has no
/// memory: a notification without a waiter is lost.
class Condition final {
 public:
  Condition();
  ~Condition();  ///< does not wake fibers that still wait
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  /// Wakes all that wait, at this instant, in the order in which they began to wait.
  void notify();
  /// Notifies `ps` from now. Of two pending notifications the earlier one stands.
  void notify_in(std::uint64_t ps);

 private:
  friend class EventQueue;
  friend class Fiber;

  std::vector<Fiber*> waiting_;
  std::uint32_t threads_ = 0;  // threads of SystemC that wait
  // Wakes those threads. Unnamed, as conditions are also made while the simulation runs.
  sc_core::sc_event event_;
  Timer notification_;
};

}  // namespace longhaul
