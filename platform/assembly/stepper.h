// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <systemc>

#include "platform/assembly/simulation.h"

namespace longhaul::assembly {

/// Runs a simulation in pieces, and lets others look at it in between: at periods, or after each
/// instant in which something happened.
///
/// Whoever looks does so outside of all processes, and may stop the piece. Where it is cut changes
/// nothing of the run: the same events in the same order as in one piece.
class Stepper {
 public:
  enum class Stop { kTime, kAsked, kOver };

  /// Somebody who looks; it stays valid until it is removed.
  class Watch {
   private:
    friend class Stepper;
    std::uint64_t period_ps_ = 0;  // 0: after each instant
    std::uint64_t due_ps_ = 0;
    std::function<void()> look_;
    bool removed_ = false;
  };

  explicit Stepper(Simulation& simulation) : simulation_(simulation) {}

  /// Calls `look` at each period (> 0) from now on, before the events of that time.
  Watch& every(std::uint64_t period_ps, std::function<void()> look);
  /// Calls `look` after every instant in which something happened, with everything of it done.
  /// Costs a look into the calendar an instant.
  Watch& each_instant(std::function<void()> look);
  /// From a look too.
  void remove(Watch& watch) { watch.removed_ = true; }

  /// Lets `duration` pass; less where the run ends before (kOver) or somebody has asked for a stop
  /// (kAsked). `between` is called at least once a slice(). Throws what Simulation::advance() and
  /// those who look throw. Not from a look.
  Stop run(const sc_core::sc_time& duration, const std::function<void()>& between);
  /// From a look, or `between`: this piece ends here.
  void stop() { asked_ = true; }
  bool running() const { return running_; }

  /// Longest simulated time without a call of `between`: traffic of 10 Gb/s takes about a
  /// millisecond of wall time for it.
  static sc_core::sc_time slice() { return {100, sc_core::SC_US}; }

 private:
  /// Up to `end_ps`, its events not included; where somebody looks at instants, to the end of the
  /// next one before (true).
  bool advance(std::uint64_t end_ps);
  void tell(bool instant);
  std::uint64_t next_due_ps() const;
  bool any_at_instants() const;

  Simulation& simulation_;
  std::list<Watch> watches_;
  bool asked_ = false;
  bool running_ = false;
};

}  // namespace longhaul::assembly
