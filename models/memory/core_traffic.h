// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

namespace longhaul::memory {

/// Consecutive cache lines that a core moves between its caches and memory.
struct LineStream {
  std::uint64_t address = 0;  ///< physical, of the first byte
  std::uint64_t bytes = 0;    ///< whole lines
  bool write = false;         ///< written back; otherwise reads, also those for ownership
  /// Misses outstanding at once. 1: each waits for the one before (read only).
  std::uint32_t in_flight = 1;
  std::uint64_t begin_ps = 0;  ///< from now to its start; a core reports its traffic in batches
};

/// The memory, for a core's cache.
class CoreTraffic : public virtual sc_core::sc_interface {
 public:
  /// Moves the lines: occupies channels and links on the way to their node. Returns the picoseconds
  /// from their start until the core has all of them (reads) or until they are accepted (writes).
  /// Addresses without memory cost nothing.
  virtual std::uint64_t stream(const LineStream& lines) = 0;
};

}  // namespace longhaul::memory
