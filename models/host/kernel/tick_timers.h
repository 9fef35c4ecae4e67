// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/host/kernel/processor.h"
#include "models/host/kernel/timers.h"

namespace longhaul::host {

/// Timers of a host with a periodic tick. Every KernelParams::tick its first processor takes an
/// interrupt, also while idle. A softirq then calls the timers that are due, earliest first; those
/// of one time in the order in which they were set. Setting and cancelling take O(log n).
class TickTimers final : public sc_core::sc_module,
                         public Timers,
                         private InterruptHandler,
                         private Softirq {
 public:
  /// The first of `processors` has the tick. Processes of all of them sleep by these timers.
  TickTimers(const sc_core::sc_module_name& name, const std::vector<Processor*>& processors);
  ~TickTimers() override;

  void set(KernelTimer& timer, std::uint64_t at_ps) override;
  void cancel(KernelTimer& timer) override;

  observe::Counter ticks{"ticks", "1", "timer interrupts"};
  observe::Counter expiries{"expiries", "1", "timers that were due"};

 private:
  void start_of_simulation() override;
  bool interrupt() override;
  bool run() override;
  void tick_method();
  static bool before(const KernelTimer& a, const KernelTimer& b);
  void place(KernelTimer& timer, std::size_t slot);
  void rise(std::size_t slot);
  void sink(std::size_t slot);

  Processor& first_;
  std::vector<KernelTimer*> heap_;  // the earliest is at the front
  std::uint64_t tick_ps_ = 0;       // the last tick whose timers were handled
  std::uint64_t orders_ = 0;
  sc_core::sc_event tick_event_{"tick_event"};
};

}  // namespace longhaul::host
