// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/socket_lock.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/host/kernel/softirqs_off.h"

namespace longhaul::host {
namespace {

constexpr std::uint32_t bit(tcp::Timer timer) { return 1U << static_cast<std::uint32_t>(timer); }

/// While it exists, a process that handles the backlog runs no softirqs, if the system is so.
class BacklogHold {
 public:
  explicit BacklogHold(bool holds_softirqs) {
    Processor* const processor = holds_softirqs ? Processor::current() : nullptr;
    if (processor != nullptr && !processor->in_softirq()) off_.emplace(*processor);
  }

 private:
  std::optional<SoftirqsOff> off_;
};

}  // namespace

void SocketLock::acquire(Processor& processor) {
  constexpr std::uint64_t kSpinCycles = 50;
  while (held_) {  // by another processor's softirq, or by another process
    processor.execute(kSpinCycles);
    processor.pay();
  }
  held_ = true;
}

void SocketLock::release() {
  const BacklogHold hold(holds_softirqs_);  // its end does not need this socket
  process_backlog();
  held_ = false;
  handler_.released();
}

void SocketLock::defer_timer(tcp::Timer timer) { timers_due_ |= bit(timer); }

void SocketLock::defer_room() {
  room_due_ = true;
  run();
}

void SocketLock::defer_news() {
  news_due_ = true;
  run();
}

void SocketLock::run() {
  if (held_) return;
  take();
  release();
}

void SocketLock::prequeue(const Arrival& arrival) {
  prequeued_bytes_ += arrival.packet.bytes;
  backlog_.push_back(arrival);
}

Arrival SocketLock::pop() {
  const Arrival arrival = backlog_.pop_front();
  prequeued_bytes_ -= std::min<std::uint64_t>(prequeued_bytes_, arrival.packet.bytes);
  return arrival;
}

void SocketLock::process_backlog() {
  const BacklogHold hold(holds_softirqs_);
  for (;;) {
    if (timers_due_ != 0) {
      process_timers();
    } else if (room_due_) {
      room_due_ = false;
      handler_.handle_room();
    } else if (news_due_ && (backlog_.empty() || handler_.news_first())) {
      news_due_ = false;
      handler_.handle_news();
    } else if (!backlog_.empty()) {
      process_segment();
    } else {
      return;
    }
  }
}

void SocketLock::process_timers() {
  const std::uint32_t due = std::exchange(timers_due_, 0);
  for (std::size_t i = 0; i < tcp::kTimerKinds; ++i) {
    const auto timer = static_cast<tcp::Timer>(i);
    if ((due & bit(timer)) != 0) handler_.handle_timer(timer);
  }
}

void SocketLock::process_segment() {
  handler_.handle_segment(pop());
  Processor::current()->pay();
}

void SocketLock::process_segments() {
  const BacklogHold hold(holds_softirqs_);
  for (std::size_t left = backlog_.size(); left != 0 && !backlog_.empty(); --left)
    process_segment();
}

}  // namespace longhaul::host
