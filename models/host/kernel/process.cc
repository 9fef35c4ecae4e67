// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/process.h"

#include <algorithm>
#include <cassert>

#include "models/common/event_queue.h"
#include "models/host/kernel/giant_lock.h"

namespace longhaul::host {

using cpu::CoreState;
using cpu::WorkKind;

WaitQueue::~WaitQueue() {
  for (Process* const process : waiting_) process->queue_ = nullptr;
}

void WaitQueue::wake_all() {
  if (waiting_.empty()) return;
  if (Processor* const waker = Processor::current(); waker != nullptr) {
    waker->execute(waker->params().wakeup_cycles() * waiting_.size());
  }
  for (Process* const process : waiting_) {
    process->queue_ = nullptr;
    process->processor_.ready(*process);
  }
  waiting_.clear();
}

void WaitQueue::wake_one() {
  if (waiting_.empty()) return;
  if (Processor* const waker = Processor::current(); waker != nullptr)
    waker->execute(waker->params().wakeup_cycles());
  Process* const process = waiting_.front();
  process->leave_queue();
  process->processor_.ready(*process);
}

Process::Process(const sc_core::sc_module_name& name, Processor& processor, bool kernel,
                 const sc_core::sc_time& slice)
    : sc_module(name),
      processor_(processor),
      kernel_(kernel),
      full_slice_ps_(to_ps(slice)),
      slice_left_ps_(full_slice_ps_),
      fiber_([this] { run(); }, Processor::kStackBytes) {}

Process::Process(const sc_core::sc_module_name& name, Processor& processor)
    : Process(name, processor, false, processor.params().slice()) {}

Process::Process(const sc_core::sc_module_name& name, Processor& processor,
                 const sc_core::sc_time& slice)
    : Process(name, processor, true, slice) {}

Process::~Process() { leave_queue(); }

void Process::run() {
  if (!kernel_) processor_.admit(*this, false);
  processor_.await(*this);
  if (!kernel_) processor_.context_ = CoreState::kUser;
  main();
  processor_.pay();
  state_ = State::kDone;
  processor_.leave();
}

void Process::enter_queue(WaitQueue& queue) {
  queue_ = &queue;
  queue.waiting_.push_back(this);
}

void Process::leave_queue() {
  if (queue_ == nullptr) return;
  auto& waiting = queue_->waiting_;
  waiting.erase(std::find(waiting.begin(), waiting.end(), this));
  queue_ = nullptr;
}

bool Process::wait(WaitQueue& queue, std::uint64_t timeout_ps) {
  // It enters the queue before it pays: it may be woken while that time passes.
  enter_queue(queue);
  const bool had_giant = block(timeout_ps);
  const bool woken = queue_ == nullptr || !timed_out_;
  leave_queue();
  if (had_giant) take_giant();
  return woken;
}

void Process::sleep(std::uint64_t duration_ps) {
  const std::uint64_t until_ps = now_ps() + duration_ps;
  bool had_giant = false;
  do {
    had_giant |= block(until_ps - std::min(until_ps, now_ps()));
  } while (!timed_out_);
  if (had_giant) take_giant();
}

/// Waits until the process is made ready or `timeout_ps` has passed. It does not wait if the
/// process is made ready while it pays. Returns true if it has released the GiantLock.
bool Process::block(std::uint64_t timeout_ps) {
  assert(processor_.context_ == CoreState::kSystem && "a process waits outside a system call");
  woken_ = false;
  timed_out_ = false;
  processor_.pay();
  const bool had_giant = !woken_ && release_giant();
  if (had_giant) processor_.pay();  // interrupts that waited for it
  if (woken_) return had_giant;
  if (timeout_ps != kForever) {
    assert(processor_.timers() != nullptr && "a process sleeps on a host without timers");
    processor_.timers()->set(timer_, now_ps() + timeout_ps);
  }
  state_ = State::kBlocked;
  processor_.give_up(*this);
  if (timer_.pending()) processor_.timers()->cancel(timer_);
  return had_giant;
}

/// Gives the process the processor.
void Process::grant() {
  granted_ = true;
  has_processor_.notify();
}

/// Until then.
void Process::await_grant() {
  while (!granted_) EventQueue::get().pass_until(has_processor_);
  granted_ = false;
  state_ = State::kRunning;
  since_ps_ = now_ps();
}

/// Reduces the rest of the slice by the time used so far.
void Process::use_slice() { slice_left_ps_ -= std::min(now_ps() - since_ps_, slice_left_ps_); }

bool Process::slice_is_over() const { return now_ps() - since_ps_ >= slice_left_ps_; }

/// Starts a new slice. A process that has used up its slice is not interactive.
void Process::renew_slice() {
  slice_left_ps_ = full_slice_ps_;
  since_ps_ = now_ps();
  interactive_ = false;
}

/// Takes the lock of the whole kernel, if there is one. If the lock is taken, the process sleeps
/// and tries again.
void Process::take_giant() {
  GiantLock* const giant = processor_.giant_;
  if (giant == nullptr) return;
  for (;;) {
    processor_.pay();  // time owed before, such as a switch to this process, is without the lock
    if (giant->is_open_to_processes()) break;
    giant->process_waits.add();
    enter_queue(giant->waiting());
    block(kForever);
  }
  giant->take();
  has_giant_ = true;
}

bool Process::release_giant() {
  if (!has_giant_) return false;
  has_giant_ = false;
  processor_.giant_->release();
  return true;
}

void Process::Timer::expired() {
  Processor& waker = *Processor::current();
  waker.execute(waker.params().wakeup_cycles());
  process_.timed_out_ = true;
  process_.processor_.ready(process_);
}

Process::Syscall::Syscall(Process& process)
    : process_(process), outermost_(process.processor_.context_ == CoreState::kUser) {
  if (!outermost_) return;
  Processor& processor = process_.processor_;
  processor.charge(WorkKind::kUserSyscall);
  processor.context_ = CoreState::kSystem;
  processor.charge(WorkKind::kSyscall);
  process_.take_giant();
}

Process::Syscall::~Syscall() {
  if (!outermost_) return;
  Processor& processor = process_.processor_;
  processor.pay();
  if (process_.release_giant()) processor.pay();  // interrupts that waited for it
  processor.context_ = CoreState::kUser;
  processor.reschedule();
}

}  // namespace longhaul::host
