// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/range_set.h"

#include <algorithm>

namespace longhaul::tcp {

std::uint64_t RangeSet::insert(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return 0;
  // The usual cases: beyond the last range, or at its end.
  if (empty() || begin > ranges_.back().end) {
    ranges_.push_back({begin, end});
    bytes_ += end - begin;
    return end - begin;
  }
  // [first, last) are the ranges that overlap or touch the new one.
  const auto live = ranges_.begin() + static_cast<std::ptrdiff_t>(head_);
  const auto first =
      std::lower_bound(live, ranges_.end(), begin,
                       [](const Range64& range, std::uint64_t at) { return range.end < at; });
  auto last = first;
  std::uint64_t present = 0;
  while (last != ranges_.end() && last->begin <= end) {
    present += std::min(last->end, end) > std::max(last->begin, begin)
                   ? std::min(last->end, end) - std::max(last->begin, begin)
                   : 0;
    ++last;
  }
  const std::uint64_t added = end - begin - present;
  if (first == last) {
    ranges_.insert(first, {begin, end});
  } else {
    first->begin = std::min(first->begin, begin);
    first->end = std::max(std::prev(last)->end, end);
    ranges_.erase(std::next(first), last);
  }
  bytes_ += added;
  return added;
}

std::uint64_t RangeSet::erase_below(std::uint64_t position) {
  std::uint64_t erased = 0;
  while (!empty() && ranges_[head_].end <= position) {
    erased += ranges_[head_].bytes();
    ++head_;
  }
  if (!empty() && ranges_[head_].begin < position) {
    erased += position - ranges_[head_].begin;
    ranges_[head_].begin = position;
  }
  bytes_ -= erased;
  if (empty()) {
    ranges_.clear();
    head_ = 0;
  } else if (head_ >= 16 &&
             head_ * 2 >= ranges_.size()) {  // moves each range once for every one that went
    ranges_.erase(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  return erased;
}

void RangeSet::erase(std::uint64_t begin, std::uint64_t end) {
  const auto at = [this](std::size_t i) {
    return ranges_.begin() + static_cast<std::ptrdiff_t>(head_ + i);
  };
  std::size_t i = first_ending_above(begin);
  if (i < size() &&
      at(i)->begin < begin) {  // its beginning stays, and its end, too, when that lies above
    const Range64 cut = *at(i);
    at(i)->end = begin;
    bytes_ -= cut.end - begin;
    ++i;
    if (cut.end > end) {
      ranges_.insert(at(i), {end, cut.end});
      bytes_ += cut.end - end;
      return;
    }
  }
  std::size_t last = i;
  for (; last < size() && at(last)->end <= end; ++last) bytes_ -= at(last)->bytes();
  ranges_.erase(at(i), at(last));
  if (i < size() && at(i)->begin < end) {
    bytes_ -= end - at(i)->begin;
    at(i)->begin = end;
  }
  if (empty()) clear();
}

void RangeSet::clear() {
  ranges_.clear();
  head_ = 0;
  bytes_ = 0;
}

std::size_t RangeSet::first_ending_above(std::uint64_t position) const {
  const auto live = ranges_.begin() + static_cast<std::ptrdiff_t>(head_);
  return static_cast<std::size_t>(
      std::upper_bound(live, ranges_.end(), position,
                       [](std::uint64_t at, const Range64& range) { return at < range.end; }) -
      live);
}

bool RangeSet::covers(std::uint64_t begin, std::uint64_t end) const {
  const std::size_t i = first_ending_above(begin);
  return i < size() && (*this)[i].begin <= begin && end <= (*this)[i].end;
}

std::uint64_t RangeSet::bytes_above(std::uint64_t position) const {
  std::uint64_t sum = 0;
  for (std::size_t i = size(); i > 0 && (*this)[i - 1].end > position; --i) {
    sum += (*this)[i - 1].end - std::max((*this)[i - 1].begin, position);
  }
  return sum;
}

}  // namespace longhaul::tcp
