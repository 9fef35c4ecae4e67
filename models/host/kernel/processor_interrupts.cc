// SPDX-License-Identifier: Apache-2.0
// Interrupts, softirqs, and the lock of the whole kernel under which they may run.
#include "models/host/kernel/giant_lock.h"
#include "models/host/kernel/ksoftirqd.h"
#include "models/host/kernel/processor.h"

namespace longhaul::host {

using cpu::CoreState;
using cpu::WorkKind;

// Interrupts.

void Processor::add_handler(std::uint32_t vector, InterruptHandler& handler) {
  interrupts_.add_handler(vector, handler);
  if (interrupt_pending()) notice();
}

void Processor::set_line(std::uint32_t vector, bool asserted) {
  if (interrupts_.set_line(vector, asserted)) giant_->given_up();
  if (asserted) notice();
}

void Processor::message(std::uint32_t vector) {
  interrupts_.message(vector);
  notice();
}

void Processor::timer_interrupt() {
  timer_pending_ = true;
  notice();
}

void Processor::notice() {
  // Devices that are removed after the run may still change their lines.
  if (idle_.idles() && sc_core::sc_is_running()) idle_.wake();
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
    // Handles each pending vector once, so that a line that stays high does not starve softirqs.
    for (std::uint32_t vectors = due_vectors(); vectors != 0; vectors &= vectors - 1) {
      serve(static_cast<std::uint32_t>(__builtin_ctz(vectors)));
    }
    context_ = interrupted;
    if (!softirqs_.empty() && !in_softirq() && !softirqs_.held_off() && softirqs_can_run())
      run_softirqs();
  } while (interrupt_pending());
}

void Processor::serve(std::uint32_t vector) {
  const InterruptLines::Turn turn = interrupts_.begin(vector);
  if (turn == InterruptLines::Turn::kGone) return;
  const bool first = turn == InterruptLines::Turn::kFirst;
  if (first) {
    charge(WorkKind::kInterrupt);
    execute(params_.irq_dispatch_cycles());
  }
  if (!first || params_.interrupt_threads()) switch_thread();
  if (!enter_giant()) {
    interrupts_.put_off(vector);
    return give_way();
  }
  const bool claimed = interrupts_.call(vector);
  settle();
  if (interrupts_.end(vector, claimed, params_.unclaimed_limit())) nobody_cared.add();
  leave_giant();
}

// The lock of the whole kernel, if there is one.

bool Processor::giant_is_free() const { return giant_ == nullptr || giant_->is_free(); }

/// Lets the owed time pass, then takes the lock if it is free. Returns true if it has the lock or
/// there is none.
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
  if (softirqs_.raise(softirq) && idle_.idles()) kick();
}

void Processor::kick() {
  if (g_current != nullptr && !(idle_.idles() && params_.idle_polls())) kicked_ = true;
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
  softirqs_.set_due(!may_run);
  if (may_run && !softirqs_.empty()) ksoftirqd_->wake();
  context_ = interrupted;
}

/// Runs one turn of the first softirq. Returns false if softirqs have to wait for the GiantLock.
bool Processor::run_softirq() {
  const bool anew = !softirqs_.resume();
  if (anew) execute(params_.softirq_cycles());
  if (!anew || params_.interrupt_threads()) switch_thread();
  if (!enter_giant()) {
    softirqs_.put_off();
    give_way();
    return false;
  }
  Softirq& softirq = softirqs_.begin();
  softirq_runs.add();
  const bool more = softirq.run();
  pay();
  softirqs_.end(softirq, more);
  leave_giant();
  if (giant_ != nullptr && interrupt_pending()) take_interrupts();  // some may have waited for it
  return true;
}

}  // namespace longhaul::host
