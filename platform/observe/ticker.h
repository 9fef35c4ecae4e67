// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

namespace longhaul::observe {

/// Calls observers at fixed periods of simulated time. A simulation has at most one, so that two
/// cannot keep each other alive.
///
/// It changes no result: observers only read, its one SC_METHOD touches no model, and SystemC keeps
/// the order of all other processes. It does not keep the simulation alive: when nothing else is
/// pending it stops (sc_start() then ends as if it were not there) until wake().
class Ticker final : public sc_core::sc_module {
 public:
  explicit Ticker(const sc_core::sc_module_name& name);

  /// Calls `observer` at every multiple of `period` (> 0) of simulated time; ask before the
  /// simulation starts. Observers of one instant are called in the order in which they asked.
  void every(const sc_core::sc_time& period, std::function<void()> observer);
  /// Goes on after a stop, at the next multiples of the periods: for whoever notifies events from
  /// outside of all processes after sc_start() has ended for want of activity. Does nothing while
  /// ticking.
  void wake();

 private:
  struct Observer {
    std::uint64_t period_ps;
    std::uint64_t due_ps;
    std::function<void()> call;
  };
  void tick_method();
  void arm();

  std::vector<Observer> observers_;
  sc_core::sc_event due_event_{"due_event"};
  bool armed_ = true;  // the first run of the method, at time 0, arms it
};

}  // namespace longhaul::observe
