// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "models/common/param.h"
#include "models/memory/dma_observer.h"

namespace longhaul::cpu {

struct LineCacheParams {
  Param<Bytes> size{
      "cache_size",
      units::MiB(1),
      "size of the last cache ahead of memory",
      {Evidence::kDatasheet, "AMD 23932 (Opteron data sheet): 1 MB second-level cache"},
      Range<Bytes>{units::KiB(4), units::MiB(64)}};
  Param<Bytes> line{
      "cache_line",
      {64},
      "size of a line of that cache",
      {Evidence::kDatasheet, "AMD 25112 (K8 software optimization guide): 64-byte lines"},
      Range<Bytes>{{16}, {256}}};
  auto fields() { return std::tie(size, line); }
};

/// Which lines of memory a core's outermost cache holds, for traffic that is known by address:
/// copies, packet headers, descriptors.
///
/// A line is in the cache while fewer lines than the cache has were brought in since it was last
/// touched: least recently used over the whole cache, in which hits on other lines do not age it.
/// DMA writes throw lines out. Not modelled: ways, the kernel's other data and its code, which
/// share the cache.
class LineCache final : public memory::DmaObserver {
 public:
  /// Stamp of a cold line of a watched range that take_watched() has not told yet; 0: cold.
  static constexpr std::uint32_t kColdAndListed = 1;
  static constexpr std::uint32_t kWritten = 1U << 31;  ///< flag in a stamp

  /// Memory from address 0 to `memory`; lines beyond it always miss.
  LineCache(const LineCacheParams& params, Bytes memory);
  ~LineCache() override;
  LineCache(const LineCache&) = delete;
  LineCache& operator=(const LineCache&) = delete;

  std::uint64_t line_bytes() const { return line_; }
  /// Reads or writes all lines of [address, address + bytes); returns how many missed and are in
  /// the cache from now on.
  std::uint64_t touch(std::uint64_t address, std::uint64_t bytes, bool write);
  /// Brings what is known of the lines into the host's own caches: touch() or a device is about to
  /// ask.
  void prefetch(std::uint64_t address, std::uint64_t bytes) const override;
  /// The lines are cold. Those inside a watched range are remembered for take_watched().
  void dma_wrote(std::uint64_t address, std::uint64_t bytes) override;
  /// Bytes of lines that the core has written and that are still here; they stay so.
  std::uint64_t dma_reads(std::uint64_t address, std::uint64_t bytes) override;

  using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  /// `ranges` refills its argument with the ranges [begin, end) whose cold lines the core will read
  /// without our seeing it: the descriptor rings, wherever they are at present. Asked at each
  /// take_watched().
  void watch(std::function<void(Ranges&)> ranges) { ranges_ = std::move(ranges); }
  /// Watched lines that became cold since the last call, touched now: how many, and the address of
  /// one of them.
  std::pair<std::uint64_t, std::uint64_t> take_watched();

 private:
  void bring_in(std::uint64_t line);
  /// Before the clock runs over: once in 2^31 lines all are cold, one cold cache in 128 GB of
  /// traffic.
  void forget();

  std::uint64_t line_ = 64;
  std::uint32_t shift_ = 6;
  std::uint32_t lines_ = 0;  // in the cache
  std::uint64_t memory_lines_ = 0;
  std::uint32_t* stamps_ = nullptr;  // of each line of memory: the clock when it was last touched
  std::uint32_t clock_ = kColdAndListed;  // rises with each line brought in
  std::function<void(Ranges&)> ranges_ = [](Ranges&) {};
  Ranges watched_;
  std::vector<std::uint64_t> cold_watched_;
};

}  // namespace longhaul::cpu
