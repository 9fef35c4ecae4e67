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
  if (clock_ == kWritten - 1) {
    // Once in 2^31 lines all are forgotten; that is one cold cache in 128 GB of traffic.
    madvise(stamps_, memory_lines_ * sizeof *stamps_, MADV_REMOVE);
    clock_ = kColdAndListed;
  }
  stamps_[line] = ++clock_;
}

std::uint64_t LineCache::touch(std::uint64_t address, std::uint64_t bytes, bool write) {
  if (bytes == 0) return 0;
  std::uint64_t misses = 0;
  const std::uint64_t last = (address + bytes - 1) >> shift_;
  for (std::uint64_t line = address >> shift_; line <= last; ++line) {
    if (line >= memory_lines_) {
      ++misses;
      continue;
    }
    std::uint32_t written = write ? kWritten : 0U;
    if (hit(line)) {
      written |= stamps_[line] & kWritten;
      stamps_[line] = clock_;
    } else {
      ++misses;
      bring_in(line);
    }
    stamps_[line] |= written;
  }
  return misses;
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
  std::uint64_t supplied = 0;
  const std::uint64_t last = std::min((address + bytes - 1) >> shift_, memory_lines_ - 1);
  for (std::uint64_t line = address >> shift_; line <= last; ++line) {
    if ((stamps_[line] & kWritten) == 0 || !hit(line)) continue;
    const std::uint64_t begin = std::max(line << shift_, address);
    supplied += std::min((line + 1) << shift_, address + bytes) - begin;
  }
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
