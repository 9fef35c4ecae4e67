// SPDX-License-Identifier: Apache-2.0
#include "models/toe/timer_list.h"

#include <algorithm>

namespace longhaul::toe {

std::uint64_t TimerList::add(Tid tid, std::uint32_t epoch, std::uint8_t kind, std::uint64_t at_ps) {
  heap_.push_back({at_ps, ++order_, tid, epoch, kind});
  std::push_heap(heap_.begin(), heap_.end(), later);
  arm();
  return order_;
}

std::optional<TimerList::Entry> TimerList::take_due() {
  if (!any_due()) return std::nullopt;
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Entry entry = heap_.back();
  heap_.pop_back();
  arm();
  return entry;
}

void TimerList::arm() {
  if (!heap_.empty()) wake_.set_no_later(heap_.front().at_ps);
}

/// The timers of this instant may have been taken together. Then a later one is first.
void TimerList::wake(const std::function<void()>& due) {
  if (any_due()) return due();
  arm();
}

}  // namespace longhaul::toe
