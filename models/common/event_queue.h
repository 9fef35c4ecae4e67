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

/// A one-shot timer: calls its action at a simulated instant. It stands for an SC_METHOD with one
/// timed event and costs a fifth of it.
///
/// Timers of one instant go off in the order in which they were set. The action must not wait. It
/// may set or cancel its own timer, but must not destroy it.
class Timer final {
 public:
  /// The timer is not set until set() or set_no_later(). May be made during elaboration or later.
  explicit Timer(std::function<void()> action);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Sets the timer to `at_ps`, in place of the time that it was set to. A time in the past means
  /// now; ~0 means never.
  void set(std::uint64_t at_ps);
  /// Like set(), but keeps the time that the timer is set to if that is earlier.
  void set_no_later(std::uint64_t at_ps);
  void cancel();
  bool is_set() const { return at_ps_ != kNever; }
  /// Whether the timer is set to go off at `at_ps` or before.
  bool is_set_by(std::uint64_t at_ps) const { return at_ps_ <= at_ps && is_set(); }

 private:
  friend class EventQueue;
  static constexpr std::uint64_t kNever = ~0ULL;

  std::function<void()> action_;
  EventQueue& event_queue_;
  std::uint64_t at_ps_ = kNever;
};

/// The list of all timers and fibers (fiber.h), beside SystemC's kernel.
///
/// One method process serves all timers and fibers; a SystemC thread that calls pass() serves
/// timers, too. If the kernel has nothing to do before the next timer, the queue goes to that timer
/// at once. Then now_ps() is ahead of the kernel's time. The two times are equal again before
/// anything else runs.
///
/// So all code that a timer or a fiber may reach obeys two rules. It reads the time by now_ps() or
/// now(), and it notifies events of SystemC by notify_in() or notify_now(). It does not write to
/// primitive channels (sc_signal): it notifies a method that does.
///
/// Nothing goes off ahead of the kernel until go_ahead() allows it. A test that reads
/// sc_time_stamp() after sc_start() therefore needs no care.
class EventQueue final {
 public:
  /// The event queue of the simulation. There is one in a process.
  static EventQueue& get();

  /// Lets timers go off ahead of the kernel, at instants before `until_ps`. Called before an
  /// sc_start() that simulates to `until_ps`.
  void go_ahead(std::uint64_t until_ps) { until_ps_ = stays_ ? 0 : until_ps; }
  /// Keeps all timers at the kernel's time from this call on, whatever go_ahead() allows. For a
  /// simulation with modules that read sc_time_stamp(). Results stay the same; the run takes more
  /// of the host's time (models/pcix/README.md#foreign-modules).
  void stay_with_kernel() {
    stays_ = true;
    until_ps_ = 0;
  }
  /// Lets `ps` of time pass, in a fiber or in a thread of SystemC. All that is due in that time,
  /// its end included, happens first. Timers go off on the caller's own stack as long as neither
  /// the kernel nor another fiber has anything to do; this saves changes of stacks.
  void pass(std::uint64_t ps);
  /// Lets time pass until the condition is notified, in a fiber or in a thread of SystemC.
  void pass_until(Condition& condition);
  /// Lets the kernel's time reach the fiber's time, before the fiber ends the simulation. Called in
  /// a fiber only.
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

  // Sorted: the next timer comes last, behind an entry that never comes. Of timers of one instant,
  // the one that was set first comes last. A host has about five timers set, and a new one usually
  // goes off among the next three. So putting one in costs fewer instructions than a heap, and
  // taking the next one nearly none.
  std::vector<Entry> room_ = std::vector<Entry>(64, {Timer::kNever, nullptr});
  Entry* next_ = room_.data();
  std::size_t fibers_ = 0;
  RingBuffer<Fiber*> ready_;
  Fiber* running_ = nullptr;
  std::exception_ptr thrown_;  // of a fiber, or of a timer on a fiber's stack
  std::uint64_t until_ps_ = 0;
  bool stays_ = false;
  detail::TimeValue ahead_ps_ = 0;  // the queue's time while turning_
  bool turning_ = false;
  std::uint64_t armed_ps_ = ~0ULL;
  sc_core::sc_event turn_event_{"event_queue_turn"};
};

}  // namespace longhaul
