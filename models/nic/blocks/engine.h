// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/divisor.h"
#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"

namespace longhaul::nic {

/// What a step of an engine came to.
enum class Step {
  kDone,     ///< something was done, which may have taken the engine's time; look again
  kIdle,     ///< there is nothing to do
  kBlocked,  ///< there is something to do, but a bus, a buffer or a ring must move first
};

/// A serial engine of an adapter: one thing after the other, each of which occupies it for the time
/// that it spends.
///
/// `step` does the next thing that can be done at the present time; it is called until it finds
/// none, or until the engine is occupied. Whoever changes what it can do calls kick(), from inside
/// a step too: then the engine looks again when that step is over, so a step never runs inside
/// another. One event for each stretch of occupied time; nothing is allocated.
class Engine final : public sc_core::sc_module {
 public:
  enum State : std::size_t { kIdleState, kBusyState, kBlockedState };

  /// `clock` is what its costs count in.
  Engine(const sc_core::sc_module_name& name, Frequency clock, std::function<Step()> step);

  /// Works for as long as there is something to do now.
  void kick();
  /// From inside a step that ends as kDone: occupies the engine for `clocks` cycles, after what the
  /// step spent before. Times are rounded to the picosecond.
  void spend(std::uint64_t clocks) { occupy(clocks * 1024); }
  /// The same for `bytes` that pass through it at `clocks_per_kib` cycles for 1024 of them.
  void spend_bytes(std::uint64_t bytes, std::uint64_t clocks_per_kib) {
    occupy(bytes * clocks_per_kib);
  }
  /// Kicks the engine `ps` picoseconds from now at the latest, without occupying it until then. Any
  /// kick before takes its place: a step that still has to wait asks again.
  void kick_in(std::uint64_t ps) { wake_.set_no_later(now_ps() + ps); }
  /// Unoccupied and idle, with no kick to come. What was to be done is the owner's to forget.
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

}  // namespace longhaul::nic
