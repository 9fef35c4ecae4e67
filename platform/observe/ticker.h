// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

namespace longhaul::observe {

/// Calls observers at fixed periods of simulated time. A simulation has at most one, so that two
/// tickers cannot keep each other running.
///
/// It changes no result: observers only read, its one SC_METHOD touches no model, and SystemC keeps
/// the order of all other processes. It does not keep the simulation running: when nothing else is
/// pending it stops until wake(), and sc_start() ends as without it.
class Ticker final : public sc_core::sc_module {
 public:
  explicit Ticker(const sc_core::sc_module_name& name);

  /// Calls `observer` at every multiple of `period` (> 0) of simulated time. Call it before the
  /// simulation starts. Observers of one instant are called in the order of these calls.
  void every(const sc_core::sc_time& period, std::function<void()> observer);
  /// Continues after a stop, at the next multiples of the periods. Called by code outside of all
  /// processes that notifies events after sc_start() has ended for lack of activity. Does nothing
  /// while ticking.
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
