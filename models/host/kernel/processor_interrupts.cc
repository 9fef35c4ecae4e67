// SPDX-License-Identifier: Apache-2.0
// Interrupts, softirqs, and the lock of the whole kernel that they may run under.
#include "models/host/kernel/giant_lock.h"
#include "models/host/kernel/ksoftirqd.h"
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
  if (idle_ && sc_core::sc_is_running()) notify_now(idle_event_);
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
    if (!softirqs_.empty() && !in_softirq() && softirqs_off_ == 0 && softirqs_can_run()) run_softirqs();
  } while (interrupt_pending());
}

void Processor::serve(std::uint32_t vector) {
  const std::uint32_t mask = bit(vector);
  if ((pending_vectors() & mask) == 0) return;  // gone since: a shared cause, cleared by another handler
  if ((waiting_ & mask) == 0) {
    charge(WorkKind::kInterrupt);
    execute(params_.irq_dispatch_cycles());
  } else {
    switch_thread();
  }
  waiting_ |= mask;
  if (!enter_giant()) return;
  waiting_ &= ~mask;
  messages_ &= ~mask;
  serving_ |= mask;
  const bool claimed = call_handlers(vector);
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

bool Processor::call_handlers(std::uint32_t vector) {
  for (InterruptHandler* const handler : handlers_[vector]) {
    if (handler->interrupt()) return true;
  }
  return false;
}

// The lock of the whole kernel, where there is one.

std::uint32_t Processor::vectors_under_giant() const {
  return giant_->is_free() ? pending_vectors() : pending_vectors() & ~waiting_;
}

bool Processor::softirqs_under_giant() const { return giant_->is_free(); }

/// Whether interrupt work may go on; if not, its thread gives the processor away.
bool Processor::enter_giant() {
  if (giant_ == nullptr) return true;
  settle();
  if (giant_->is_free()) {
    giant_->take();
    return true;
  }
  giant_->interrupt_waits.add();
  switch_thread();
  settle();
  return false;
}

void Processor::switch_thread() {
  execute(params_.schedule_cycles());
  charge(WorkKind::kContextSwitch);
}

void Processor::leave_giant() {
  if (giant_ != nullptr) giant_->release();
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
  if (g_current != nullptr) kicked_ = true;
  notice();
}

void Processor::run_softirqs() {
  const CoreState interrupted = context_;
  context_ = CoreState::kSoftirq;
  bool may_run = true;
  for (std::uint32_t round = 0; may_run && round < params_.softirq_restarts() && !softirqs_.empty(); ++round) {
    for (std::uint32_t left = softirqs_.size(); may_run && left != 0; --left) may_run = run_softirq();
  }
  softirqs_due_ = !may_run;
  if (may_run && !softirqs_.empty()) wake_ksoftirqd();
  context_ = interrupted;
}

/// A turn of the first of them; false if it waits for the GiantLock.
bool Processor::run_softirq() {
  if (softirqs_wait_) {
    switch_thread();
  } else {
    execute(params_.softirq_cycles());
  }
  softirqs_wait_ = true;
  if (!enter_giant()) return false;
  softirqs_wait_ = false;
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
  if (--softirqs_off_ != 0 || softirqs_.empty() || in_hardirq() || in_softirq()) return;
  settle();
  run_softirqs();
}

}  // namespace longhaul::host
