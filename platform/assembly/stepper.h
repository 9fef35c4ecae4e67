// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <systemc>

#include "platform/assembly/simulation.h"

namespace longhaul::assembly {

/// Runs a simulation in pieces, with callbacks between them: at periods, or after each instant with
/// activity.
///
/// Callbacks run outside of all processes, and may stop the piece. Cutting the run into pieces
/// changes nothing: the events and their order are those of one piece.
class Stepper {
 public:
  enum class Stop { kTime, kAsked, kOver };

  /// A registered callback; valid until it is removed.
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
  /// Calls `look` after every instant with activity, when all of it is done. Costs a look into
  /// SystemC's event list for each instant.
  Watch& each_instant(std::function<void()> look);
  /// May also be called from a callback.
  void remove(Watch& watch) { watch.removed_ = true; }

  /// Lets `duration` pass, or less if the run ends before (kOver) or a stop was requested (kAsked).
  /// `between` is called at least once a slice(). Throws the exceptions of Simulation::advance()
  /// and of the callbacks. Must not be called from a callback.
  Stop run(const sc_core::sc_time& duration, const std::function<void()>& between);
  /// Called from a callback or `between`: ends this piece.
  void stop() { asked_ = true; }
  bool running() const { return running_; }

  /// Longest simulated time without a call of `between`. Traffic of 10 Gb/s takes about a
  /// millisecond of wall time for it.
  static sc_core::sc_time slice() { return {100, sc_core::SC_US}; }

 private:
  /// Advances to `end_ps`, without its events. With callbacks at each instant, only to the end of
  /// the next instant before that (returns true).
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
