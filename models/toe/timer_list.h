// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/common/event_queue.h"
#include "models/toe/messages.h"

namespace longhaul::toe {

/// The kinds of an offloaded connection's timers: those of tcp::Timer, and the engine's own.
inline constexpr std::uint8_t kCoalesceTimer = 5;
inline constexpr std::uint8_t kFinWait2Timer = 6;
inline constexpr std::size_t kTimers = 7;

/// All timers of all connections, in order of time, in context memory. One event of the simulation
/// stands for them all. A timer that was set again goes off at its latest time only.
class TimerList {
 public:
  struct Entry {
    std::uint64_t at_ps = 0;
    std::uint64_t order = 0;  ///< of the requests; earlier ones go first at one instant
    Tid tid = 0;
    std::uint32_t epoch = 0;
    std::uint8_t kind = 0;
  };

  /// Calls `due` when the first timer goes off.
  explicit TimerList(const std::function<void()>& due) : wake_([this, due] { wake(due); }) {}

  /// Requests a timer and returns the number of the request.
  std::uint64_t add(Tid tid, std::uint32_t epoch, std::uint8_t kind, std::uint64_t at_ps);
  bool any_due() const { return !heap_.empty() && heap_.front().at_ps <= now_ps(); }
  /// The first timer, whether or not it is due; there must be one.
  const Entry& first() const { return heap_.front(); }
  /// Takes out the first timer that is due.
  std::optional<Entry> take_due();
  std::size_t size() const { return heap_.size(); }

 private:
  static bool later(const Entry& a, const Entry& b) {
    return a.at_ps != b.at_ps ? a.at_ps > b.at_ps : a.order > b.order;
  }
  void arm();
  void wake(const std::function<void()>& due);

  std::vector<Entry> heap_;  // the first timer in front
  std::uint64_t order_ = 0;
  Timer wake_;
};

}  // namespace longhaul::toe
