// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/box_cpu.h"

namespace longhaul::wan {

BoxCpu::BoxCpu(const sc_core::sc_module_name& name, const sc_core::sc_time& halt_exit)
    : sc_core::sc_module(name), halt_exit_ps_(to_ps(halt_exit)) {}

void BoxCpu::interrupt(CpuTask& handler) {
  pending_.push_back(&handler);
  if (in_step_) return;
  if (halted_) {
    halt_left_.set_no_later(now_ps() + halt_exit_ps_);
    return;
  }
  if (running_ != nullptr && running_ == softirq_) {
    softirq_left_ps_ = ends_ps_ - now_ps();
    softirq_stopped_ = true;
    running_ = nullptr;
  }
  if (running_ == nullptr) run();
}

void BoxCpu::raise_softirq() { softirq_raised_ = true; }

/// Chooses the next step. No step is running.
void BoxCpu::run() {
  if (!pending_.empty()) {
    interrupts.add();
    CpuTask& handler = *pending_.pop_front();
    begin(handler, kHardirq, handler.begin_step_ps());
  } else if (softirq_stopped_) {
    softirq_stopped_ = false;
    begin(*softirq_, kSoftirq, softirq_left_ps_);
  } else if (softirq_raised_) {
    softirq_raised_ = false;
    begin(*softirq_, kSoftirq, softirq_->begin_step_ps());
  } else {
    halted_ = true;
    state.enter(kIdle);
    step_end_.cancel();
  }
}

void BoxCpu::begin(CpuTask& task, State next, std::uint64_t length_ps) {
  running_ = &task;
  ends_ps_ = now_ps() + length_ps;
  state.enter(next);
  step_end_.set(ends_ps_);
}

void BoxCpu::end_step() {
  CpuTask& task = *running_;
  const bool is_softirq = running_ == softirq_;
  in_step_ = true;
  const bool more = task.end_step();
  in_step_ = false;
  if (is_softirq) {
    running_ = nullptr;
    softirq_raised_ = more;
    run();
  } else if (more) {
    begin(task, kHardirq, task.begin_step_ps());
  } else {
    running_ = nullptr;
    run();
  }
}

}  // namespace longhaul::wan
