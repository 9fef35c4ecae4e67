// SPDX-License-Identifier: Apache-2.0
#include "models/memory/written_lines.h"

#include <algorithm>
#include <new>

namespace longhaul::memory {

WrittenLines::WrittenLines(std::uint64_t bytes)
    : words_(static_cast<std::uint64_t*>(
          std::calloc((bytes >> (kLineShift + kWordShift)) + 1, sizeof(std::uint64_t)))) {
  if (words_ == nullptr) throw std::bad_alloc();
}

template <class Change>
void WrittenLines::each(std::uint64_t first, std::uint64_t last, Change&& change) {
  const std::uint64_t last_word = last >> kWordShift;
  std::uint64_t bits = from(first);
  for (std::uint64_t word = first >> kWordShift; word < last_word; ++word, bits = kAll)
    change(words_[word], bits);
  change(words_[last_word], bits & up_to(last));
}

void WrittenLines::mark(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  each(offset >> kLineShift, (offset + bytes - 1) >> kLineShift,
       [](std::uint64_t& word, std::uint64_t bits) { word |= bits; });
}

void WrittenLines::clear(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t first = (offset + kLineBytes - 1) >> kLineShift;
  const std::uint64_t end = (offset + bytes) >> kLineShift;
  if (first >= end) return;
  each(first, end - 1, [](std::uint64_t& word, std::uint64_t bits) { word &= ~bits; });
}

std::uint64_t WrittenLines::extent(std::uint64_t offset, std::uint64_t bytes) const {
  if (bytes == 0) return 0;
  const std::uint64_t first = offset >> kLineShift;
  const std::uint64_t last = (offset + bytes - 1) >> kLineShift;
  const std::uint64_t first_word = first >> kWordShift;
  std::uint64_t bits = up_to(last);
  for (std::uint64_t word = last >> kWordShift;; --word, bits = kAll) {
    if (word == first_word) bits &= from(first);
    bits &= words_[word];
    if (bits != 0) {
      const std::uint64_t line =
          (word << kWordShift) + 63U - static_cast<std::uint64_t>(__builtin_clzll(bits));
      return std::min(bytes, ((line + 1) << kLineShift) - offset);
    }
    if (word == first_word) return 0;
  }
}

}  // namespace longhaul::memory
