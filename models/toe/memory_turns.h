// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/common/event_queue.h"

namespace longhaul::toe {

/// The memory that several lanes share. An event of one lane has it at a time. When it is free, the
/// lanes are asked in the order in which they were added.
class MemoryTurns {
 public:
  /// `kick` lets a lane take its next event.
  void add(std::function<void()> kick) { lanes_.push_back(std::move(kick)); }
  bool free() const { return now_ps() >= free_ps_; }
  void hold(std::uint64_t ps) {
    if (ps == 0) return;
    free_ps_ = now_ps() + ps;
    freed_.set(free_ps_);
  }

 private:
  std::vector<std::function<void()>> lanes_;
  std::uint64_t free_ps_ = 0;
  Timer freed_{[this] {
    for (const std::function<void()>& kick : lanes_) kick();
  }};
};

}  // namespace longhaul::toe
