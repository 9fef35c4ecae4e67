// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/host/kernel/process.h"

namespace longhaul::host {

/// The one lock of a kernel whose parts have none of their own (FreeBSD 5's Giant). Handlers of
/// device interrupts and softirqs run under it, one by one, and processes do from the entry of a
/// system call to its end, but for where they wait.
///
/// Whoever finds it taken sleeps. When it is free again, interrupt work that waits comes first, of
/// whichever processor; else the process that has waited longest is woken, and has to take it like
/// everybody else: one that comes too late sleeps again, behind the others.
class GiantLock final : public sc_core::sc_module {
 public:
  /// Of all processors of a host, which use it from now on.
  GiantLock(const sc_core::sc_module_name& name, const std::vector<Processor*>& processors);

  /// Whether interrupt work may take it.
  bool is_free() const { return state.state() == kFree; }
  /// A process takes it only if no interrupt work waits for it either.
  bool is_open_to_processes() const;
  void take();
  void release();
  /// Interrupt work that waited is gone.
  void given_up();
  /// Processes that want it.
  WaitQueue& waiting() { return waiting_; }

  observe::StateClock state{"state", "whether somebody holds the lock", {"free", "held"}};
  observe::Counter takings{"takings", "1", "times that the lock was taken"};
  observe::Counter interrupt_waits{"interrupt_waits", "1",
                                   "times that interrupt work found it taken"};
  observe::Counter process_waits{"process_waits", "1", "times that a process found it taken"};

 private:
  enum State : std::size_t { kFree, kHeld };

  void pass_on();

  const std::vector<Processor*> processors_;
  WaitQueue waiting_;
};

}  // namespace longhaul::host
