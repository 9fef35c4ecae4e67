// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace longhaul::memory {

/// Which lines of 64 bytes may hold something other than zeros: a bit for each. Who writes a line
/// marks it.
///
/// Offsets count from the start of memory; what they span lies within it.
class WrittenLines {
 public:
  /// Of `bytes` that are all zero. Throws std::bad_alloc.
  explicit WrittenLines(std::uint64_t bytes);

  /// Somebody will write without marking from now on: ask the bytes themselves.
  void lose_track() { knows_ = false; }
  bool knows() const { return knows_; }

  void mark(std::uint64_t offset, std::uint64_t bytes);
  /// Forgets the lines that lie wholly within, which are zero again.
  void clear(std::uint64_t offset, std::uint64_t bytes);
  /// How many bytes from `offset` on reach to the end of the last of these lines that is marked,
  /// `bytes` at most: all behind are zero.
  std::uint64_t extent(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  static constexpr std::uint32_t kLineShift = 6;
  static constexpr std::uint32_t kWordShift = 6;  // lines of a word
  static constexpr std::uint64_t kLineBytes = 1ULL << kLineShift;
  static constexpr std::uint64_t kAll = ~0ULL;

  /// The bits from that of `line` on, or up to it.
  static std::uint64_t from(std::uint64_t line) { return kAll << (line & 63U); }
  static std::uint64_t up_to(std::uint64_t line) { return kAll >> (63U - (line & 63U)); }
  /// `change(word, bits)` for each word with some of the lines from `first` to `last`.
  template <class Change>
  void each(std::uint64_t first, std::uint64_t last, Change&& change);

  struct Free {
    void operator()(std::uint64_t* words) const { std::free(words); }
  };
  bool knows_ = true;
  std::unique_ptr<std::uint64_t[], Free> words_;  // takes room as lines are marked
};

}  // namespace longhaul::memory
