// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace longhaul::memory {

/// Marks lines of 64 bytes that may be other than zero, one bit for each line. Code that writes a
/// line marks it.
///
/// Offsets count from the start of memory. All ranges must lie within it.
class WrittenLines {
 public:
  /// All `bytes` are zero. Throws std::bad_alloc.
  explicit WrittenLines(std::uint64_t bytes);

  /// Lines will be written without marks from this call on, so only the bytes themselves tell
  /// whether they are zero.
  void lose_track() { knows_ = false; }
  bool knows() const { return knows_; }

  void mark(std::uint64_t offset, std::uint64_t bytes);
  /// Clears the marks of lines that lie wholly within the range and are zero again.
  void clear(std::uint64_t offset, std::uint64_t bytes);
  /// The number of bytes from `offset` to the end of the last marked line in the range, `bytes` at
  /// most. All bytes after them are zero.
  std::uint64_t extent(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  static constexpr std::uint32_t kLineShift = 6;
  static constexpr std::uint32_t kWordShift = 6;  // log2 of the lines in a word
  static constexpr std::uint64_t kLineBytes = 1ULL << kLineShift;
  static constexpr std::uint64_t kAll = ~0ULL;

  /// A mask of the bits from that of `line` on, and one of the bits up to it.
  static std::uint64_t from(std::uint64_t line) { return kAll << (line & 63U); }
  static std::uint64_t up_to(std::uint64_t line) { return kAll >> (63U - (line & 63U)); }
  /// Calls `change(word, bits)` for each word with some of the lines from `first` to `last`.
  template <class Change>
  void each(std::uint64_t first, std::uint64_t last, Change&& change);

  struct Free {
    void operator()(std::uint64_t* words) const { std::free(words); }
  };
  bool knows_ = true;
  std::unique_ptr<std::uint64_t[], Free> words_;  // uses host memory only as lines are marked
};

}  // namespace longhaul::memory
