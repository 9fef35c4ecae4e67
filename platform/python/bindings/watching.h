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
/// A number; of a state clock {state: picoseconds}; None of a tap. With the interpreter's lock.
nanobind::object value_of(const observe::Probe& probe);

/// Tells a Python callable of each change of a probe, as (time in ps, value).
///
/// Signals, levels and taps tell every change, also several of one instant; counters, gauges and
/// state clocks (whose value is the name of the state) are looked at after each instant. The
/// callable is called between two instants, never inside a process: SystemC's threads have stacks
/// of their own, on which no Python can run.
class Subscription {
 public:
  static std::unique_ptr<Subscription> to(observe::Probe& probe, nanobind::callable told);
  virtual ~Subscription() = default;
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;
  /// Tells what has happened since; without the interpreter's lock.
  virtual void drain() = 0;

 protected:
  explicit Subscription(nanobind::callable told) : told_(std::move(told)) {}
  const nanobind::callable told_;
};

}  // namespace longhaul::bindings
