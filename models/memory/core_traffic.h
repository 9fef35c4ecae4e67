// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

namespace longhaul::memory {

/// Consecutive cache lines that a core moves between its caches and memory.
struct LineStream {
  std::uint64_t address = 0;  ///< physical, of the first byte
  std::uint64_t bytes = 0;    ///< whole lines
  bool write = false;         ///< lines that are written back; reads otherwise (also for ownership)
  std::uint32_t in_flight =
      1;  ///< misses outstanding at once; 1: each waits for the one before (read only)
  std::uint64_t begin_ps = 0;  ///< from now until it begins: a core tells of its traffic in batches
};

/// Memory as a core's cache sees it.
class CoreTraffic : public virtual sc_core::sc_interface {
 public:
  /// Moves the lines: occupies channels and links on the way to the node that has them. Returns the
  /// picoseconds from their begin until the core has all of them (reads), or until they are
  /// accepted (writes). Addresses without memory cost nothing.
  virtual std::uint64_t stream(const LineStream& lines) = 0;
};

}  // namespace longhaul::memory
