// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::host {

/// How a kernel schedules and keeps time, and the code that this executes. Cycles are those of the
/// executed code alone, on a K8 with a warm cache. The hardware's time for entries, copies and cold
/// lines is in the processor's own cost book (models/cpu).
struct KernelParams {
  Param<sc_core::sc_time> tick{
      "tick",
      {1, sc_core::SC_MS},
      "period of the timer interrupt",
      {Evidence::kDatasheet, "Linux 2.6, i386 and x86-64: HZ 1000"},
      Range<sc_core::sc_time>{{100, sc_core::SC_US}, {100, sc_core::SC_MS}}};
  Param<sc_core::sc_time> slice{
      "slice",
      {100, sc_core::SC_MS},
      "longest turn of a process while others are ready",
      {Evidence::kDatasheet, "Linux 2.6.6, kernel/sched.c: DEF_TIMESLICE"},
      Range<sc_core::sc_time>{{1, sc_core::SC_MS}, {1, sc_core::SC_SEC}}};
  Param<std::uint32_t> softirq_restarts{
      "softirq_restarts",
      10,
      "rounds of softirqs after an interrupt before ksoftirqd takes over",
      {Evidence::kDatasheet,
       "Linux 2.6, kernel/softirq.c: MAX_SOFTIRQ_RESTART; then ksoftirqd competes with processes"},
      Range<std::uint32_t>{1, 1000}};
  Param<sc_core::sc_time> ksoftirqd_slice{
      "ksoftirqd_slice",
      {10, sc_core::SC_MS},
      "longest turn of ksoftirqd",
      {Evidence::kDatasheet, "Linux 2.6.6, kernel/sched.c: MIN_TIMESLICE, for it has nice 19"},
      Range<sc_core::sc_time>{{100, sc_core::SC_US}, {1, sc_core::SC_SEC}}};
  /// A woken process takes the processor from one that was not woken, when that returns to user
  /// mode.
  Param<bool> wakeup_preempts{
      "wakeup_preempts",
      true,
      "a woken process takes the processor from one that has not slept",
      {Evidence::kDatasheet,
       "Linux 2.6.6, kernel/sched.c: TASK_PREEMPTS_CURR, with the bonus of sleepers"}};
  /// One lock for the whole kernel: models/host/kernel/giant_lock.h.
  Param<bool> giant_lock{
      "giant_lock",
      false,
      "one lock for the whole kernel",
      {Evidence::kDatasheet, "Linux 2.4, 2.6: sockets and devices have their own"}};
  /// Interrupts and softirqs are threads. Each turn is a switch to the thread.
  Param<bool> interrupt_threads{
      "interrupt_threads",
      false,
      "interrupts and softirqs run as threads: each turn is a switch",
      {Evidence::kDatasheet, "Linux 2.4, 2.6: they run on the stack of whatever was there"}};
  /// An idle processor polls for work from other processors; otherwise it gets an interrupt.
  Param<bool> idle_polls{
      "idle_polls",
      false,
      "an idle processor sees new work by itself; otherwise it is interrupted",
      {Evidence::kDatasheet, "Linux 2.4, 2.6, i386: it halts, reschedule_idle() interrupts it"}};
  /// An idle processor takes its core's time to leave the halt.
  Param<bool> halt_takes_time{
      "halt_takes_time",
      false,
      "an idle processor takes its core's time to leave the halt",
      {Evidence::kChosen, "off: models/host/profiles/README.md#halt says what it changes"}};
  Param<std::uint32_t> unclaimed_limit{
      "unclaimed_limit",
      10,
      "interrupts in a row that nobody claims before the line is shut off",
      {Evidence::kChosen,
       "interrupts in a row until an unclaimed line is masked; Linux 2.6: 99,900 of 100,000"},
      Range<std::uint32_t>{1, 100'000}};
  /// Factor on the cycles of all kernel code: another compiler, other locks.
  Param<double> code_scale{
      "code_scale",
      1.0,
      "factor on all cycles of the kernel's code: another compiler, other locks",
      {Evidence::kChosen, "1: the cycles as they stand"},
      Range<double>{0.1, 10.0}};
  Param<std::uint32_t> tick_cycles{"tick_cycles",
                                   2500,
                                   "cycles of a timer interrupt",
                                   {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> wakeup_cycles{"wakeup_cycles",
                                     700,
                                     "cycles to wake a process",
                                     {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> schedule_cycles{
      "schedule_cycles",
      900,
      "cycles to choose the next process",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> irq_dispatch_cycles{
      "irq_dispatch_cycles",
      500,
      "cycles from a vector to the device's handler",
      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};
  Param<std::uint32_t> softirq_cycles{"softirq_cycles",
                                      150,
                                      "cycles to run a softirq, without its own work",
                                      {Evidence::kAssumed, "models/host/profiles/README.md#costs"}};

  auto fields() {
    return std::tie(tick, slice, softirq_restarts, ksoftirqd_slice, wakeup_preempts, giant_lock,
                    interrupt_threads, idle_polls, halt_takes_time, unclaimed_limit, code_scale,
                    tick_cycles, wakeup_cycles, schedule_cycles, irq_dispatch_cycles,
                    softirq_cycles);
  }
};

}  // namespace longhaul::host
