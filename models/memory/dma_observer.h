// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::memory {

/// A core's cache as a device's access sees it: every DMA access to memory probes the caches.
class DmaObserver {
 public:
  virtual ~DmaObserver() = default;
  /// These bytes will be asked about at once; tells nothing.
  virtual void prefetch(std::uint64_t address, std::uint64_t bytes) const = 0;
  /// Devices have written these bytes: lines of them that are cached are stale and drop out,
  /// without write-back.
  virtual void dma_wrote(std::uint64_t address, std::uint64_t bytes) = 0;
  /// A device reads these bytes. Returns how many of them lie in lines that the cache holds
  /// modified, and therefore supplies; it keeps the lines, and on a front-side bus they are clean
  /// afterwards.
  virtual std::uint64_t dma_reads(std::uint64_t address, std::uint64_t bytes) = 0;
};

}  // namespace longhaul::memory
