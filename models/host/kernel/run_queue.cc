// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/run_queue.h"

#include "models/host/kernel/process.h"

namespace longhaul::host {

void RunQueue::add(Process& process, bool interactive) {
  process.state_ = Process::State::kReady;
  process.interactive_ = interactive;
  (interactive ? woken_ : others_).push_back(process);
}

Process* RunQueue::take() {
  if (!woken_.empty()) return &woken_.pop_front();
  if (!others_.empty()) return &others_.pop_front();
  return nullptr;
}

bool RunQueue::rotate(Process& running) {
  if (empty()) return false;
  others_.push_back(running);
  running.state_ = Process::State::kReady;
  return true;
}

bool RunQueue::displace(Process& running) {
  if (running.interactive_ || woken_.empty()) return false;
  others_.push_front(running);
  running.state_ = Process::State::kReady;
  return true;
}

}  // namespace longhaul::host
