// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace longhaul::tcp {

/// Half-open range of positions.
struct Range64 {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t bytes() const { return end - begin; }
};

/// Disjoint, non-touching ranges in order, for a SACK scoreboard or a reassembly queue.
///
/// Memory grows with the number of ranges, not with their length. Work at either end is O(1);
/// between them it is O(log n) to find and O(n) to move. Storage is kept, so a set that has grown
/// does not allocate.
class RangeSet {
 public:
  /// Adds [begin, end), begin <= end. Returns how many of its bytes were new.
  std::uint64_t insert(std::uint64_t begin, std::uint64_t end);
  /// Removes all bytes below `position`. Returns how many there were.
  std::uint64_t erase_below(std::uint64_t position);
  /// Removes [begin, end).
  void erase(std::uint64_t begin, std::uint64_t end);
  void clear();

  bool empty() const { return head_ == ranges_.size(); }
  std::size_t size() const { return ranges_.size() - head_; }
  std::uint64_t bytes() const { return bytes_; }
  const Range64& front() const { return ranges_[head_]; }
  const Range64& back() const { return ranges_.back(); }
  /// The i-th range from below, i < size().
  const Range64& operator[](std::size_t i) const { return ranges_[head_ + i]; }
  /// Index of the first range that ends above `position`; size() if there is none.
  std::size_t first_ending_above(std::uint64_t position) const;
  /// Whether all bytes of [begin, end) are in the set, begin < end.
  bool covers(std::uint64_t begin, std::uint64_t end) const;
  /// Bytes at or above `position`. Walks down from the top.
  std::uint64_t bytes_above(std::uint64_t position) const;
  /// Heap bytes of the set, for accounts of memory.
  std::size_t heap_bytes() const { return ranges_.capacity() * sizeof(Range64); }

 private:
  std::vector<Range64> ranges_;  // the present ranges begin at head_
  std::size_t head_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace longhaul::tcp
