// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/line_cache.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "models/common/wide.h"

namespace longhaul::cpu {
namespace {

constexpr std::uint32_t kGroup = 8;  // stamps that are handled together
using Group = std::uint32_t __attribute__((vector_size(kGroup * sizeof(std::uint32_t))));
using Lanes = std::uint64_t __attribute__((vector_size(sizeof(Group))));

// How a vector is returned depends on the target of a function. The function that returns one is
// inlined everywhere, so the warning does not apply.
#pragma GCC diagnostic ignored "-Wpsabi"

/// Which stamps belong to lines that a cache of `lines` lines holds at `clock`. `Stamps` is one
/// stamp or a group.
template <class Stamps>
[[gnu::always_inline]] inline auto is_in(const Stamps& touched, std::uint32_t clock,
                                         std::uint32_t lines) {
  return (touched > LineCache::kColdAndListed) & (clock - touched < lines);
}

/// Touches `count` lines from `stamps` on and returns the new clock. Neighbouring lines mostly hit
/// or miss together.
LONGHAUL_WIDE std::uint32_t touch_all(std::uint32_t* stamps, std::uint64_t count,
                                      std::uint32_t clock, std::uint32_t lines,
                                      std::uint32_t written) {
  constexpr std::uint32_t kWritten = LineCache::kWritten;
  constexpr Group kNext = {1, 2, 3, 4, 5, 6, 7, 8};
  for (std::uint64_t i = 0; i < count;) {
    if (count - i >= kGroup) {
      Group before;
      std::memcpy(&before, stamps + i, sizeof before);
      const auto hits = reinterpret_cast<Lanes>(is_in(before & ~kWritten, clock, lines));
      const bool none = (hits[0] | hits[1] | hits[2] | hits[3]) == 0;
      if (none || (hits[0] & hits[1] & hits[2] & hits[3]) == ~0ULL) {
        const Group after = (none ? clock + kNext : clock | (before & kWritten)) | written;
        std::memcpy(stamps + i, &after, sizeof after);
        clock += none ? kGroup : 0;
        i += kGroup;
        continue;
      }
    }
    for (const std::uint64_t end = std::min<std::uint64_t>(count, i + kGroup); i < end; ++i) {
      const std::uint32_t before = stamps[i];
      const bool hits = is_in(before & ~kWritten, clock, lines);
      clock += hits ? 0 : 1;
      stamps[i] = clock | (hits ? before & kWritten : 0U) | written;
    }
  }
  return clock;
}

/// How many of `count` lines are in the cache and written.
LONGHAUL_WIDE std::uint64_t count_written(const std::uint32_t* stamps, std::uint64_t count,
                                          std::uint32_t clock, std::uint32_t lines) {
  constexpr std::uint32_t kWritten = LineCache::kWritten;
  Group found{};
  std::uint64_t i = 0;
  for (; count - i >= kGroup; i += kGroup) {
    Group group;
    std::memcpy(&group, stamps + i, sizeof group);
    found += (group >> 31) & reinterpret_cast<Group>(is_in(group & ~kWritten, clock, lines));
  }
  std::uint64_t sum = 0;
  for (std::uint32_t lane = 0; lane < kGroup; ++lane) sum += found[lane];
  for (; i < count; ++i)
    sum += (stamps[i] >> 31) & (is_in(stamps[i] & ~kWritten, clock, lines) ? 1U : 0U);
  return sum;
}

}  // namespace

LineCache::LineCache(const LineCacheParams& params, Bytes memory) : line_(params.line().count) {
  if ((line_ & (line_ - 1)) != 0)
    throw ConfigError(fmt::format("cache_line: {} bytes is no power of two", line_));
  shift_ = static_cast<std::uint32_t>(__builtin_ctzll(line_));
  lines_ = static_cast<std::uint32_t>(params.size().count >> shift_);
  memory_lines_ = memory.count >> shift_;
  const std::size_t bytes = std::max<std::size_t>(memory_lines_ * sizeof *stamps_, 1);
  // Shared memory, like the guest's memory that it describes. Both grow with the pages that the
  // guest touches, up to the guest's memory size.
  void* const map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    throw ConfigError(fmt::format("cannot have {} bytes for the state of cache lines: {}", bytes,
                                  std::strerror(errno)));
  stamps_ = static_cast<std::uint32_t*>(map);
}

LineCache::~LineCache() {
  munmap(stamps_, std::max<std::size_t>(memory_lines_ * sizeof *stamps_, 1));
}

void LineCache::bring_in(std::uint64_t line) {
  if (clock_ == kWritten - 1) forget();
  stamps_[line] = ++clock_;
}

void LineCache::forget() {
  madvise(stamps_, memory_lines_ * sizeof *stamps_, MADV_REMOVE);
  clock_ = kColdAndListed;
}

std::uint64_t LineCache::touch(std::uint64_t address, std::uint64_t bytes, bool write) {
  if (bytes == 0) return 0;
  const std::uint64_t first = address >> shift_;
  const std::uint64_t end = ((address + bytes - 1) >> shift_) + 1;
  const std::uint64_t known_end = std::min(end, std::max(first, memory_lines_));
  if (known_end - first >= kWritten - 1 - clock_) forget();
  const std::uint32_t clock =
      touch_all(stamps_ + first, known_end - first, clock_, lines_, write ? kWritten : 0U);
  const std::uint64_t misses = clock - clock_;
  clock_ = clock;
  return misses + (end - known_end);
}

void LineCache::prefetch(std::uint64_t address, std::uint64_t bytes) const {
  constexpr std::uint64_t kStampsOfALine = 64 / sizeof *stamps_;
  const std::uint64_t end = std::min((address + bytes + line_ - 1) >> shift_, memory_lines_);
  for (std::uint64_t line = address >> shift_; line < end; line += kStampsOfALine)
    __builtin_prefetch(stamps_ + line, 1);
}

void LineCache::dma_wrote(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || memory_lines_ == 0) return;
  const std::uint64_t first = address >> shift_;
  const std::uint64_t last = std::min((address + bytes - 1) >> shift_, memory_lines_ - 1);
  if (first > last) return;
  for (const auto& [begin, end] : watched_) {
    if (address + bytes <= begin || address >= end) continue;
    for (std::uint64_t line = first; line <= last; ++line) {
      if (stamps_[line] != kColdAndListed) cold_watched_.push_back(line);
      stamps_[line] = kColdAndListed;
    }
    return;
  }
  std::memset(stamps_ + first, 0, (last - first + 1) * sizeof *stamps_);
}

