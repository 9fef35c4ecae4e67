// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/kernel/intrusive_fifo.h"

namespace longhaul::host {

class Process;

/// The processes that are ready and do not run. Processes that were woken and have not used up a
/// slice since come first, in the order of their wake-ups; then the others, round robin.
class RunQueue {
 public:
  bool empty() const { return woken_.empty() && others_.empty(); }
  /// Adds a process that was made ready. `interactive`: it goes before those that are not.
  void add(Process& process, bool interactive);
  /// Removes and returns the next process; null if there is none.
  Process* take();
  /// `running` has used up its slice: puts it behind all others. Returns false if there are none;
  /// then it continues to run.
  bool rotate(Process& running);
  /// If a woken process is ready, puts `running` before the processes that were not woken and
  /// returns true.
  bool displace(Process& running);

 private:
  IntrusiveFifo<Process> woken_;
  IntrusiveFifo<Process> others_;
};

}  // namespace longhaul::host
