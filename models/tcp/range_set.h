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

/// Disjoint, non-touching ranges in order: what a SACK scoreboard and a reassembly queue are made
/// of.
///
/// Memory follows the number of ranges, never their length. Work at either end is O(1), in between
/// O(log n) to find and O(n) to move; storage is kept for the next time, so a warmed-up set
/// allocates nothing.
class RangeSet {
 public:
  /// Adds [begin, end), begin <= end, and returns how many of its bytes were not there before.
  std::uint64_t insert(std::uint64_t begin, std::uint64_t end);
  /// Takes out everything below `position` and returns how many bytes that was.
  std::uint64_t erase_below(std::uint64_t position);
  /// Takes [begin, end) out.
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
  /// Whether every byte of [begin, end) is in, begin < end.
  bool covers(std::uint64_t begin, std::uint64_t end) const;
  /// Bytes at or above `position`; walks down from the top.
  std::uint64_t bytes_above(std::uint64_t position) const;
  /// Heap bytes held, for accounts of memory.
  std::size_t heap_bytes() const { return ranges_.capacity() * sizeof(Range64); }

 private:
  std::vector<Range64> ranges_;  // the live ones from head_ on
  std::size_t head_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace longhaul::tcp
