// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/param.h"
#include "models/common/ring_buffer.h"

namespace longhaul::wan {

/// Work of a processor, in steps: what a step does becomes visible when its time is over.
class CpuTask {
 public:
  virtual ~CpuTask() = default;
  /// The next step begins: how long it takes.
  virtual std::uint64_t begin_step_ps() = 0;
  /// The step is over; true: the task has another one.
  virtual bool end_step() = 0;
};

/// The processor of a NIST Net box: interrupt handlers before the softirq, one thing at a time.
///
/// A handler runs to its end; other interrupts wait in the order in which they came. It may begin
/// in the middle of a softirq step, which goes on afterwards. A softirq that was raised runs until
/// it has no more steps. A processor that has nothing to do halts, and takes `halt_exit` from an
/// interrupt to its handler.
class BoxCpu final : public sc_core::sc_module {
 public:
  explicit BoxCpu(const sc_core::sc_module_name& name, const sc_core::sc_time& halt_exit = {});

  /// An interrupt: `handler` is to run. The caller does not ask again before it has run.
  void interrupt(CpuTask& handler);
  void set_softirq(CpuTask& softirq) { softirq_ = &softirq; }
  /// From an interrupt handler's step.
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
  std::uint64_t softirq_left_ps_ = 0;  // of a step that an interrupt stopped
  bool softirq_stopped_ = false;
  bool in_step_ = false;  // effects of a step are being made: what comes next waits for them
  Timer step_end_{[this] { end_step(); }};
};

}  // namespace longhaul::wan
