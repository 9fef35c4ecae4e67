// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/ring_follower.h"

#include <algorithm>
#include <cstring>

namespace longhaul::observe {

bool RingFollower::write_register(std::uint32_t offset, std::uint32_t value, const BusMove& move) {
  if (offset == registers_.tail) {
    if (entries_ == 0) return false;
    if (registers_.has_generations()) {
      if (!rung_.empty() || registers_.tail_index.in(value) == 0) return false;
      rung_.push_back(move);
      rung_.back().data = nullptr;
      return false;
    }
    const std::uint64_t ahead = given_by(registers_.tail_index.in(value));
    tail_ += ahead;
    if (ahead == 0) return false;
    doorbells_.push_back({tail_, move});
    doorbells_.back().move.data = nullptr;
    return false;
  }
  if (offset == registers_.base_low) {
    low_ = value - value % registers_.descriptor_bytes;
  } else if (offset == registers_.base_high) {
    high_ = value;
  } else if (offset == registers_.length) {
    entries_ = entries_of(value);
  } else if (offset == registers_.head && !registers_.has_generations()) {
    head_ = value;
  } else {
    return false;
  }
  begin_again();
  return true;
}

/// How many descriptors a write of the tail gives to the adapter.
std::uint64_t RingFollower::given_by(std::uint64_t tail) const {
  if (!registers_.tail_counts) return (tail % entries_ + entries_ - tail_ % entries_) % entries_;
  const std::uint64_t modulo = std::uint64_t{1} << registers_.tail_index.width;
  return (tail + modulo - tail_ % modulo) % modulo;
}

/// The entries that a value of the length's register stands for; 0 if they are too many.
std::uint32_t RingFollower::entries_of(std::uint32_t value) const {
  const std::uint32_t most = kMostBytes / registers_.descriptor_bytes;
  switch (registers_.length_is) {
    case RingLength::kBytes: value /= registers_.descriptor_bytes; break;
    case RingLength::kDescriptors: break;
    case RingLength::kLog2: value = value < 32 ? std::uint32_t{1} << value : 0; break;
  }
  return value > most ? 0 : value;
}

void RingFollower::reset() {
  low_ = high_ = head_ = entries_ = 0;
  begin_again();
}

void RingFollower::begin_again() {
  tail_ = fetched_ = written_ = entries_ == 0 ? 0 : head_ % entries_;
  image_.assign(bytes(), 0);
  doorbells_.clear();
  rung_.clear();
}

bool RingFollower::is_offered(std::uint64_t position) const {
  if (!registers_.has_generations()) return position < tail_;
  const std::uint64_t wanted = position / entries_ % 2 == 0 ? 1 : 0;
  const std::uint8_t* const bytes = descriptor(position);
  return registers_.generation.of(bytes) == wanted &&
         (registers_.generation2.width == 0 || registers_.generation2.of(bytes) == wanted);
}

RingFollower::Range RingFollower::store(const BusMove& move) {
  const std::uint64_t begin = std::max(move.address, base());
  const std::uint64_t end = std::min(move.end(), base() + bytes());
  if (begin >= end) return {};
  std::memcpy(&image_[begin - base()], move.data + (begin - move.address), end - begin);
  const std::uint32_t size = registers_.descriptor_bytes;
  return {(begin - base()) / size, (end - base()) / size};
}

RingFollower::Range RingFollower::fetched(const BusMove& move) {
  const Range indices = store(move);
  const std::uint64_t begin = fetched_;
  if (indices.begin >= indices.end) return {begin, begin};
  while (is_offered(fetched_)) {
    const std::uint64_t index = fetched_ % entries_;
    if (index < indices.begin || index >= indices.end) break;
    ++fetched_;
  }
  if (begin != fetched_ && !rung_.empty()) {
    doorbells_.push_back({fetched_, rung_.front()});
    rung_.clear();
  }
  return {begin, fetched_};
}

RingFollower::Range RingFollower::written(const BusMove& move) {
  const Range indices = store(move);
  if (indices.begin >= indices.end) return {};
  const std::uint64_t begin =
      written_ + (indices.begin + entries_ - written_ % entries_) % entries_;
  const std::uint64_t end = begin + (indices.end - indices.begin);
  if (end > fetched_) return {};  // a second write-back of what is done
  written_ = end;
  return {begin, end};
}

const BusMove& RingFollower::doorbell(std::uint64_t position) {
  while (!doorbells_.empty() && doorbells_.front().until <= position) doorbells_.pop_front();
  return doorbells_.empty() ? no_doorbell_ : doorbells_.front().move;
}

}  // namespace longhaul::observe
