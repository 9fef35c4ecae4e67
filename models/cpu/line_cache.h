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

/// The lines of memory in a core's outermost cache, for traffic that is known by address: copies,
/// packet headers, descriptors.
///
/// A line stays in the cache until as many other lines as the cache holds have been brought in
/// since its last touch: least recently used over the whole cache. Hits on other lines do not age
/// it. DMA writes evict lines. Not modelled: ways, and the kernel's other data and code, which
/// share the cache.
class LineCache final : public memory::DmaObserver {
 public:
  /// Stamp of a cold line of a watched range that take_watched() has not yet reported. 0 is a cold
  /// line.
  static constexpr std::uint32_t kColdAndListed = 1;
  static constexpr std::uint32_t kWritten = 1U << 31;  ///< flag in a stamp

  /// Covers memory from address 0 to `memory`. Lines beyond it always miss.
  LineCache(const LineCacheParams& params, Bytes memory);
  ~LineCache() override;
  LineCache(const LineCache&) = delete;
  LineCache& operator=(const LineCache&) = delete;

  std::uint64_t line_bytes() const { return line_; }
  /// Reads or writes all lines of [address, address + bytes). Returns how many lines missed; all
  /// are in the cache afterwards.
  std::uint64_t touch(std::uint64_t address, std::uint64_t bytes, bool write);
  /// Loads the state of the lines into the host's own caches, before a call of touch() or an access
  /// of a device.
  void prefetch(std::uint64_t address, std::uint64_t bytes) const override;
  /// Makes the lines cold. Lines inside a watched range are noted for take_watched().
  void dma_wrote(std::uint64_t address, std::uint64_t bytes) override;
  /// Bytes in lines of the cache that the core has written; the lines stay as they are.
  std::uint64_t dma_reads(std::uint64_t address, std::uint64_t bytes) override;

  using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  /// `ranges` refills its argument with the present ranges [begin, end) of the descriptor rings.
  /// The core reads their cold lines, and the model does not see these reads. Called at each
  /// take_watched().
  void watch(std::function<void(Ranges&)> ranges) { ranges_ = std::move(ranges); }
  /// Touches the watched lines that became cold since the last call. Returns their number and the
  /// address of one of them.
  std::pair<std::uint64_t, std::uint64_t> take_watched();

 private:
  void bring_in(std::uint64_t line);
  /// Makes all lines cold before the clock overflows: once in 2^31 lines, which is one cold cache
  /// in 128 GB of traffic.
  void forget();

  std::uint64_t line_ = 64;
  std::uint32_t shift_ = 6;
  std::uint32_t lines_ = 0;  // lines that the cache holds
  std::uint64_t memory_lines_ = 0;
  std::uint32_t* stamps_ = nullptr;       // for each line of memory: the clock at its last touch
  std::uint32_t clock_ = kColdAndListed;  // counts lines that were brought in
  std::function<void(Ranges&)> ranges_ = [](Ranges&) {};
  Ranges watched_;
  std::vector<std::uint64_t> cold_watched_;
};

}  // namespace longhaul::cpu
