// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/host/kernel/process.h"

namespace longhaul::host {

/// The single lock of a kernel without finer locks (FreeBSD 5's Giant). Handlers of device
/// interrupts and softirqs hold it, one at a time. Processes hold it from the entry of a system
/// call to its end, except while they wait.
///
/// If the lock is taken, the caller sleeps. When it becomes free, waiting interrupt work of any
/// processor takes it first. Otherwise the process that has waited longest is woken and must take
/// the lock; if it comes too late, it sleeps again, behind the others.
class GiantLock final : public sc_core::sc_module {
 public:
  /// Makes the lock of all processors of a host, which use it from then on.
  GiantLock(const sc_core::sc_module_name& name, const std::vector<Processor*>& processors);

  /// Whether interrupt work may take it.
  bool is_free() const { return state.state() == kFree; }
  /// Whether a process may take it: it is free, and no interrupt work waits for it.
  bool is_open_to_processes() const;
  void take();
  void release();
  /// Interrupt work that waited has ended without the lock.
  void given_up();
  /// Processes that wait for it.
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
