// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/kernel/intrusive_fifo.h"

namespace longhaul::host {

class Process;

/// The processes that are ready and have no processor: those that were woken and have not used up a
/// slice since go first, in order of their waking; then the others, round robin.
class RunQueue {
 public:
  bool empty() const { return woken_.empty() && others_.empty(); }
  /// One that is made ready; `interactive`: it goes before those that are not.
  void add(Process& process, bool interactive);
  /// The next one to run; null if there is none.
  Process* take();
  /// `running` has used up its slice: goes behind all others. False if there are none: it stays.
  bool rotate(Process& running);
  /// Whether `running` gives way to one that was woken; it goes before those that were not.
  bool displace(Process& running);

 private:
  IntrusiveFifo<Process> woken_;
  IntrusiveFifo<Process> others_;
};

}  // namespace longhaul::host
