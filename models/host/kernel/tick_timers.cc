// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/tick_timers.h"

#include <algorithm>

namespace longhaul::host {

TickTimers::TickTimers(const sc_core::sc_module_name& name,
                       const std::vector<Processor*>& processors)
    : sc_module(name), first_(*processors.front()) {
  SC_HAS_PROCESS(TickTimers);
  SC_METHOD(tick_method);
  sensitive << tick_event_;
  dont_initialize();
  for (Processor* const processor : processors) processor->set_timers(*this);
  first_.set_timer_handler(*this);
}

void TickTimers::start_of_simulation() { tick_event_.notify(first_.params().tick()); }

TickTimers::~TickTimers() {
  for (KernelTimer* const timer : heap_) timer->timers_ = nullptr;
}

bool TickTimers::before(const KernelTimer& a, const KernelTimer& b) {
  return a.due_ps_ != b.due_ps_ ? a.due_ps_ < b.due_ps_ : a.order_ < b.order_;
}

void TickTimers::place(KernelTimer& timer, std::size_t slot) {
  heap_[slot] = &timer;
  timer.slot_ = static_cast<std::uint32_t>(slot);
}

void TickTimers::rise(std::size_t slot) {
  KernelTimer& timer = *heap_[slot];
  while (slot > 0 && before(timer, *heap_[(slot - 1) / 2])) {
    place(*heap_[(slot - 1) / 2], slot);
    slot = (slot - 1) / 2;
  }
  place(timer, slot);
}

void TickTimers::sink(std::size_t slot) {
  KernelTimer& timer = *heap_[slot];
  for (std::size_t child = 2 * slot + 1; child < heap_.size(); child = 2 * slot + 1) {
    if (child + 1 < heap_.size() && before(*heap_[child + 1], *heap_[child])) ++child;
    if (!before(*heap_[child], timer)) break;
    place(*heap_[child], slot);
    slot = child;
  }
  place(timer, slot);
}

void TickTimers::set(KernelTimer& timer, std::uint64_t at_ps) {
  cancel(timer);
  // A timer that is set while its tick is handled expires at the next tick.
  timer.due_ps_ = std::max(at_ps, tick_ps_ + 1);
  timer.order_ = orders_++;
  timer.timers_ = this;
  heap_.push_back(&timer);
  rise(heap_.size() - 1);
}

void TickTimers::cancel(KernelTimer& timer) {
  if (timer.timers_ != this) return;
  timer.timers_ = nullptr;
  const std::size_t slot = timer.slot_;
  KernelTimer& moved = *heap_.back();
  heap_.pop_back();
  if (&moved == &timer) return;
  place(moved, slot);
  rise(slot);
  sink(moved.slot_);
}

void TickTimers::tick_method() {
  tick_event_.notify(first_.params().tick());
  first_.timer_interrupt();
}

bool TickTimers::interrupt() {
  const std::uint64_t tick = to_ps(first_.params().tick());
  tick_ps_ = now_ps() / tick * tick;
  ticks.add();
  first_.execute(first_.params().tick_cycles());
  if (!heap_.empty() && heap_.front()->due_ps_ <= tick_ps_) first_.raise(*this);
  return true;
}

bool TickTimers::run() {
  while (!heap_.empty() && heap_.front()->due_ps_ <= tick_ps_) {
    KernelTimer& timer = *heap_.front();
    cancel(timer);
    expiries.add();
    timer.expired();
    Processor::current()->pay();
  }
  return false;
}

}  // namespace longhaul::host