std::uint64_t LineCache::dma_reads(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || memory_lines_ == 0) return 0;
  const std::uint64_t first = address >> shift_;
  const std::uint64_t end = std::min(((address + bytes - 1) >> shift_) + 1, memory_lines_);
  if (first >= end) return 0;
  const std::uint64_t supplying = count_written(stamps_ + first, end - first, clock_, lines_);
  if (supplying == 0) return 0;
  const auto supplies = [this](std::uint64_t line) {
    return count_written(stamps_ + line, 1, clock_, lines_) != 0;
  };
  // Only the requested bytes of the first and the last line count.
  std::uint64_t supplied = supplying << shift_;
  if (supplies(first)) supplied -= address - (first << shift_);
  if (supplies(end - 1)) supplied -= (end << shift_) - std::min(end << shift_, address + bytes);
  return supplied;
}

std::pair<std::uint64_t, std::uint64_t> LineCache::take_watched() {
  std::uint64_t misses = 0;
  std::uint64_t address = 0;
  for (const std::uint64_t line : cold_watched_) {
    if (stamps_[line] != kColdAndListed) continue;
    bring_in(line);
    address = line << shift_;
    ++misses;
  }
  cold_watched_.clear();
  watched_.clear();
  ranges_(watched_);
  return {misses, address};
}

}  // namespace longhaul::cpu
