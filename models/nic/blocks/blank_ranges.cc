// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/blank_ranges.h"

#include <algorithm>
#include <cstring>

namespace longhaul::nic {

void BlankRanges::add(std::uint8_t* frame, std::uint32_t from, std::uint32_t length) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (ranges_[i].end == from) {
      ranges_[i].end += length;
      return;
    }
  }
  if (count_ < kMost) {
    ranges_[count_++] = {from, from + length};
  } else {
    std::memset(frame + from, 0, length);
  }
}

std::uint32_t BlankRanges::settle(std::uint8_t* frame, std::uint32_t size) {
  std::uint32_t tail = size;
  std::sort(ranges_.begin(), ranges_.begin() + count_,
            [](const Range& a, const Range& b) { return a.begin > b.begin; });
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (ranges_[i].end == tail) {
      tail = ranges_[i].begin;
    } else {
      std::memset(frame + ranges_[i].begin, 0, ranges_[i].end - ranges_[i].begin);
    }
  }
  count_ = 0;
  return tail;
}

}  // namespace longhaul::nic
