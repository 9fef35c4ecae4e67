// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/processor.h"

#include <cassert>
#include <cmath>

#include "models/common/event_queue.h"
#include "models/host/kernel/away.h"
#include "models/host/kernel/ksoftirqd.h"

namespace longhaul::host {

using cpu::CoreState;
using cpu::WorkKind;

Processor* Processor::g_current = nullptr;

Processor::Processor(const sc_core::sc_module_name& name, cpu::Core& core,
                     const KernelParams& params)
    : sc_module(name),
      core_(core),
      params_(params),
      units_per_cycle_(
          static_cast<std::uint64_t>(std::llround(params.code_scale() * cpu::kUnitsPerCycle))),
      owed_(core),
      ksoftirqd_(std::make_unique<Ksoftirqd>("ksoftirqd", *this)),
      idle_(*this) {}

Processor::~Processor() = default;

// Work.

void Processor::charge(WorkKind kind, std::uint64_t units) {
  assert(g_current == this && "work of code that does not run on this processor");
  owed_.add(work_state(), kind, units);
}

void Processor::settle() {
  if (!owed_.any()) return;
  const Away away(*this);
  owed_.spend();
}

void Processor::catch_up() {
  const Away away(*this);
  EventQueue::get().catch_up();
}

void Processor::pay() {
  settle();
  if (in_hardirq()) return;
  if (interrupt_pending()) take_interrupts();
  if (softirqs_ready() && !in_softirq() && !softirqs_.held_off()) run_softirqs();
  if (context_ == CoreState::kUser) reschedule();
}

std::uint64_t Processor::read(std::uint64_t address, std::uint32_t size) {
  pay();
  const Away away(*this);
  return core_.read(address, size);
}

void Processor::write(std::uint64_t address, std::uint64_t value, std::uint32_t size) {
  pay();
  const Away away(*this);
  core_.write(address, size, value);
}

// Scheduling.

void Processor::ready(Process& process) {
  assert(&process.processor_ == this);
  if (process.state_ != Process::State::kBlocked) {
    process.woken_ = true;
    return;
  }
  admit(process, params_.wakeup_preempts() && !process.kernel_);
}

void Processor::admit(Process& process, bool interactive) {
  runnable_.add(process, interactive);
  const bool preempts = interactive && running_ != nullptr && !running_->interactive_;
  if (idle_.idles() || (preempts && g_current != this)) kick();
}

void Processor::give_to(Process* next) {
  context_ = CoreState::kIdle;
  running_ = next;
  if (next == nullptr) {
    idle_.wake();
  } else {
    next->grant();
  }
}

void Processor::await(Process& process) {
  g_current = nullptr;
  process.await_grant();
  g_current = this;
  context_ = CoreState::kSystem;
  execute(params_.schedule_cycles());
  if (last_ != &process) charge(WorkKind::kContextSwitch);
  last_ = &process;
}

void Processor::give_up(Process& process) {
  assert(!softirqs_.held_off() && "a process waits while it keeps softirqs off");
  const CoreState mode = context_;
  process.use_slice();
  give_to(runnable_.take());
  await(process);
  context_ = mode;
}

void Processor::leave() {
  last_ = nullptr;
  give_to(runnable_.take());
  g_current = nullptr;
}

void Processor::reschedule() {
  Process& process = *running_;
  if (process.slice_is_over()) {
    process.renew_slice();
    slices.add();
    if (!runnable_.rotate(process)) return;
  } else if (runnable_.displace(process)) {
    preemptions.add();
  } else {
    return;
  }
  give_up(process);
}

}  // namespace longhaul::host
