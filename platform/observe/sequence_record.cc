// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/sequence_record.h"

#include <algorithm>

namespace longhaul::observe {

std::uint32_t SequenceRecord::take(std::uint32_t sequence, std::uint32_t bytes) {
  const auto ahead = static_cast<std::int32_t>(sequence - static_cast<std::uint32_t>(next_));
  const std::uint64_t begin = next_ + static_cast<std::uint64_t>(std::int64_t{ahead});
  const std::uint64_t end = begin + bytes;
  std::uint32_t fresh = 0;
  if (begin < next_ && !gaps_.empty()) fresh += fill_gaps(begin, std::min(end, next_));
  if (end > next_ && bytes > 0) {
    if (begin > next_) gaps_.push_back({next_, begin});
    fresh += static_cast<std::uint32_t>(end - std::max(begin, next_));
    next_ = end;
  }
  return fresh;
}

std::uint32_t SequenceRecord::fill_gaps(std::uint64_t begin, std::uint64_t end) {
  auto gap =
      std::lower_bound(gaps_.begin(), gaps_.end(), begin,
                       [](const Gap& candidate, std::uint64_t at) { return candidate.end <= at; });
  std::uint32_t filled = 0;
  while (gap != gaps_.end() && gap->begin < end) {
    const std::uint64_t from = std::max(begin, gap->begin);
    const std::uint64_t to = std::min(end, gap->end);
    filled += static_cast<std::uint32_t>(to - from);
    if (from > gap->begin && to < gap->end) {
      const Gap rest{to, gap->end};
      gap->end = from;
      gaps_.insert(gap + 1, rest);
      return filled;
    }
    if (from == gap->begin && to == gap->end) {
      gap = gaps_.erase(gap);
      continue;
    }
    if (from == gap->begin) gap->begin = to;
    if (to == gap->end) gap->end = from;
    ++gap;
  }
  return filled;
}

}  // namespace longhaul::observe
