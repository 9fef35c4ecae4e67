// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/divisor.h"
#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"

namespace longhaul {

/// The result of a step of an engine.
enum class Step {
  kDone,     ///< did some work, which may have taken the engine's time; call again
  kIdle,     ///< there is no work
  kBlocked,  ///< there is work, but it waits for a bus, a buffer or a ring
};

/// A serial engine of a chip. It does one piece of work after the other; each occupies the
/// engine for the time that it spends.
///
/// `step` does the next work that is possible at the present time. It is called until it has none
/// or the engine is occupied. Code that makes more work possible calls kick(), also from inside a
/// step. Then the engine calls `step` again after the present step, so steps never nest. Takes one
/// event for each stretch of occupied time, and allocates nothing.
class Engine final : public sc_core::sc_module {
 public:
  enum State : std::size_t { kIdleState, kBusyState, kBlockedState };

  /// `clock` is the unit of spend().
  Engine(const sc_core::sc_module_name& name, Frequency clock, std::function<Step()> step);

  /// Calls `step` as long as there is work at the present time.
  void kick();
  /// Called from inside a step that returns kDone: occupies the engine for `clocks` cycles, after
  /// the cycles that the step has already spent. Times are rounded to the picosecond.
  void spend(std::uint64_t clocks) { occupy(clocks * 1024); }
  /// Like spend(), for `bytes` that pass through the engine at `clocks_per_kib` cycles for 1024
  /// bytes.
  void spend_bytes(std::uint64_t bytes, std::uint64_t clocks_per_kib) {
    occupy(bytes * clocks_per_kib);
  }
  /// Kicks the engine at most `ps` picoseconds from now, without occupying it until then. An
  /// earlier kick replaces this one: a step that still has to wait asks again.
  void kick_in(std::uint64_t ps) { wake_.set_no_later(now_ps() + ps); }
  /// Makes the engine idle, with no kick pending. The owner drops the work itself.
  void reset();
  bool busy() const { return now_ps() < free_ps_; }

  observe::StateClock state{
      "state",
      "what the engine does: busy is its own time, blocked is time in which others keep it",
      {"idle", "busy", "blocked"}};

 private:
  void occupy(std::uint64_t clocks_of_1024);

  const Divisor hz_times_1024_;
  const std::function<Step()> step_;
  bool working_ = false;
  bool again_ = false;
  std::uint64_t free_ps_ = 0;
  Timer wake_{[this] { kick(); }};
};

}  // namespace longhaul
