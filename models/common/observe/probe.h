// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/units.h"

namespace longhaul::observe {

/// The base of all that can be watched in a model. A probe is an object of SystemC's hierarchy, so
/// its full name tells its place; it has a unit and one line of description. Sinks find probes by
/// walking the hierarchy (see ProbeWalk). Models do not know who watches.
class Probe : public sc_core::sc_object {
 public:
  Probe(const char* name, const char* unit, const char* description)
      : sc_core::sc_object(name), unit_(unit), description_(description) {}
  const char* kind() const override { return "probe"; }
  const char* unit() const { return unit_; }
  const char* description() const { return description_; }

 private:
  const char* unit_;
  const char* description_;
};

/// The listeners of a probe, in the order in which they were added.
template <class Listener>
class Listeners {
 public:
  bool any() const { return !all_.empty(); }
  void add(Listener* listener) { all_.push_back(listener); }
  void remove(Listener* listener) {
    all_.erase(std::remove(all_.begin(), all_.end(), listener), all_.end());
  }
  template <class Tell>
  void tell(Tell&& tell_one) const {
    for (std::size_t i = 0; i < all_.size();) {
      Listener* const told = all_[i];
      tell_one(*told);
      if (i < all_.size() && all_[i] == told) ++i;  // else a listener up to this one was removed
    }
  }

 private:
  std::vector<Listener*> all_;
};

/// A count that only grows (packets, bytes, interrupts). Sinks sample it. Counting costs one
/// addition.
class Counter final : public Probe {
 public:
  using Probe::Probe;
  /// A count that its model keeps elsewhere, for example in registers of a chip. `read` fetches it
  /// whenever a sink looks, and must change nothing that a model can see. add() is not called on
  /// such a counter.
  Counter(const char* name, const char* unit, const char* description,
          std::function<std::uint64_t()> read)
      : Probe(name, unit, description), read_(std::move(read)) {}
  void add(std::uint64_t n = 1) { value_ += n; }
  std::uint64_t value() const { return read_ ? read_() : value_; }

 private:
  std::uint64_t value_ = 0;
  std::function<std::uint64_t()> read_;
};

/// A quantity that rises and falls and that its model keeps elsewhere (a congestion window). `read`
/// fetches it whenever a sink looks, and must change nothing that a model can see. Costs nothing
/// while no sink looks.
class Gauge final : public Probe {
 public:
  Gauge(const char* name, const char* unit, const char* description,
        std::function<std::uint64_t()> read)
      : Probe(name, unit, description), read_(std::move(read)) {}
  std::uint64_t value() const { return read_(); }

 private:
  std::function<std::uint64_t()> read_;
};

/// Receives every change of a Signal or a Level.
class ValueListener {
 public:
  virtual ~ValueListener() = default;
  virtual void on_value(const Probe& probe, std::uint64_t value) = 0;
};

/// A value for waves that no summary counts: the head of a descriptor ring, the level of a
/// line, an index, a mode. A change costs a comparison and one branch while no sink listens.
class Signal final : public Probe {
 public:
  /// `width` is in bits, 1 to 64.
  Signal(const char* name, std::uint32_t width, const char* description)
      : Probe(name, "1", description), width_(width) {}
  /// A signal whose values 0, 1 and so on have these names.
  Signal(const char* name, const char* description, std::vector<std::string> states)
      : Probe(name, "1", description), states_(std::move(states)) {
    while (states_.size() > std::size_t{1} << width_) ++width_;
  }
  std::uint32_t width() const { return width_; }
  const std::vector<std::string>& states() const { return states_; }  ///< empty: plain numbers
  std::uint64_t value() const { return value_; }
  void set(std::uint64_t value) {
    if (value == value_) return;
    value_ = value;
    if (listeners_.any())
      listeners_.tell([&](ValueListener& listener) { listener.on_value(*this, value); });
  }
  void listen(ValueListener* listener) { listeners_.add(listener); }
  void ignore(ValueListener* listener) { listeners_.remove(listener); }

 private:
  std::uint32_t width_ = 1;
  const std::vector<std::string> states_;
  std::uint64_t value_ = 0;
  Listeners<ValueListener> listeners_;
};

/// A quantity that rises and falls (FIFO fill, outstanding reads). Keeps its present value, its
/// highest value and its integral over time.
class Level final : public Probe {
 public:
  /// Value times picoseconds, exact.
  using Integral = unsigned __int128;

