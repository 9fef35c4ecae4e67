// SPDX-License-Identifier: Apache-2.0
#include "models/common/agenda.h"

#include <algorithm>
#include <utility>

namespace longhaul {

Alarm::Alarm(std::function<void()> action) : action_(std::move(action)), agenda_(Agenda::get()) {}

Alarm::~Alarm() { cancel(); }

void Alarm::set(std::uint64_t at_ps) { agenda_.set(*this, at_ps); }

void Alarm::set_no_later(std::uint64_t at_ps) {
  if (at_ps < at_ps_) agenda_.set(*this, at_ps);
}

void Alarm::cancel() { agenda_.cancel(*this); }

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
  while (!entries_.empty() && next_ps() < end_ps && may_go_to(next_ps())) {
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
  const std::uint64_t first_ps = entries_.empty() ? ~0ULL : next_ps();
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
  while (!entries_.empty() && next_ps() <= now) {
    Alarm& alarm = *entries_.back().alarm;
    entries_.pop_back();
    alarm.at_ps_ = Alarm::kNever;
    alarm.action_();
  }
}

void Agenda::set(Alarm& alarm, std::uint64_t at_ps) {
  cancel(alarm);
  if (at_ps == Alarm::kNever) return;
  at_ps = std::max(at_ps, now_ps());
  put_in({at_ps, &alarm});
  alarm.at_ps_ = at_ps;
  if (!turning_) arm();
}

void Agenda::cancel(Alarm& alarm) {
  if (!alarm.is_set()) return;
  auto place = std::lower_bound(entries_.begin(), entries_.end(), alarm.at_ps_, is_later);
  while (place->alarm != &alarm) ++place;
  entries_.erase(place);
  alarm.at_ps_ = Alarm::kNever;
}

/// Behind all of its instant: looks for its place among the next ones one by one, among the others by halves.
void Agenda::put_in(Entry entry) {
  entries_.push_back(entry);
  const auto begin = entries_.begin();
  auto place = entries_.end() - 1;
  const auto far = place - std::min(kNear, place - begin);
  for (; place != far && place[-1].at_ps <= entry.at_ps; --place) place[0] = place[-1];
  if (place == far && far != begin) {
    const auto farther = std::lower_bound(begin, place, entry.at_ps, is_later);
    place = std::move_backward(farther, place, place + 1) - 1;
  }
  *place = entry;
}

void Agenda::arm() {
  if (entries_.empty() || next_ps() >= armed_ps_) return;
  armed_ps_ = next_ps();
  turn_event_.notify(from_ps(armed_ps_ - now_ps()));
}

}  // namespace longhaul
