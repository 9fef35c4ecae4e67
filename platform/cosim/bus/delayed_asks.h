// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace longhaul::cosim {

/// Bursts that wait for their memory access, each for its own number of clocks. Bursts of one ID
/// and direction keep their order; others overtake.
class DelayedAsks {
 public:
  explicit DelayedAsks(std::size_t most) { waiting_.reserve(most); }

  void add(std::uint32_t number, bool write, std::uint64_t id, std::uint32_t clocks) {
    waiting_.push_back({number, write, id, clocks});
  }
  bool empty() const { return waiting_.empty(); }
  void clear() { waiting_.clear(); }
  /// Counts a clock. Appends the numbers of bursts whose time has come to `due`, and removes them.
  void release(std::vector<std::uint32_t>& due) {
    for (auto ask = waiting_.begin(); ask != waiting_.end();) {
      const bool first = std::none_of(waiting_.begin(), ask, [&](const Ask& older) {
        return older.write == ask->write && older.id == ask->id;
      });
      if (ask->clocks == 0 && first) {
        due.push_back(ask->number);
        ask = waiting_.erase(ask);
        continue;
      }
      if (ask->clocks != 0) --ask->clocks;
      ++ask;
    }
  }

 private:
  struct Ask {
    std::uint32_t number;
    bool write;
    std::uint64_t id;
    std::uint32_t clocks;
  };
  std::vector<Ask> waiting_;
};

}  // namespace longhaul::cosim
