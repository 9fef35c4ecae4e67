// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/softirqs_off.h"

#include "models/host/kernel/processor.h"

namespace longhaul::host {

SoftirqsOff::SoftirqsOff(Processor& processor) : processor_(processor) {
  processor.softirqs_.hold_off();
}

SoftirqsOff::~SoftirqsOff() {
  SoftirqQueue& softirqs = processor_.softirqs_;
  softirqs.let_on();
  if (softirqs.held_off() || softirqs.empty() || processor_.in_hardirq() ||
      processor_.in_softirq() || !processor_.softirqs_can_run())
    return;
  processor_.settle();
  processor_.run_softirqs();
}

}  // namespace longhaul::host
