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

/// A thread of control that gives way by EventQueue::pass() and pass_until() only: what an
/// SC_THREAD is, at a tenth of its cost, since it takes its turns between the timers, with
/// SystemC's coroutines but without its scheduler.
///
/// Fibers that are ready at the same instant run in the order in which they became so, after the
/// timers that are due. A fiber is bound to what a timer's action is bound to (event_queue.h), and
/// never calls sc_core::wait(). What it throws comes out of sc_start().
class Fiber final {
 public:
  /// `body` runs from the present instant on, or from the start of the simulation; the fiber ends
  /// when it returns.
  Fiber(std::function<void()> body, std::size_t stack_bytes);
  /// Not by itself. The stack of one that has not ended is given back as it is, as SystemC does:
  /// nothing on it is destroyed.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The one whose body, or a timer's action on its stack, is being executed; null outside of
  /// fibers.
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
  std::unique_ptr<sc_core::sc_cor> coroutine_;  // from its first turn on
  bool done_ = false;
};

/// What fibers, and SystemC's threads, wait for with EventQueue::pass_until(). It has no memory:
/// who does not wait misses it.
class Condition final {
 public:
  Condition();
  ~Condition();  ///< whoever still waits is not woken
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  /// Whoever waits goes on at this instant, in the order of their coming.
  void notify();
  /// The same `ps` from now; an earlier notification that is on its way stands, a later one does
  /// not.
  void notify_in(std::uint64_t ps);

 private:
  friend class EventQueue;
  friend class Fiber;

  std::vector<Fiber*> waiting_;
  std::uint32_t threads_ = 0;  // of SystemC's that wait
  sc_core::sc_event
      event_;  // for those; unnamed: conditions are also made while the simulation runs
  Timer notification_;
};

}  // namespace longhaul
