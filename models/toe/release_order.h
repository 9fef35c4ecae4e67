// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"

namespace longhaul::toe {

/// How far an output queue may be emptied while events that fill it are not over.
///
/// Positions count the queue's entries from the engine's start. An entry may leave when the event
/// that made it is over, and when all entries before it may leave. Several events can run at a
/// time.
class ReleaseOrder {
 public:
  /// Event `serial` begins. The queue has had `position` entries so far.
  void begins(std::uint64_t serial, std::uint64_t position) {
    events_.push_back({serial, position, false});
  }
  /// The event that began last adds no more entries. The queue has had `position` entries so far.
  void filled(std::uint64_t position) {
    if (!events_.empty() && events_.back().begin == position) events_.pop_back();
  }
  /// Returns whether more entries may leave.
  bool over(std::uint64_t serial) {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (events_[i].serial == serial) events_[i].over = true;
    }
    const std::size_t before = events_.size();
    while (!events_.empty() && events_.front().over) events_.pop_front();
    return events_.size() != before;
  }
  /// The position of the first entry that may not leave, in a queue that has had `position`
  /// entries so far.
  std::uint64_t limit(std::uint64_t position) const {
    return events_.empty() ? position : events_.front().begin;
  }
  void clear() { events_.clear(); }

 private:
  struct Event {
    std::uint64_t serial = 0;
    std::uint64_t begin = 0;  // position of its first entry
    bool over = false;
  };
  RingBuffer<Event> events_;  // those that have added entries
};

}  // namespace longhaul::toe
