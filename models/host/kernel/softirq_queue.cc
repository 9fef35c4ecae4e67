// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/softirq_queue.h"

namespace longhaul::host {

bool SoftirqQueue::raise(Softirq& softirq) {
  switch (softirq.state_) {
    case Softirq::State::kQueued:
    case Softirq::State::kRaisedAgain: return false;
    case Softirq::State::kRunning: softirq.state_ = Softirq::State::kRaisedAgain; return false;
    case Softirq::State::kAtRest: break;
  }
  softirq.state_ = Softirq::State::kQueued;
  queue_.push_back(softirq);
  due_ = true;
  return true;
}

Softirq& SoftirqQueue::begin() {
  Softirq& softirq = queue_.pop_front();
  softirq.state_ = Softirq::State::kRunning;
  return softirq;
}

void SoftirqQueue::end(Softirq& softirq, bool more) {
  if (more || softirq.state_ == Softirq::State::kRaisedAgain) {
    softirq.state_ = Softirq::State::kQueued;
    queue_.push_back(softirq);
  } else {
    softirq.state_ = Softirq::State::kAtRest;
  }
}

}  // namespace longhaul::host