  using Probe::Probe;
  void set(std::uint64_t value) {
    const std::uint64_t now = now_ps();
    integral_ += Integral{value_} * (now - since_ps_);
    since_ps_ = now;
    value_ = value;
    if (value > highest_) highest_ = value;
    if (listeners_.any())
      listeners_.tell([&](ValueListener& listener) { listener.on_value(*this, value); });
  }
  void add(std::int64_t n) { set(value_ + static_cast<std::uint64_t>(n)); }
  std::uint64_t value() const { return value_; }
  /// The highest value since the last restart_highest(), or since construction.
  std::uint64_t highest() const { return highest_; }
  /// Makes highest() start from the present value, at the beginning of a measured window.
  void restart_highest() { highest_ = value_; }
  /// The integral of the value over time up to now. The difference of two integrals, divided by the
  /// time between them, is the mean.
  Integral integral() const { return integral_ + Integral{value_} * (now_ps() - since_ps_); }
  /// integral() as a double, for rough use.
  double integral_ps() const { return static_cast<double>(integral()); }
  void listen(ValueListener* listener) { listeners_.add(listener); }
  void ignore(ValueListener* listener) { listeners_.remove(listener); }

 private:
  Listeners<ValueListener> listeners_;
  std::uint64_t value_ = 0;
  std::uint64_t highest_ = 0;
  std::uint64_t since_ps_ = now_ps();
  Integral integral_ = 0;
};

/// Time spent in each of a few named states (a core: idle, user, system, ...; a bus: idle, data,
/// overhead).
///
/// The times of all states always sum to the time since construction, whatever is credited.
class StateClock final : public Probe {
 public:
  StateClock(const char* name, const char* description, std::vector<std::string> states)
      : Probe(name, "ps", description),
        states_(std::move(states)),
        spent_ps_(states_.size(), 0),
        owed_ps_(states_.size(), 0) {}
  /// Enters `state` now.
  void enter(std::size_t state) {
    settle();
    state_ = state;
  }
  /// Adds `ps` to the time of `state` without entering it, for work that is accounted after or
  /// before it took place. The time is taken from the present state, back to the instant at which
  /// that was entered. The remainder is taken from the time that follows, before any later state
  /// gets its own. Credit the work of a state before leaving that state.
  void credit(std::size_t state, std::uint64_t ps) {
    owed_ps_[state] += ps;
    owed_total_ps_ += ps;
  }
  std::size_t state() const { return state_; }
  const std::vector<std::string>& states() const { return states_; }
  /// Time spent in `state` up to now, in picoseconds. A late credit may lower the time of the
  /// present state, so the difference of two readings is signed.
  std::uint64_t spent_ps(std::size_t state) const {
    std::uint64_t left = now_ps() - since_ps_;
    std::uint64_t spent = spent_ps_[state];
    for (std::size_t i = 0; owed_total_ps_ != 0 && i < owed_ps_.size(); ++i) {
      const std::uint64_t paid = std::min(owed_ps_[i], left);
      left -= paid;
      if (i == state) spent += paid;
    }
    return state == state_ ? spent + left : spent;
  }

 private:
  void settle() {
    const std::uint64_t now = now_ps();
    std::uint64_t left = now - since_ps_;
    since_ps_ = now;
    if (owed_total_ps_ != 0) {
      for (std::size_t i = 0; i < owed_ps_.size(); ++i) {
        const std::uint64_t paid = std::min(owed_ps_[i], left);
        spent_ps_[i] += paid;
        owed_ps_[i] -= paid;
        owed_total_ps_ -= paid;
        left -= paid;
      }
    }
    spent_ps_[state_] += left;
  }
  std::vector<std::string> states_;
  std::vector<std::uint64_t> spent_ps_;
  std::vector<std::uint64_t> owed_ps_;  // credited, not yet taken from elapsed time
  std::uint64_t owed_total_ps_ = 0;
  std::size_t state_ = 0;
  std::uint64_t since_ps_ = now_ps();
};

class SpanTap;

/// Receives the spans of a SpanTap.
class SpanListener {
 public:
  virtual ~SpanListener() = default;
  /// One span of time. `label` is static text. The tap's description gives the meaning of the two
  /// numbers.
  virtual void on_span(const SpanTap& tap, std::uint64_t start_ps, std::uint64_t end_ps,
                       const char* label, std::uint64_t arg0, std::uint64_t arg1) = 0;
};

/// A track of activities with a beginning and an end (bus transactions, interrupts, softirqs, core
/// states). Costs one branch while no sink listens.
class SpanTap final : public Probe {
 public:
  SpanTap(const char* name, const char* description) : Probe(name, "span", description) {}
  bool active() const { return listeners_.any(); }
  void listen(SpanListener* listener) { listeners_.add(listener); }
  void ignore(SpanListener* listener) { listeners_.remove(listener); }
  void report(std::uint64_t start_ps, std::uint64_t end_ps, const char* label,
              std::uint64_t arg0 = 0, std::uint64_t arg1 = 0) {
    if (!listeners_.any()) return;
    listeners_.tell([&](SpanListener& listener) {
      listener.on_span(*this, start_ps, end_ps, label, arg0, arg1);
    });
  }

 private:
  Listeners<SpanListener> listeners_;
};

}  // namespace longhaul::observe
