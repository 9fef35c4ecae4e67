// SPDX-License-Identifier: Apache-2.0
#include "models/common/fiber.h"

#include <sysc/kernel/sc_cor.h>

#include <algorithm>
#include <utility>

namespace longhaul {

Fiber::Fiber(std::function<void()> body, std::size_t stack_bytes)
    : body_(std::move(body)),
      stack_bytes_(stack_bytes),
      event_queue_(EventQueue::get()),
      wake_([this] { event_queue_.make_ready(*this); }) {
  ++event_queue_.fibers_;
  event_queue_.make_ready(*this);
}

Fiber::~Fiber() {
  --event_queue_.fibers_;
  event_queue_.forget(*this);
  if (waits_for_ != nullptr) {
    auto& waiting = waits_for_->waiting_;
    waiting.erase(std::find(waiting.begin(), waiting.end(), this));
  }
  if (coroutine_) coroutine_->stack_protect(false);
}

Fiber* Fiber::current() { return EventQueue::get().running_; }

/// The first function on the fiber's stack.
void Fiber::enter(void* fiber) {
  Fiber& self = *static_cast<Fiber*>(fiber);
  std::exception_ptr thrown;
  try {
    self.body_();
  } catch (...) {
    thrown = std::current_exception();
  }
  self.done_ = true;
  self.event_queue_.leave(std::move(thrown));
}

Condition::Condition() : notification_([this] { notify(); }) {}

Condition::~Condition() {
  for (Fiber* const fiber : waiting_) fiber->waits_for_ = nullptr;
}

void Condition::notify() {
  notification_.cancel();
  for (Fiber* const fiber : waiting_) {
    fiber->waits_for_ = nullptr;
    fiber->event_queue_.make_ready(*fiber);
  }
  waiting_.clear();
  if (threads_ != 0) notify_now(event_);
}

void Condition::notify_in(std::uint64_t ps) { notification_.set_no_later(now_ps() + ps); }

}  // namespace longhaul
