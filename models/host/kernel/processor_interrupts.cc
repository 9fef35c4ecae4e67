// SPDX-License-Identifier: Apache-2.0
// Interrupts, softirqs, and the lock of the whole kernel that they may run under.
#include <utility>

#include "models/host/kernel/giant_lock.h"
#include "models/host/kernel/process.h"
#include "models/host/kernel/processor.h"

namespace longhaul::host {

using cpu::CoreState;
using cpu::WorkKind;

// Interrupts.

void Processor::add_handler(std::uint32_t vector, InterruptHandler& handler) {
  handlers_.at(vector).push_back(&handler);
  handled_ |= bit(vector);
  if (interrupt_pending()) notice();
}

void Processor::set_line(std::uint32_t vector, bool asserted) {
  lines_ = asserted ? lines_ | bit(vector) : lines_ & ~bit(vector);
  if (asserted) return notice();
  if (vector >= kVectors) return;
  unclaimed_[vector] = 0;
  if ((waiting_ & bit(vector)) == 0) return;
  waiting_ &= ~bit(vector);
  giant_->given_up();
}

void Processor::message(std::uint32_t vector) {
  messages_ |= bit(vector) & handled_;
  notice();
}

void Processor::timer_interrupt() {
  timer_pending_ = true;
  notice();
}

void Processor::notice() {
  // Devices that are taken down after the run may still move their lines.
  if (idle_ && sc_core::sc_is_running()) wanted_.notify();
}

void Processor::take_interrupts() {
  const CoreState interrupted = context_;
  do {
    context_ = CoreState::kHardirq;
    if (kicked_) {
      kicked_ = false;
      charge(WorkKind::kInterrupt);
      kicks.add();
      settle();
    }
    if (timer_pending_) {
      timer_pending_ = false;
      charge(WorkKind::kInterrupt);
      timer_handler_->interrupt();
      settle();
    }
    // Those that are pending now, each once: softirqs are not starved by a line that does not fall.
    for (std::uint32_t vectors = due_vectors(); vectors != 0; vectors &= vectors - 1) {
      serve(static_cast<std::uint32_t>(__builtin_ctz(vectors)));
    }
    context_ = interrupted;
    if (!softirqs_.empty() && !in_softirq() && softirqs_off_ == 0 && softirqs_can_run())
      run_softirqs();
  } while (interrupt_pending());
}

void Processor::serve(std::uint32_t vector) {
  const std::uint32_t mask = bit(vector);
  if ((pending_vectors() & mask) == 0)
    return;  // gone since: a shared cause, cleared by another handler
  const bool anew = (waiting_ & mask) == 0;
  waiting_ &= ~mask;
  serving_ |= mask;
  if (anew) {
    charge(WorkKind::kInterrupt);
    execute(params_.irq_dispatch_cycles());
  }
  if (!anew || params_.interrupt_threads()) switch_thread();
  if (!enter_giant()) {
    waiting_ |= mask;
    serving_ &= ~mask;
    return give_way();
  }
  messages_ &= ~mask;
  bool claimed = false;
  for (std::size_t i = 0; i < handlers_[vector].size() && !claimed; ++i)
    claimed = handlers_[vector][i]->interrupt();
  settle();
  serving_ &= ~mask;
  leave_giant();
  if (claimed) {
    unclaimed_[vector] = 0;
  } else if ((lines_ & mask) != 0 && ++unclaimed_[vector] == params_.unclaimed_limit()) {
    masked_ |= mask;
    nobody_cared.add();
  }
}

// The lock of the whole kernel, where there is one.

bool Processor::giant_is_free() const { return giant_ == nullptr || giant_->is_free(); }

/// Takes it once what is owed has passed, if it is free then.
bool Processor::enter_giant() {
  if (giant_ == nullptr) return true;
  settle();
  if (!giant_->is_free()) return false;
  giant_->take();
  return true;
}

void Processor::leave_giant() {
  if (giant_ != nullptr) giant_->release();
}

void Processor::switch_thread() {
  execute(params_.schedule_cycles());
  charge(WorkKind::kContextSwitch);
}

/// A thread of interrupt work sleeps until the lock is free.
void Processor::give_way() {
  giant_->interrupt_waits.add();
  switch_thread();
  settle();
}

// Softirqs.

void Processor::raise(Softirq& softirq) {
  switch (softirq.state_) {
    case Softirq::State::kQueued:
    case Softirq::State::kRaisedAgain: return;
    case Softirq::State::kRunning: softirq.state_ = Softirq::State::kRaisedAgain; return;
    case Softirq::State::kAtRest: break;
  }
  softirq.state_ = Softirq::State::kQueued;
  softirqs_.push_back(softirq);
  softirqs_due_ = true;
  if (idle_) kick();
}

void Processor::kick() {
  if (g_current != nullptr && !(idle_ && params_.idle_polls())) kicked_ = true;
  notice();
}

void Processor::run_softirqs() {
  const CoreState interrupted = context_;
  context_ = CoreState::kSoftirq;
  bool may_run = true;
  for (std::uint32_t round = 0; may_run && round < params_.softirq_restarts() && !softirqs_.empty();
       ++round) {
    for (std::uint32_t left = softirqs_.size(); may_run && left != 0; --left)
      may_run = run_softirq();
  }
  softirqs_due_ = !may_run;
  if (may_run && !softirqs_.empty()) wake_ksoftirqd();
  context_ = interrupted;
}

/// A turn of the first of them; false if they have to wait for the GiantLock.
bool Processor::run_softirq() {
  const bool anew = !std::exchange(softirqs_wait_, false);
  if (anew) execute(params_.softirq_cycles());
  if (!anew || params_.interrupt_threads()) switch_thread();
  if (!enter_giant()) {
    softirqs_wait_ = true;
    give_way();
    return false;
  }
  Softirq& softirq = softirqs_.pop_front();
  softirq.state_ = Softirq::State::kRunning;
  softirq_runs.add();
  const bool more = softirq.run();
  pay();
  if (more || softirq.state_ == Softirq::State::kRaisedAgain) {
    softirq.state_ = Softirq::State::kQueued;
    softirqs_.push_back(softirq);
  } else {
    softirq.state_ = Softirq::State::kAtRest;
  }
  leave_giant();
  if (giant_ != nullptr && interrupt_pending()) take_interrupts();  // some may have waited for it
  return true;
}

void Processor::wake_ksoftirqd() {
  if (ksoftirqd_->state_ != Process::State::kBlocked) {
    ksoftirqd_->woken_ = true;  // it may be about to block
    return;
  }
  ksoftirqd_wakeups.add();
  execute(params_.wakeup_cycles());
  ready(*ksoftirqd_);
  settle();
}

void Processor::softirqs_on() {
  if (--softirqs_off_ != 0 || softirqs_.empty() || in_hardirq() || in_softirq() ||
      !softirqs_can_run())
    return;
  settle();
  run_softirqs();
}

}  // namespace longhaul::host
