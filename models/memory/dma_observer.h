// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::memory {

/// A core's cache, for accesses of devices: every DMA access to memory probes the caches.
class DmaObserver {
 public:
  virtual ~DmaObserver() = default;
  /// A hint that a probe for these bytes follows at once. Changes nothing.
  virtual void prefetch(std::uint64_t address, std::uint64_t bytes) const = 0;
  /// Devices have written these bytes. Their lines in the cache are stale and are dropped without
  /// write-back.
  virtual void dma_wrote(std::uint64_t address, std::uint64_t bytes) = 0;
  /// A device reads these bytes. Returns how many of them are in modified lines of the cache, which
  /// supplies them. The cache keeps the lines; on a front-side bus they are clean afterwards.
  virtual std::uint64_t dma_reads(std::uint64_t address, std::uint64_t bytes) = 0;
};

}  // namespace longhaul::memory
