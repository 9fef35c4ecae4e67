// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/line_cache.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace longhaul::cpu {

LineCache::LineCache(const LineCacheParams& params, Bytes memory) : line_(params.line().count) {
  if ((line_ & (line_ - 1)) != 0) throw ConfigError(fmt::format("cache_line: {} bytes is no power of two", line_));
  shift_ = static_cast<std::uint32_t>(__builtin_ctzll(line_));
  lines_ = params.size().count >> shift_;
  memory_lines_ = memory.count >> shift_;
  const std::size_t bytes = std::max<std::size_t>(memory_lines_ * sizeof *stamps_, 1);
  // Shared, as the memory is that it is about: both grow with what the guest touches, up to what it was given.
  void* const map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    throw ConfigError(
        fmt::format("cannot have {} bytes for the state of cache lines: {}", bytes, std::strerror(errno)));
  stamps_ = static_cast<std::uint32_t*>(map);
}

LineCache::~LineCache() { munmap(stamps_, std::max<std::size_t>(memory_lines_ * sizeof *stamps_, 1)); }

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
  // In locals: for all that the compiler knows, a stamp that is stored is one of the members.
  std::uint32_t* const stamps = stamps_;
  const std::uint64_t lines = lines_;
  const std::uint32_t written = write ? kWritten : 0U;
  std::uint32_t clock = clock_;
  for (std::uint64_t line = first; line < known_end; ++line) {
    const std::uint32_t before = stamps[line];
    const std::uint32_t touched = before & ~kWritten;
    const bool hits = touched > kColdAndListed && clock - touched < lines;
    clock += hits ? 0 : 1;
    stamps[line] = clock | (hits ? before & kWritten : 0U) | written;
  }
  const std::uint64_t misses = clock - clock_;
  clock_ = clock;
  return misses + (end - known_end);
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
  const auto supplies = [this](std::uint64_t line) { return (stamps_[line] & kWritten) != 0 && hit(line); };
  std::uint64_t supplying = 0;
  for (std::uint64_t line = first; line < end; ++line) supplying += supplies(line) ? 1 : 0;
  if (supplying == 0) return 0;
  // Of the first and the last line only what was asked for.
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
