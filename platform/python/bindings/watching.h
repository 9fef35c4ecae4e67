// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/common/observe/probe.h"
#include "platform/assembly/stepper.h"

namespace longhaul::bindings {

/// "counter", "level", "signal", "gauge", "states", "frames" or "spans".
const char* kind_of(const observe::Probe& probe);
/// A number; for a state clock {state: picoseconds}; None for a tap. Call it with the interpreter's
/// lock.
nanobind::object value_of(const observe::Probe& probe);

/// Calls a Python callable for each change of a probe, with (time in ps, value).
///
/// Signals, levels and taps report every change, also several of one instant. Counters, gauges and
/// state clocks (whose value is the name of the state) are read after each instant. The callable is
/// called between two instants, never inside a process: SystemC's threads have their own stacks, on
/// which no Python can run.
class Subscription {
 public:
  static std::unique_ptr<Subscription> to(observe::Probe& probe, nanobind::callable told);
  virtual ~Subscription() = default;
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;
  /// Reports the changes since the last call. Call it without the interpreter's lock.
  virtual void drain() = 0;

 protected:
  explicit Subscription(nanobind::callable told) : told_(std::move(told)) {}
  const nanobind::callable told_;
};

}  // namespace longhaul::bindings
