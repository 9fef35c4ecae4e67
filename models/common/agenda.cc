// SPDX-License-Identifier: Apache-2.0
#include "models/common/agenda.h"

#include <utility>

namespace longhaul {

Alarm::Alarm(std::function<void()> ring) : ring_(std::move(ring)) {
  Agenda::instance();  // its process belongs to the elaboration
}

void Alarm::set(std::uint64_t at_ps) { Agenda::instance().set(*this, at_ps); }

void Alarm::cancel() {
  if (pending()) Agenda::instance().cancel(*this);
}

Agenda& Agenda::instance() {
  // SystemC's own objects live until the process ends, so this one does.
  static Agenda* const agenda = new Agenda;
  return *agenda;
}

Agenda::Agenda() {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&wake_event_);
  sc_core::sc_spawn([this] { ring_method(); }, sc_core::sc_gen_unique_name("agenda"), &options);
}

bool Agenda::kernel_is_due_by(std::uint64_t at_ps) {
  const sc_core::sc_simcontext& kernel = *sc_core::sc_get_curr_simcontext();
  if (kernel.sim_status() != sc_core::SC_SIM_OK) return true;
  if (kernel_may_have_changed_) {
    kernel_may_have_changed_ = false;
    const std::uint64_t left_ps = to_ps(sc_core::sc_time_to_pending_activity(&kernel));
    const std::uint64_t kernel_ps = to_ps(kernel.time_stamp());
    kernel_due_ps_ = left_ps < ~0ULL - kernel_ps ? kernel_ps + left_ps : ~0ULL;
  }
  return kernel_due_ps_ <= at_ps;
}

void Agenda::ring_method() {
  const std::uint64_t kernel_ps = now_ps();
  std::uint64_t at_ps = kernel_ps;
  kernel_may_have_changed_ = true;
  ringing_ = true;
  while (!heap_.empty()) {
    const Entry& next = heap_.front();
    if (next.at_ps > at_ps) {
      if (next.at_ps > horizon_ps_ || kernel_is_due_by(next.at_ps)) break;
      at_ps = next.at_ps;
      detail::ahead_ps = at_ps - kernel_ps;
      ++reached_alone_;
    }
    // Its place at the top stays until it has rung: most alarms set themselves again, not far from there.
    rung_ = next.alarm;
    rung_->place_ = Alarm::kNowhere;
    rung_->ring_();
    if (rung_ != nullptr) remove(0);
    rung_ = nullptr;
  }
  ringing_ = false;
  detail::ahead_ps = 0;
  wake_kernel();
}

void Agenda::wake_kernel() {
  if (!heap_.empty()) wake_event_.notify(from_ps(heap_.front().at_ps - now_ps()));
}

void Agenda::set(Alarm& alarm, std::uint64_t at_ps) {
  sc_assert(at_ps >= now_ps());
  const Entry entry{at_ps, next_order_++, &alarm};
  alarm.at_ps_ = at_ps;
  if (&alarm == rung_) {
    rung_ = nullptr;
    sink(0, entry);
  } else if (!alarm.pending()) {
    heap_.emplace_back();
    rise(heap_.size() - 1, entry);
  } else if (entry.before(heap_[alarm.place_])) {
    rise(alarm.place_, entry);
  } else {
    sink(alarm.place_, entry);
  }
  // A later time than the kernel was told of makes it look once in vain.
  if (!ringing_ && alarm.place_ == 0) wake_kernel();
}

void Agenda::cancel(Alarm& alarm) {
  const std::size_t place = std::exchange(alarm.place_, Alarm::kNowhere);
  remove(place);
  if (!ringing_ && heap_.empty()) wake_event_.cancel();
}

void Agenda::rise(std::size_t place, const Entry& entry) {
  while (place > 0) {
    const std::size_t above = (place - 1) / 2;
    if (!entry.before(heap_[above])) break;
    put(place, heap_[above]);
    place = above;
  }
  put(place, entry);
}

void Agenda::sink(std::size_t place, const Entry& entry) {
  for (;;) {
    std::size_t below = 2 * place + 1;
    if (below >= heap_.size()) break;
    if (below + 1 < heap_.size() && heap_[below + 1].before(heap_[below])) ++below;
    if (!heap_[below].before(entry)) break;
    put(place, heap_[below]);
    place = below;
  }
  put(place, entry);
}

void Agenda::remove(std::size_t place) {
  const Entry last = heap_.back();
  heap_.pop_back();
  if (place == heap_.size()) return;
  if (place > 0 && last.before(heap_[(place - 1) / 2])) {
    rise(place, last);
  } else {
    sink(place, last);
  }
}

void notify_in(sc_core::sc_event& event, std::uint64_t ps) {
  Agenda::instance().kernel_may_have_changed_ = true;
  event.notify(from_ps(ps + detail::ahead_ps));
}

void notify_now(sc_core::sc_event& event) {
  Agenda::instance().kernel_may_have_changed_ = true;
  if (detail::ahead_ps == 0) {
    event.notify();
  } else {
    event.notify(from_ps(detail::ahead_ps));
  }
}

}  // namespace longhaul
