// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::host {

/// Something that is due at a time, at most once under way.
class KernelTimer {
 public:
  virtual ~KernelTimer() = default;
  /// In softirq context (a callout of BSD, a DPC of Windows), at the first tick at which it is due.
  virtual void expired() = 0;

 private:
  friend class Timers;
  std::uint64_t due_ps_ = 0;
  bool pending_ = false;
};

/// A host's timers, looked at by the timer interrupt of its first processor every tick (KernelParams::tick).
class Timers {
 public:
  virtual ~Timers() = default;
  /// Due at the first tick at or after `at_ps`; replaces an earlier wish.
  virtual void set(KernelTimer& timer, std::uint64_t at_ps) = 0;
  virtual void cancel(KernelTimer& timer) = 0;
};

}  // namespace longhaul::host
