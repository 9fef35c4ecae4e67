// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/processor.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "models/common/event_queue.h"
#include "models/host/kernel/ksoftirqd.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using cpu::WorkKind;

constexpr std::size_t kTouchesExpected = 64;

}  // namespace

Processor* Processor::g_current = nullptr;

class Processor::Away {
 public:
  explicit Away(Processor& processor) : processor_(processor) {
    assert(g_current == &processor &&
           "code that runs on no processor, or on another one, lets time pass on this one");
    g_current = nullptr;
  }
  ~Away() { g_current = &processor_; }
  Away(const Away&) = delete;
  Away& operator=(const Away&) = delete;

 private:
  Processor& processor_;
};

Processor::Processor(const sc_core::sc_module_name& name, cpu::Core& core,
                     const KernelParams& params)
    : sc_module(name),
      core_(core),
      params_(params),
      units_per_cycle_(
          static_cast<std::uint64_t>(std::llround(params.code_scale() * cpu::kUnitsPerCycle))),
      ksoftirqd_(std::make_unique<Ksoftirqd>("ksoftirqd", *this)),
      idle_fiber_([this] { idle(); }, kStackBytes) {
  touches_.reserve(kTouchesExpected);
}

Processor::~Processor() = default;

std::uint64_t Processor::now_ps() const { return longhaul::now_ps(); }

// Work.

void Processor::charge(WorkKind kind, std::uint64_t units) {
  assert(g_current == this && "work of code that does not run on this processor");
  const CoreState state = context_ == CoreState::kIdle ? CoreState::kSystem : context_;
  work_.add(state, kind, units);
  owes_ = true;
}

void Processor::touch(cpu::MemoryTouch::Kind kind, std::uint64_t source, std::uint64_t target,
                      std::uint64_t bytes) {
  const CoreState state = context_ == CoreState::kIdle ? CoreState::kSystem : context_;
  cpu::MemoryTouch& touch = touches_.emplace_back();
  touch.kind = kind;
  touch.state = state;
  touch.source = source;
  touch.target = target;
  touch.bytes = bytes;
  if (kind != cpu::MemoryTouch::Kind::kRead) core_.cache().prefetch(target, bytes);
  if (kind != cpu::MemoryTouch::Kind::kWrite) core_.cache().prefetch(source, bytes);
  owes_ = true;
}

void Processor::copy(std::uint64_t source, std::uint64_t target, std::uint64_t bytes) {
  charge(WorkKind::kByteCopied, bytes);
  touch(cpu::MemoryTouch::Kind::kCopy, source, target, bytes);
}

void Processor::touch_read(std::uint64_t address, std::uint64_t bytes) {
  touch(cpu::MemoryTouch::Kind::kRead, address, 0, bytes);
}

void Processor::touch_write(std::uint64_t address, std::uint64_t bytes) {
  touch(cpu::MemoryTouch::Kind::kWrite, 0, address, bytes);
}

void Processor::settle() {
  if (!owes_) return;
  const std::uint64_t start_ps = now_ps();
  {
    const Away away(*this);
    core_.spend(work_, touches_);
  }
  touches_.clear();
  owes_ = false;
  // Work that costs nothing (a packet's count) is counted by the core together with some that does.
  if (now_ps() != start_ps) work_.clear();
}

void Processor::catch_up() {
  const Away away(*this);
  EventQueue::get().catch_up();
}

void Processor::pay() {
  settle();
  if (in_hardirq()) return;
  if (interrupt_pending()) take_interrupts();
  if (softirqs_ready() && !in_softirq() && softirqs_off_ == 0) run_softirqs();
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
  process.state_ = Process::State::kReady;
  process.interactive_ = interactive;
  (interactive ? woken_ : ready_).push_back(process);
  const bool preempts = interactive && running_ != nullptr && !running_->interactive_;
  if (idle_ || (preempts && g_current != this)) kick();
}

Process* Processor::pick() {
  if (!woken_.empty()) return &woken_.pop_front();
  if (!ready_.empty()) return &ready_.pop_front();
  return nullptr;
}

void Processor::give_to(Process* next) {
  context_ = CoreState::kIdle;
  running_ = next;
  if (next == nullptr) {
    wanted_.notify();
    return;
  }
  next->granted_ = true;
  next->has_processor_.notify();
}

void Processor::await(Process& process) {
  g_current = nullptr;
  while (!process.granted_) EventQueue::get().pass_until(process.has_processor_);
  g_current = this;
  process.granted_ = false;
  process.state_ = Process::State::kRunning;
  process.since_ps_ = now_ps();
  context_ = CoreState::kSystem;
  execute(params_.schedule_cycles());
  if (last_ != &process) charge(WorkKind::kContextSwitch);
  last_ = &process;
}

void Processor::give_up(Process& process) {
  assert(softirqs_off_ == 0 && "a process waits while it keeps softirqs off");
  const CoreState mode = context_;
  process.slice_left_ps_ -= std::min(now_ps() - process.since_ps_, process.slice_left_ps_);
  give_to(pick());
  await(process);
  context_ = mode;
}

void Processor::leave() {
  last_ = nullptr;
  give_to(pick());
  g_current = nullptr;
}

void Processor::reschedule() {
  Process& process = *running_;
  if (now_ps() - process.since_ps_ >= process.slice_left_ps_) {
    process.slice_left_ps_ = process.full_slice_ps_;
    process.since_ps_ = now_ps();
    process.interactive_ = false;
    slices.add();
    if (woken_.empty() && ready_.empty()) return;
    ready_.push_back(process);
  } else if (!process.interactive_ && !woken_.empty()) {
    preemptions.add();
    ready_.push_front(process);
  } else {
    return;
  }
  process.state_ = Process::State::kReady;
  give_up(process);
}

void Processor::idle() {
  g_current = this;
  for (;;) {
    if (interrupt_pending()) take_interrupts();
    if (softirqs_ready()) run_softirqs();
    settle();
    if (interrupt_pending() || softirqs_ready()) continue;
    Process* const next = pick();
    if (next != nullptr) {
      give_to(next);
    } else {
      idle_ = true;
      core_.state.enter(static_cast<std::size_t>(CoreState::kIdle));
    }
    const Away away(*this);
    do {
      EventQueue::get().pass_until(wanted_);
    } while (running_ != nullptr);
    if (idle_ && params_.halt_takes_time() && !params_.idle_polls()) core_.leave_halt();
    idle_ = false;
  }
}

}  // namespace longhaul::host
