// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::host {

class Timers;

/// Something that is due at a time, at most once under way.
class KernelTimer {
 public:
  KernelTimer() = default;
  virtual ~KernelTimer();  ///< cancels it
  KernelTimer(const KernelTimer&) = delete;
  KernelTimer& operator=(const KernelTimer&) = delete;
  /// In softirq context (a callout of BSD, a DPC of Windows), at the first tick at which it is due.
  /// It may be set again.
  virtual void expired() = 0;
  bool pending() const { return timers_ != nullptr; }

 private:
  friend class TickTimers;
  Timers* timers_ = nullptr;  // where it is under way
  std::uint64_t due_ps_ = 0;
  std::uint64_t order_ = 0;  // among those due at the same time
  std::uint32_t slot_ = 0;
};

/// A host's timers, looked at by the timer interrupt of its first processor every tick
/// (KernelParams::tick).
class Timers {
 public:
  virtual ~Timers() = default;
  /// Due at the first tick at or after `at_ps`, and not before the next one; replaces an earlier
  /// wish.
  virtual void set(KernelTimer& timer, std::uint64_t at_ps) = 0;
  virtual void cancel(KernelTimer& timer) = 0;
};

inline KernelTimer::~KernelTimer() {
  if (timers_ != nullptr) timers_->cancel(*this);
}

}  // namespace longhaul::host
