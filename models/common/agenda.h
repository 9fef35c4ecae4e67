// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "models/common/units.h"

namespace longhaul {

/// Something that a model is to do at an instant: what an sc_event with an SC_METHOD does, for a tenth of the work.
///
/// Alarms ring in order of time, those of one instant in the order in which they were set. A ring may set and cancel any alarm,
/// its own too; it may not wait. README.md#time says how alarms and SystemC's processes share the time.
class Alarm {
 public:
  /// Create it before the simulation starts, as a member of the module that it belongs to.
  explicit Alarm(std::function<void()> ring);
  ~Alarm() { cancel(); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// To ring once at `at_ps`, which is not in the past, whatever it was set to before.
  void set(std::uint64_t at_ps);
  /// The same, but one that is to ring sooner already keeps its time.
  void set_no_later(std::uint64_t at_ps) {
    if (!pending() || at_ps < at_ps_) set(at_ps);
  }
  void cancel();
  bool pending() const { return place_ != kNowhere; }

 private:
  friend class Agenda;
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  std::function<void()> ring_;
  std::uint64_t at_ps_ = 0;
  std::size_t place_ = kNowhere;  // in the agenda's heap
};

/// All alarms of the simulation. One process of SystemC rings them; up to the limit that run_ahead() sets, it goes on to the
/// next instant by itself as long as nothing that SystemC has is due before it.
class Agenda {
 public:
  /// The simulation's: there is one a process.
  static Agenda& instance();

  /// Allows alarms to ring ahead of SystemC's time up to `until`, where the present sc_start() ends. Initially not at all: then
  /// SystemC's time is now_ps() everywhere, and counters are those of its time whenever sc_start() returns.
  void run_ahead(const sc_core::sc_time& until) { horizon_ps_ = to_ps(until); }
  /// Instants that were reached without SystemC.
  std::uint64_t reached_alone() const { return reached_alone_; }

 private:
  friend class Alarm;
  friend void notify_in(sc_core::sc_event& event, std::uint64_t ps);
  friend void notify_now(sc_core::sc_event& event);
  struct Entry {
    std::uint64_t at_ps;
    std::uint64_t order;
    Alarm* alarm;
    bool before(const Entry& other) const { return at_ps != other.at_ps ? at_ps < other.at_ps : order < other.order; }
  };

  Agenda();
  void ring_method();
  /// Whether SystemC has anything to do up to `at_ps`.
  bool kernel_is_due_by(std::uint64_t at_ps);
  void set(Alarm& alarm, std::uint64_t at_ps);
  void cancel(Alarm& alarm);
  void put(std::size_t place, const Entry& entry) {
    heap_[place] = entry;
    entry.alarm->place_ = place;
  }
  void rise(std::size_t place, const Entry& entry);
  void sink(std::size_t place, const Entry& entry);
  void remove(std::size_t place);
  void wake_kernel();

  std::vector<Entry> heap_;
  std::uint64_t next_order_ = 0;
  std::uint64_t horizon_ps_ = 0;
  std::uint64_t reached_alone_ = 0;
  bool ringing_ = false;
  Alarm* rung_ = nullptr;                // at the top of the heap still, and not set again
  bool kernel_may_have_changed_ = true;  // since kernel_due_ps_ was found out
  std::uint64_t kernel_due_ps_ = 0;
  sc_core::sc_event wake_event_;
};

/// notify() of a SystemC event for code that alarms may call: `ps` after now_ps(), which may be ahead of SystemC's time.
void notify_in(sc_core::sc_event& event, std::uint64_t ps);
/// notify(SC_ZERO_TIME) likewise.
inline void notify_soon(sc_core::sc_event& event) { notify_in(event, 0); }
/// notify() without a delay likewise: at once where SystemC's time is the present.
void notify_now(sc_core::sc_event& event);

}  // namespace longhaul
