// SPDX-License-Identifier: Apache-2.0
#include "models/common/agenda.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace longhaul {

Alarm::Alarm(std::function<void()> action) : action_(std::move(action)), number_(Agenda::get().enter(*this)) {}

Alarm::~Alarm() { Agenda::get().leave(*this); }  // also when its action threw and nobody rings it any more

void Alarm::set(std::uint64_t at_ps) { Agenda::get().set(*this, at_ps); }

void Alarm::set_no_later(std::uint64_t at_ps) {
  Agenda& agenda = Agenda::get();
  if (!is_set() || at_ps < Agenda::at_ps(agenda.heap_[agenda.places_[number_]])) agenda.set(*this, at_ps);
}

void Alarm::cancel() {
  if (is_set()) Agenda::get().remove(*this);
}

bool Alarm::is_set() const { return !going_off_ && Agenda::get().places_[number_] != Agenda::kNowhere; }

/// While the method has its turn.
class Agenda::Turn {
 public:
  explicit Turn(Agenda& agenda) : agenda_(agenda) { agenda_.take_over(); }
  ~Turn() { agenda_.hand_back(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Agenda& agenda_;
};

/// While an alarm goes off: it leaves the heap when its action is over, or has thrown, unless it was set again.
class Agenda::Ring {
 public:
  Ring(Agenda& agenda, Alarm& which) : alarm(which), agenda_(agenda) { alarm.going_off_ = true; }
  ~Ring() {
    if (std::exchange(alarm.going_off_, false)) agenda_.remove(alarm);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  Alarm& alarm;

 private:
  Agenda& agenda_;
};

Agenda& Agenda::get() {
  // Lives as long as the kernel, which is never taken down.
  static auto* const kOnly = new Agenda;
  return *kOnly;
}

Agenda::Agenda() {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&turn_event_);
  sc_core::sc_spawn([this] { turn(); }, "agenda", &options);
}

std::uint32_t Agenda::enter(Alarm& alarm) {
  if (free_.empty()) {
    const auto number = static_cast<std::uint32_t>(alarms_.size());
    if (number >> kNumberBits != 0) throw std::length_error("Agenda: more than a million alarms");
    alarms_.push_back(nullptr);
    places_.push_back(kNowhere);
    free_.push_back(number);
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  alarms_[number] = &alarm;
  return number;
}

void Agenda::leave(Alarm& alarm) {
  if (places_[alarm.number_] != kNowhere) remove(alarm);
  free_.push_back(alarm.number_);
}

void Agenda::turn() {
  const std::uint64_t kernel_ps = now_ps();
  const Turn turn(*this);
  ring_due(kernel_ps);
  go_on(~0ULL);
}

/// From now on the time is the agenda's.
void Agenda::take_over() {
  turning_ = true;
  armed_ps_ = ~0ULL;
  const bool at_once = sc_core::sc_pending_activity_at_current_time();
  sc_core::sc_time next;
  const bool later = sc_core::sc_get_curr_simcontext()->next_time(next);
  detail::g_kernel_next_ps = at_once ? now_ps() : later ? to_ps(next) : ~0ULL;
}

void Agenda::hand_back() {
  detail::g_ahead_ps = 0;
  turning_ = false;
  arm();
}

bool Agenda::may_go_to(std::uint64_t at_ps) const {
  return at_ps < std::min(detail::g_kernel_next_ps, until_ps_) &&
         sc_core::sc_get_curr_simcontext()->sim_status() == sc_core::SC_SIM_OK;
}

/// Rings the alarms before `end_ps`, ahead of the kernel.
void Agenda::go_on(std::uint64_t end_ps) {
  const std::uint64_t kernel_ps = now_ps() - detail::g_ahead_ps;
  while (!heap_.empty() && next_ps() < end_ps && may_go_to(next_ps())) {
    detail::g_ahead_ps = next_ps() - kernel_ps;
    ring_due(next_ps());
  }
}

/// The same on the stack of a thread.
void Agenda::go_on_from_thread(std::uint64_t end_ps) {
  struct Thrown {
    ~Thrown() {
      if (agenda != nullptr) agenda->rejoin();
    }
    Agenda* agenda;
  } thrown{this};
  go_on(end_ps);
  thrown.agenda = nullptr;
}

/// Whether the thread that calls sees to the alarms from now on, which it does not if there is nothing in it.
bool Agenda::set_out(std::uint64_t end_ps, bool may_stay_ahead) {
  if (thread_turns_) return true;
  const std::uint64_t first_ps = heap_.empty() ? ~0ULL : next_ps();
  // What is due now is left to the method: events that it notifies at once would not find the thread waiting.
  if (first_ps <= now_ps() || until_ps_ <= now_ps() || (first_ps >= end_ps && !may_stay_ahead)) return false;
  if (sc_core::sc_pending_activity_at_current_time()) return false;
  turn_event_.cancel();
  take_over();
  thread_turns_ = true;
  return true;
}

void Agenda::pass(std::uint64_t ps, bool may_stay_ahead) {
  const std::uint64_t kernel_ps = now_ps() - detail::g_ahead_ps;
  const std::uint64_t end_ps = now_ps() + ps;
  if (set_out(end_ps, may_stay_ahead)) {
    go_on_from_thread(may_stay_ahead ? end_ps + 1 : end_ps);  // methods come before threads
    if (may_stay_ahead && may_go_to(end_ps)) {
      detail::g_ahead_ps = end_ps - kernel_ps;
      return;
    }
    rejoin();
  }
  sc_core::wait(from_ps(end_ps - kernel_ps));
}

void Agenda::pass_until(const sc_core::sc_event& event) {
  if (set_out(~0ULL, false)) go_on_from_thread(~0ULL);
  rejoin();
  sc_core::wait(event);
}

void Agenda::rejoin() {
  if (std::exchange(thread_turns_, false)) hand_back();
}

void Agenda::catch_up() {
  const std::uint64_t by_ps = detail::g_ahead_ps;
  rejoin();
  if (by_ps != 0) sc_core::wait(from_ps(by_ps));
}

void Agenda::ring_due(std::uint64_t now) {
  while (!heap_.empty() && next_ps() <= now) {
    // It keeps its place, which nothing that is set now can take, in case it is set again.
    const Ring ring(*this, *alarms_[number(heap_.front())]);
    ring.alarm.action_();
  }
}

void Agenda::set(Alarm& alarm, std::uint64_t at_ps) {
  const std::uint64_t turn = ++order_ << kNumberBits | alarm.number_;
  const Entry entry = static_cast<Entry>(std::max(at_ps, now_ps())) << 64 | turn;
  alarm.going_off_ = false;
  const std::uint32_t place = places_[alarm.number_];
  if (place == kNowhere) {
    heap_.push_back(entry);
    sift_up(heap_.size() - 1, entry);
  } else if (entry < heap_[place]) {
    sift_up(place, entry);
  } else {
    sift_down(place, entry);
  }
  if (!turning_) arm();
}

void Agenda::remove(Alarm& alarm) {
  const std::uint32_t place = std::exchange(places_[alarm.number_], kNowhere);
  const Entry last = heap_.back();
  heap_.pop_back();
  if (place == heap_.size()) return;
  if (place > 0 && last < heap_[(place - 1) / 2]) {
    sift_up(place, last);
  } else {
    sift_down(place, last);
  }
}

void Agenda::arm() {
  if (heap_.empty() || next_ps() >= armed_ps_) return;
  armed_ps_ = next_ps();
  turn_event_.notify(from_ps(armed_ps_ - now_ps()));
}

void Agenda::sift_up(std::size_t place, Entry entry) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (heap_[parent] < entry) break;
    put(place, heap_[parent]);
    place = parent;
  }
  put(place, entry);
}

void Agenda::sift_down(std::size_t place, Entry entry) {
  const std::size_t count = heap_.size();
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= count) break;
    if (child + 1 < count) child += heap_[child + 1] < heap_[child] ? 1 : 0;
    if (entry < heap_[child]) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, entry);
}

}  // namespace longhaul
