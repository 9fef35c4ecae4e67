// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::host {

class Timers;

/// A callback at a time; it is set at most once at a time.
class KernelTimer {
 public:
  KernelTimer() = default;
  virtual ~KernelTimer();  ///< cancels it
  KernelTimer(const KernelTimer&) = delete;
  KernelTimer& operator=(const KernelTimer&) = delete;
  /// Called in softirq context (a callout of BSD, a DPC of Windows), at the first tick at which it
  /// is due. It may be set again.
  virtual void expired() = 0;
  bool pending() const { return timers_ != nullptr; }

 private:
  friend class TickTimers;
  Timers* timers_ = nullptr;  // where it is set
  std::uint64_t due_ps_ = 0;
  std::uint64_t order_ = 0;  // among timers of the same time
  std::uint32_t slot_ = 0;
};

/// A host's timers. The timer interrupt of its first processor checks them every tick
/// (KernelParams::tick).
class Timers {
 public:
  virtual ~Timers() = default;
  /// Sets the timer to the first tick at or after `at_ps`, at the earliest to the next tick.
  /// Replaces an earlier setting.
  virtual void set(KernelTimer& timer, std::uint64_t at_ps) = 0;
  virtual void cancel(KernelTimer& timer) = 0;
};

inline KernelTimer::~KernelTimer() {
  if (timers_ != nullptr) timers_->cancel(*this);
}

}  // namespace longhaul::host
