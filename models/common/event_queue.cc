// SPDX-License-Identifier: Apache-2.0
#include "models/common/event_queue.h"

#include <sysc/kernel/sc_cor.h>

#include <algorithm>
#include <utility>

#include "models/common/fiber.h"

namespace longhaul {

Timer::Timer(std::function<void()> action)
    : action_(std::move(action)), event_queue_(EventQueue::get()) {}

Timer::~Timer() { cancel(); }

void Timer::set(std::uint64_t at_ps) { event_queue_.set(*this, at_ps); }

void Timer::set_no_later(std::uint64_t at_ps) {
  if (at_ps < at_ps_) event_queue_.set(*this, at_ps);
}

void Timer::cancel() {
  if (is_set()) event_queue_.cancel(*this);
}

/// Sets now_ps() to the queue's own time while it lives.
class EventQueue::Turn {
 public:
  explicit Turn(EventQueue& event_queue) : event_queue_(event_queue) { event_queue_.take_over(); }
  ~Turn() { event_queue_.hand_back(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  EventQueue& event_queue_;
};

EventQueue& EventQueue::get() {
  // The queue lives as long as the kernel, which is never destroyed.
  static auto* const kOnly = new EventQueue;
  return *kOnly;
}

EventQueue::EventQueue() {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&turn_event_);
  sc_core::sc_spawn([this] { turn(); }, "event_queue", &options);
}

void EventQueue::turn() {
  const Turn turn(*this);
  ring_due(now_ps());
  for (go_on(~0ULL); !ready_.empty(); go_on(~0ULL)) {
    switch_to(ready_.pop_front());
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
}

void EventQueue::take_over() {
  turning_ = true;
  ahead_ps_ = now_ps();
  detail::g_now_ps = &ahead_ps_;
  armed_ps_ = ~0ULL;
  const bool at_once = sc_core::sc_pending_activity_at_current_time();
  sc_core::sc_time next;
  const bool later = sc_core::sc_get_curr_simcontext()->next_time(next);
  detail::g_kernel_next_ps = at_once ? ahead_ps_ : later ? to_ps(next) : ~0ULL;
}

void EventQueue::hand_back() {
  detail::g_now_ps = detail::kKernelPs;
  turning_ = false;
  arm();
}

bool EventQueue::may_go_to(std::uint64_t at_ps) const {
  return at_ps < std::min(detail::g_kernel_next_ps, until_ps_) &&
         sc_core::sc_get_curr_simcontext()->sim_status() == sc_core::SC_SIM_OK;
}

/// Whether the next thing to happen is a timer that is due by `end_ps`.
bool EventQueue::timer_is_next(std::uint64_t end_ps) const {
  return ready_.empty() && next_ps() <= end_ps && may_go_to(next_ps());
}

/// Runs the timers up to `end_ps` ahead of the kernel, until a fiber becomes ready.
void EventQueue::go_on(std::uint64_t end_ps) {
  while (timer_is_next(end_ps)) {
    ahead_ps_ = next_ps();
    ring_due(ahead_ps_);
  }
}

void EventQueue::ring_due(std::uint64_t now) {
  while (next_ps() <= now) {
    Timer& timer = *next_->timer;
    --next_;
    timer.at_ps_ = Timer::kNever;
    timer.action_();
  }
}

void EventQueue::pass(std::uint64_t ps) {
  const std::uint64_t end_ps = now_ps() + ps;
  if (running_ == nullptr) {
    go_on_in_thread(end_ps);
    return sc_core::wait(from_ps(end_ps - now_ps()));
  }
  Fiber& fiber = *running_;
  go_on_in_fiber(end_ps);
  if (ready_.empty() && next_ps() > end_ps && may_go_to(end_ps)) {
    ahead_ps_ = end_ps;
    return;
  }
  fiber.wake_.set(end_ps);
  give_way(fiber);
}

void EventQueue::pass_until(Condition& condition) {
  if (running_ != nullptr) {
    Fiber& fiber = *running_;
    condition.waiting_.push_back(&fiber);
    fiber.waits_for_ = &condition;
    return give_way(fiber);
  }
  ++condition.threads_;
  go_on_in_thread(~0ULL);
  sc_core::wait(condition.event_);
  --condition.threads_;
}

void EventQueue::catch_up() {
  if (now_ps() == *detail::kKernelPs) return;
  detail::g_kernel_next_ps = now_ps();
  running_->wake_.set(now_ps());
  give_way(*running_);
}

// Threads of SystemC's.

/// A thread takes over only if a timer is due before `end_ps` and there are no fibers: fibers could
/// not run in between. Timers that are due now are left to the method process. Events that they
/// notify at once would not find the thread waiting.
bool EventQueue::thread_may_take_over(std::uint64_t end_ps) const {
  if (fibers_ != 0 || next_ps() >= end_ps || next_ps() <= now_ps() || until_ps_ <= now_ps()) {
    return false;
  }
  return !sc_core::sc_pending_activity_at_current_time();
}

/// go_on() on the stack of a thread that is about to wait. Stops before `end_ps`, where the kernel
/// wakes the thread.
void EventQueue::go_on_in_thread(std::uint64_t end_ps) {
  if (!thread_may_take_over(end_ps)) return;
  turn_event_.cancel();
  const Turn turn(*this);
  go_on(end_ps - 1);
}

// Fibers.

void EventQueue::make_ready(Fiber& fiber) {
  ready_.push_back(&fiber);
  if (!turning_) arm();
}

/// Removes a fiber that is about to be destroyed.
void EventQueue::forget(Fiber& fiber) {
  for (std::size_t left = ready_.size(); left != 0; --left) {
    Fiber* const each = ready_.pop_front();
    if (each != &fiber) ready_.push_back(each);
  }
}

/// go_on() on the stack of a fiber. An exception of a timer does not unwind that stack: turn()
/// rethrows it.
void EventQueue::go_on_in_fiber(std::uint64_t end_ps) {
  try {
    go_on(end_ps);
    return;
  } catch (...) {
    thrown_ = std::current_exception();
  }
  switch_to(nullptr);
}

/// Runs timers on the stack of a waiting fiber until this fiber or another one is ready.
void EventQueue::give_way(Fiber& fiber) {
  go_on_in_fiber(~0ULL);
  Fiber* const next = ready_.empty() ? nullptr : ready_.pop_front();
  if (next != &fiber) switch_to(next);
}

/// Ends the fiber that runs. Does not return.
void EventQueue::leave(std::exception_ptr thrown) {
  thrown_ = std::move(thrown);
  if (thrown_) switch_to(nullptr);
  give_way(*running_);
}

/// Switches to the stack of a fiber, or to the method's if `next` is null. Returns when the caller
/// is switched to again.
void EventQueue::switch_to(Fiber* next) {
  sc_core::sc_cor_pkg& stacks = *sc_core::sc_get_curr_simcontext()->cor_pkg();
  running_ = next;
  if (next == nullptr) return stacks.yield(stacks.get_main());
  if (!next->coroutine_) {
    next->coroutine_.reset(stacks.create(next->stack_bytes_, Fiber::enter, next));
    next->coroutine_->stack_protect(true);
  }
  stacks.yield(next->coroutine_.get());
}

void EventQueue::cancel(Timer& timer) {
  Entry* place = next_;
  for (int left = kNear; place->timer != &timer; --place) {
    if (--left != 0) continue;
    place = std::lower_bound(room_.data(), next_, timer.at_ps_, is_later);
    while (place->timer != &timer) ++place;
    break;
  }
  std::copy(place + 1, next_ + 1, place);
  --next_;
  timer.at_ps_ = Timer::kNever;
}

/// Puts the entry behind all timers of its instant. Compares one by one with the next timers, then
/// by halves with the others.
inline void EventQueue::put_in(Entry entry) {
  if (next_ == &room_.back()) make_room();
  Entry* place = ++next_;
  for (int left = kNear; place[-1].at_ps <= entry.at_ps; --place) {
    if (--left == 0) return put_in_far(place, entry);
    place[0] = place[-1];
  }
  *place = entry;
}

[[gnu::noinline]] void EventQueue::put_in_far(Entry* place, Entry entry) {
  Entry* const farther = std::lower_bound(room_.data(), place, entry.at_ps, is_later);
  std::move_backward(farther, place, place + 1);
  *farther = entry;
}

[[gnu::noinline]] void EventQueue::make_room() {
  const std::ptrdiff_t next = next_ - room_.data();
  room_.resize(2 * room_.size());
  next_ = room_.data() + next;
}

void EventQueue::set(Timer& timer, std::uint64_t at_ps) {
  if (timer.is_set()) cancel(timer);
  if (at_ps == Timer::kNever) return;
  at_ps = std::max(at_ps, now_ps());
  put_in({at_ps, &timer});
  timer.at_ps_ = at_ps;
  if (!turning_) arm();
}

/// Makes the kernel call the method at the next instant at which something is due.
void EventQueue::arm() {
  const std::uint64_t at_ps = ready_.empty() ? next_ps() : now_ps();
  if (at_ps >= armed_ps_) return;
  armed_ps_ = at_ps;
  turn_event_.notify(from_ps(at_ps - now_ps()));
}

}  // namespace longhaul
