// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/ksoftirqd.h"

namespace longhaul::host {

Ksoftirqd::Ksoftirqd(const sc_core::sc_module_name& name, Processor& processor)
    : Process(name, processor, processor.params().ksoftirqd_slice()) {}

void Ksoftirqd::wake() {
  if (state_ != State::kBlocked) {
    woken_ = true;  // it may be about to sleep
    return;
  }
  Processor& waker = processor();
  waker.ksoftirqd_wakeups.add();
  waker.execute(waker.params().wakeup_cycles());
  waker.ready(*this);
  waker.settle();
}

void Ksoftirqd::main() {
  for (;;) {
    while (!processor().softirqs_.empty() && processor().softirqs_can_run()) {
      processor().run_softirqs();
      processor().reschedule();
    }
    block(kForever);
  }
}

}  // namespace longhaul::host
