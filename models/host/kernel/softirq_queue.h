// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "models/host/kernel/intrusive_fifo.h"
#include "models/host/kernel/softirq.h"

namespace longhaul::host {

/// The softirqs that a processor must run, in the order of their turns. They may be held off, and
/// may wait for the GiantLock.
class SoftirqQueue {
 public:
  bool empty() const { return queue_.empty(); }
  std::uint32_t size() const { return queue_.size(); }

  /// Returns true if the softirq was idle and is now queued. A running softirq gets another turn.
  bool raise(Softirq& softirq);
  /// Begins the turn of the first softirq; end() must follow.
  Softirq& begin();
  /// Ends its turn. `more`: it wants another one, after the others.
  void end(Softirq& softirq, bool more);

  /// Whether some were raised since they last ran; false if only those for the kernel thread are
  /// left.
  bool due() const { return due_; }
  void set_due(bool due) { due_ = due; }

  /// Whether they have found the GiantLock taken.
  bool waiting() const { return waiting_; }
  void put_off() { waiting_ = true; }
  /// They try again. Returns whether they have waited.
  bool resume() { return std::exchange(waiting_, false); }

  bool held_off() const { return holds_ != 0; }
  void hold_off() { ++holds_; }
  void let_on() { --holds_; }

 private:
  IntrusiveFifo<Softirq> queue_;
  std::uint32_t holds_ = 0;
  bool due_ = false;
  bool waiting_ = false;
};

}  // namespace longhaul::host
