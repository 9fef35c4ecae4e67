// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "models/common/units.h"

namespace longhaul {

class Agenda;

/// An instant at which something is done: what a method process with one timed event is in SystemC, at a fifth of its cost.
///
/// Alarms of one instant go off in the order in which they were set. An alarm may be set or cancelled from its own action, which
/// runs as a method does: it never waits. Not to be destroyed by its own action.
class Alarm final {
 public:
  /// Never set until set() or set_no_later(). Made during elaboration or later.
  explicit Alarm(std::function<void()> action);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Goes off at `at_ps`, now at the earliest, and at no other time that it was set to; at ~0 never.
  void set(std::uint64_t at_ps);
  /// The same, but an earlier time to which it is set stands.
  void set_no_later(std::uint64_t at_ps);
  void cancel();
  bool is_set() const { return at_ps_ != kNever; }
  /// Whether it goes off by then.
  bool is_set_by(std::uint64_t at_ps) const { return at_ps_ <= at_ps && is_set(); }

 private:
  friend class Agenda;
  static constexpr std::uint64_t kNever = ~0ULL;

  std::function<void()> action_;
  Agenda& agenda_;
  std::uint64_t at_ps_ = kNever;
};

/// When alarms go off, in a list of their own beside SystemC's kernel.
///
/// A single method process serves all alarms, and so do threads that let time pass(). Where the kernel has nothing to do before
/// the next alarm, they go on to it at once: time (now_ps()) is ahead of the kernel's then, and is the kernel's again before
/// anything else runs. So whatever an alarm's action may reach asks now_ps() and now(), and notifies SystemC's events by
/// notify_in() and notify_now(). Actions do not write to primitive channels (sc_signal): they notify a method that does. Nothing
/// goes off ahead of the kernel until go_ahead() allows it, so a test that reads sc_time_stamp() after sc_start() need not know
/// of this.
class Agenda final {
 public:
  /// That of the simulation: there is one in a process.
  static Agenda& get();

  /// Lets alarms go off ahead of the kernel before `until_ps`, to which sc_start() is about to simulate.
  void go_ahead(std::uint64_t until_ps) { until_ps_ = until_ps; }
  /// sc_core::wait() for a thread, which itself sees to the alarms that go off before the kernel has anything else to do: that saves
  /// the kernel a process. Their actions run on its stack. A thread that `may_stay_ahead` is not even suspended if the kernel has
  /// nothing to do all that time: it goes on ahead of the kernel, bound to what an alarm's action is bound to, waits only by
  /// these two, and ends with rejoin() or catch_up().
  void pass(std::uint64_t ps, bool may_stay_ahead = false);
  /// The same until an event is notified, which the alarms may do by notify_in() and notify_now().
  void pass_until(const sc_core::sc_event& event);
  /// The thread that calls has nothing more to do.
  void rejoin();
  /// Lets the kernel come to where the thread that calls is.
  void catch_up();

 private:
  friend class Alarm;
  struct Entry {
    std::uint64_t at_ps;
    Alarm* alarm;
  };
  static bool is_later(const Entry& entry, std::uint64_t at_ps) { return entry.at_ps > at_ps; }
  static constexpr std::ptrdiff_t kNear = 16;
  class Turn;

  Agenda();
  void turn();
  void go_on(std::uint64_t end_ps);
  void go_on_from_thread(std::uint64_t end_ps);
  bool may_go_to(std::uint64_t at_ps) const;
  bool set_out(std::uint64_t end_ps, bool may_stay_ahead);
  void take_over();
  void hand_back();
  void ring_due(std::uint64_t now);
  void set(Alarm& alarm, std::uint64_t at_ps);
  void cancel(Alarm& alarm);
  void put_in(Entry entry);
  void arm();
  std::uint64_t next_ps() const { return entries_.back().at_ps; }

  // The next one last; of one instant, the one that was set last comes first. A host has five alarms set, and a new one goes off
  // among the next three as a rule: putting it in costs fewer instructions than a heap, and taking the next one nearly none.
  std::vector<Entry> entries_;
  std::uint64_t until_ps_ = 0;
  bool turning_ = false;
  bool thread_turns_ = false;  // a thread sees to the alarms
  std::uint64_t armed_ps_ = ~0ULL;
  sc_core::sc_event turn_event_{"agenda_turn"};
};

}  // namespace longhaul
