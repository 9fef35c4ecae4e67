// SPDX-License-Identifier: Apache-2.0
#include "models/toe/context_memory.h"

#include <algorithm>
#include <utility>

namespace longhaul::toe {

ContextMemory::ContextMemory(const ToeParams& params)
    : most_(static_cast<std::uint32_t>(params.cm_size().count / 2 / params.cm_connection().count)),
      most_p_structs_(params.p_structs()),
      access_clocks_(static_cast<std::uint32_t>(
          params.cm_latency() +
          (params.cm_connection().count + params.cm_width().count - 1) / params.cm_width().count)),
      cache_(params.cm_cache()),
      direct_(params.cm_cache_places() == "tid") {
  cached_.fill(kNobody);
}

bool ContextMemory::take() {
  if (in_use.value() >= most_) return false;
  in_use.add(1);
  return true;
}

void ContextMemory::give_back(Tid tid) {
  in_use.add(-1);
  auto* const end = cached_.begin() + cache_;
  auto* const place = std::find(cached_.begin(), end, tid);
  if (place == end) return;
  *place = kNobody;
  if (!direct_) std::rotate(place, place + 1, end);
}

Tid ContextMemory::replace_in_place(Tid tid) { return std::exchange(cached_[tid % cache_], tid); }

Tid ContextMemory::replace_last_used(Tid tid) {
  auto* const last = cached_.begin() + cache_ - 1;
  std::rotate(cached_.begin(), last, last + 1);
  return std::exchange(cached_[0], tid);
}

std::uint32_t ContextMemory::access(Tid tid) {
  if (cache_ == 0) {
    misses.add();
    return 2 * access_clocks_;
  }
  auto* const end = cached_.begin() + cache_;
  auto* const place = std::find(cached_.begin(), end, tid);
  if (place != end) {
    hits.add();
    if (!direct_) std::rotate(cached_.begin(), place, place + 1);
    return 0;
  }
  misses.add();
  const Tid left = direct_ ? replace_in_place(tid) : replace_last_used(tid);
  if (left == kNobody) return access_clocks_;
  write_backs.add();
  return 2 * access_clocks_;
}

}  // namespace longhaul::toe
