// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/kernel/intrusive_fifo.h"

namespace longhaul::host {

/// Deferred work of interrupts: NAPI polls, packets after netif_rx, timers, a swi thread of BSD, a
/// DPC of Windows.
///
/// It is in at most one queue and runs on one processor at a time. If any processor raises it while
/// it runs, it runs once more on its present processor.
class Softirq {
 public:
  virtual ~Softirq() = default;
  /// Runs one turn. Returns false if no work is left, true to be called again after the others.
  virtual bool run() = 0;

 private:
  friend class SoftirqQueue;
  friend class IntrusiveFifo<Softirq>;
  enum class State { kAtRest, kQueued, kRunning, kRaisedAgain };
  State state_ = State::kAtRest;
  Softirq* next_ = nullptr;
};

}  // namespace longhaul::host
