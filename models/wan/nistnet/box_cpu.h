// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/param.h"
#include "models/common/ring_buffer.h"

namespace longhaul::wan {

/// Work of a processor, in steps. The effects of a step become visible at its end.
class CpuTask {
 public:
  virtual ~CpuTask() = default;
  /// Begins the next step and returns its duration.
  virtual std::uint64_t begin_step_ps() = 0;
  /// Ends the step. Returns true if the task has another one.
  virtual bool end_step() = 0;
};

/// The processor of a NIST Net box. It runs interrupt handlers before the softirq, one task at a
/// time.
///
/// A handler runs to its end; other interrupts wait in the order in which they came. A handler may
/// interrupt a step of the softirq, which continues afterwards. A raised softirq runs until it has
/// no more steps. An idle processor halts, and takes `halt_exit` from an interrupt to its handler.
class BoxCpu final : public sc_core::sc_module {
 public:
  explicit BoxCpu(const sc_core::sc_module_name& name, const sc_core::sc_time& halt_exit = {});

  /// Raises an interrupt that runs `handler`. The caller must not raise it again before the handler
  /// has run.
  void interrupt(CpuTask& handler);
  void set_softirq(CpuTask& softirq) { softirq_ = &softirq; }
  /// Raises the softirq. Called from a step of an interrupt handler.
  void raise_softirq();

  observe::StateClock state{"state", "what the processor does", {"idle", "hardirq", "softirq"}};
  observe::Counter interrupts{"interrupts", "1", "interrupt handlers entered"};

 private:
  enum State : std::size_t { kIdle, kHardirq, kSoftirq };

  void run();
  void begin(CpuTask& task, State state, std::uint64_t length_ps);
  void end_step();

  const std::uint64_t halt_exit_ps_;
  bool halted_ = true;
  Timer halt_left_{[this] {
    halted_ = false;
    run();
  }};
  RingBuffer<CpuTask*> pending_;
  CpuTask* softirq_ = nullptr;
  bool softirq_raised_ = false;
  CpuTask* running_ = nullptr;
  std::uint64_t ends_ps_ = 0;
  std::uint64_t softirq_left_ps_ = 0;  // rest of a step that an interrupt stopped
  bool softirq_stopped_ = false;
  bool in_step_ = false;  // the effects of a step are being made; new work waits for them
  Timer step_end_{[this] { end_step(); }};
};

}  // namespace longhaul::wan
