// SPDX-License-Identifier: Apache-2.0
#include "models/toe/context_memory.h"

#include <algorithm>

namespace longhaul::toe {

ContextMemory::ContextMemory(const ToeParams& params)
    : most_(static_cast<std::uint32_t>(params.cm_size().count / 2 / params.cm_connection().count)),
      most_p_structs_(params.p_structs()),
      access_clocks_(static_cast<std::uint32_t>(
          params.cm_latency() +
          (params.cm_connection().count + params.cm_width().count - 1) / params.cm_width().count)),
      cache_(params.cm_cache()) {}

bool ContextMemory::take() {
  if (in_use.value() >= most_) return false;
  in_use.add(1);
  return true;
}

void ContextMemory::give_back(Tid tid) {
  in_use.add(-1);
  auto* const end = cached_.begin() + cached_count_;
  auto* const place = std::find(cached_.begin(), end, tid);
  if (place == end) return;
  std::copy(place + 1, end, place);
  --cached_count_;
}

std::uint32_t ContextMemory::access(Tid tid) {
  if (cache_ == 0) {
    misses.add();
    return 2 * access_clocks_;
  }
  auto* const end = cached_.begin() + cached_count_;
  auto* place = std::find(cached_.begin(), end, tid);
  const bool hit = place != end;
  std::uint32_t clocks = 0;
  if (hit) {
    hits.add();
  } else {
    misses.add();
    clocks = access_clocks_;
    if (cached_count_ < cache_) {
      ++cached_count_;
    } else {
      --place;  // the one used longest ago is written back
      clocks += access_clocks_;
    }
  }
  std::copy_backward(cached_.begin(), place, place + 1);
  cached_[0] = tid;
  return clocks;
}

}  // namespace longhaul::toe
