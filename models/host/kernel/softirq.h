// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/kernel/intrusive_fifo.h"

namespace longhaul::host {

/// Work that interrupts put off: NAPI polls, packets behind netif_rx, timers, a swi thread of BSD,
/// a DPC of Windows.
///
/// It is in one queue at most and runs on one processor at a time: raised while it runs, by
/// whomever, it runs once more where it does.
class Softirq {
 public:
  virtual ~Softirq() = default;
  /// One turn; false when there is nothing left to do, true to be called again after the others.
  virtual bool run() = 0;

 private:
  friend class SoftirqQueue;
  friend class IntrusiveFifo<Softirq>;
  enum class State { kAtRest, kQueued, kRunning, kRaisedAgain };
  State state_ = State::kAtRest;
  Softirq* next_ = nullptr;
};

}  // namespace longhaul::host
