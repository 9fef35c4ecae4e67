// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/idle_thread.h"

#include <cstddef>

#include "models/common/event_queue.h"
#include "models/host/kernel/away.h"
#include "models/host/kernel/processor.h"

namespace longhaul::host {

IdleThread::IdleThread(Processor& processor)
    : processor_(processor), fiber_([this] { run(); }, Processor::kStackBytes) {}

void IdleThread::run() {
  Processor& processor = processor_;
  const KernelParams& params = processor.params();
  Processor::g_current = &processor;
  for (;;) {
    if (processor.interrupt_pending()) processor.take_interrupts();
    if (processor.softirqs_ready()) processor.run_softirqs();
    processor.settle();
    if (processor.interrupt_pending() || processor.softirqs_ready()) continue;
    Process* const next = processor.runnable_.take();
    if (next != nullptr) {
      processor.give_to(next);
    } else {
      idles_ = true;
      processor.core().state.enter(static_cast<std::size_t>(cpu::CoreState::kIdle));
    }
    const Away away(processor);
    do {
      EventQueue::get().pass_until(wanted_);
    } while (processor.running_ != nullptr);
    if (idles_ && params.halt_takes_time() && !params.idle_polls()) processor.core().leave_halt();
    idles_ = false;
  }
}

}  // namespace longhaul::host
