// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/statistics_block.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace longhaul::nic {

std::uint64_t& StatisticsBlock::add_pair(const char* low_name, const char* high_name,
                                         std::uint32_t offset,
                                         std::function<std::uint64_t()> also) {
  Pair& pair = pairs_.emplace_back();
  pair.also.now = std::move(also);
  registers_.emplace_back(bank_, low_name, offset, 0, Access::kReadOnly, [&pair] {
    pair.value += pair.also.take();
    const auto low = static_cast<std::uint32_t>(pair.value);
    pair.latched = static_cast<std::uint32_t>(pair.value >> 32);
    pair.has_latch = true;
    pair.value = 0;
    return low;
  });
  registers_.emplace_back(bank_, high_name, offset + 4, 0, Access::kReadOnly, [&pair] {
    if (!pair.has_latch) {
      const auto high = static_cast<std::uint32_t>(pair.value >> 32);
      pair.value &= 0xffff'ffff;
      return high;
    }
    pair.has_latch = false;
    return pair.latched;
  });
  return pair.value;
}

std::uint32_t& StatisticsBlock::add_word(const char* name, std::uint32_t offset) {
  std::uint32_t& counter = words_.emplace_back(0);
  registers_.emplace_back(bank_, name, offset, 0, Access::kReadOnly,
                          [&counter] { return std::exchange(counter, 0U); });
  return counter;
}

std::uint64_t& StatisticsBlock::add_wide_word(const char* name, std::uint32_t offset,
                                              std::function<std::uint64_t()> also) {
  Pair& pair = pairs_.emplace_back();
  pair.also.now = std::move(also);
  registers_.emplace_back(bank_, name, offset, 0, Access::kReadOnly, [&pair] {
    const std::uint64_t value = std::exchange(pair.value, 0) + pair.also.take();
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
  });
  return pair.value;
}

void StatisticsBlock::add_follower(const char* name, std::uint32_t offset,
                                   std::function<std::uint64_t()> now) {
  Follower& follower = followers_.emplace_back(Follower{std::move(now), 0});
  registers_.emplace_back(bank_, name, offset, 0, Access::kReadOnly, [&follower] {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(follower.take(), std::numeric_limits<std::uint32_t>::max()));
  });
}

void StatisticsBlock::add_zero(const char* name, std::uint32_t offset) {
  registers_.emplace_back(bank_, name, offset, 0, Access::kReadOnly);
}

std::uint64_t StatisticsBlock::Follower::take() {
  if (!now) return 0;
  const std::uint64_t before = std::exchange(seen, now());
  return seen - before;
}

void StatisticsBlock::reset() {
  for (Pair& pair : pairs_) {
    pair.value = 0;
    pair.has_latch = false;
    pair.also.take();
  }
  for (std::uint32_t& word : words_) word = 0;
  for (Follower& follower : followers_) follower.take();
}

}  // namespace longhaul::nic
