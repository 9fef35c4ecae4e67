// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <systemc>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/common/units.h"

namespace longhaul {

class EventQueue;
class Condition;
class Fiber;

/// An instant at which something is done: what a method process with one timed event is in SystemC,
/// at a fifth of its cost.
///
/// Timers of one instant go off in the order in which they were set. A timer may be set or
/// cancelled from its own action, which runs as a method does: it never waits. Not to be destroyed
/// by its own action.
class Timer final {
 public:
  /// Never set until set() or set_no_later(). Made during elaboration or later.
  explicit Timer(std::function<void()> action);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Goes off at `at_ps`, now at the earliest, and at no other time that it was set to; at ~0
  /// never.
  void set(std::uint64_t at_ps);
  /// The same, but an earlier time to which it is set stands.
  void set_no_later(std::uint64_t at_ps);
  void cancel();
  bool is_set() const { return at_ps_ != kNever; }
  /// Whether it goes off by then.
  bool is_set_by(std::uint64_t at_ps) const { return at_ps_ <= at_ps && is_set(); }

 private:
  friend class EventQueue;
  static constexpr std::uint64_t kNever = ~0ULL;

  std::function<void()> action_;
  EventQueue& event_queue_;
  std::uint64_t at_ps_ = kNever;
};

/// When timers go off, in a list of their own beside SystemC's kernel, and fibers (fiber.h) between
/// them.
///
/// A single method process serves all timers and fibers, and so do SystemC's threads that let time
/// pass(). Where the kernel has nothing to do before the next timer, they go on to it at once: time
/// (now_ps()) is ahead of the kernel's then, and is the kernel's again before anything else runs.
/// So whatever a timer's action or a fiber may reach asks now_ps() and now(), and notifies
/// SystemC's events by notify_in() and notify_now(). Neither writes to primitive channels
/// (sc_signal): they notify a method that does. Nothing goes off ahead of the kernel until
/// go_ahead() allows it, so a test that reads sc_time_stamp() after sc_start() need not know of
/// this.
class EventQueue final {
 public:
  /// That of the simulation: there is one in a process.
  static EventQueue& get();

  /// Lets timers go off ahead of the kernel before `until_ps`, to which sc_start() is about to
  /// simulate.
  void go_ahead(std::uint64_t until_ps) { until_ps_ = stays_ ? 0 : until_ps; }
  /// From now on nothing goes off ahead of the kernel, whatever go_ahead() allows: for a simulation
  /// with modules that read sc_time_stamp(). A run computes the same, and takes more of the host's
  /// time (models/pcix/README.md#foreign-modules).
  void stay_with_kernel() {
    stays_ = true;
    until_ps_ = 0;
  }
  /// A fiber, or a thread of SystemC's, lets so much time pass; what is due meanwhile, also at its
  /// end, comes first. The timers go off on its own stack as long as neither the kernel nor another
  /// fiber has anything to do, which saves changing stacks.
  void pass(std::uint64_t ps);
  /// The same until the condition is notified.
  void pass_until(Condition& condition);
  /// In a fiber: lets the kernel come to where the fiber is, before something that ends the
  /// simulation.
  void catch_up();

 private:
  friend class Timer;
  friend class Fiber;
  friend class Condition;
  struct Entry {
    std::uint64_t at_ps;
    Timer* timer;
  };
  static bool is_later(const Entry& entry, std::uint64_t at_ps) { return entry.at_ps > at_ps; }
  static constexpr int kNear = 16;
  class Turn;

  EventQueue();
  void turn();
  void take_over();
  void hand_back();
  bool may_go_to(std::uint64_t at_ps) const;
  bool timer_is_next(std::uint64_t end_ps) const;
  void go_on(std::uint64_t end_ps);
  void ring_due(std::uint64_t now);
  bool thread_may_take_over(std::uint64_t end_ps) const;
  void go_on_in_thread(std::uint64_t end_ps);

  void make_ready(Fiber& fiber);
  void forget(Fiber& fiber);
  void go_on_in_fiber(std::uint64_t end_ps);
  void give_way(Fiber& fiber);
  void leave(std::exception_ptr thrown);
  void switch_to(Fiber* next);

  void set(Timer& timer, std::uint64_t at_ps);
  void cancel(Timer& timer);
  void put_in(Entry entry);
  void put_in_far(Entry* place, Entry entry);
  void make_room();
  void arm();
  std::uint64_t next_ps() const { return next_->at_ps; }

  // The next one last, behind one that never comes; of one instant, the one that was set last comes
  // first. A host has five timers set, and a new one goes off among the next three as a rule:
  // putting it in costs fewer instructions than a heap, and taking the next one nearly none.
  std::vector<Entry> room_ = std::vector<Entry>(64, {Timer::kNever, nullptr});
  Entry* next_ = room_.data();
  std::size_t fibers_ = 0;
  RingBuffer<Fiber*> ready_;
  Fiber* running_ = nullptr;
  std::exception_ptr thrown_;  // in a fiber, or by a timer on its stack
  std::uint64_t until_ps_ = 0;
  bool stays_ = false;
  detail::TimeValue ahead_ps_ = 0;  // the time while it is turning
  bool turning_ = false;
  std::uint64_t armed_ps_ = ~0ULL;
  sc_core::sc_event turn_event_{"event_queue_turn"};
};

}  // namespace longhaul
