// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace longhaul::nic::intel {

/// Flushes of a descriptor ring whose write-backs are not yet all on the bus. Each waits for the
/// ring's first position that is not written back to reach its goal. Goals only grow.
///
/// Two flushes wait. A third takes the place of the second, so the first is never put off.
/// RTL: rtl/nic/nic_ring_flush.sv.
class FlushWaits {
 public:
  void add(std::uint64_t goal) {
    if (count_ == goals_.size()) --count_;
    goals_[count_++] = goal;
  }
  /// Ends the waits whose goals are at most `position`. Returns whether there was one.
  bool end(std::uint64_t position) {
    const std::uint32_t before = count_;
    while (count_ != 0 && goals_[0] <= position) {
      goals_[0] = goals_[1];
      --count_;
    }
    return count_ != before;
  }
  void clear() { count_ = 0; }

 private:
  std::array<std::uint64_t, 2> goals_{};
  std::uint32_t count_ = 0;
};

}  // namespace longhaul::nic::intel
