// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

namespace longhaul::memory {

/// Consecutive cache lines that a core moves between its caches and memory.
struct LineStream {
  std::uint64_t address = 0;    ///< physical, of the first byte
  std::uint64_t bytes = 0;      ///< whole lines
  bool write = false;           ///< lines that are written back; reads otherwise (also for ownership)
  std::uint32_t in_flight = 1;  ///< misses outstanding at once, of reads; 1: each waits for the one before
};

/// Memory as a core's cache sees it.
class CoreTraffic : public virtual sc_core::sc_interface {
 public:
  /// Moves the lines, beginning now: occupies channels and links on the way to the node that has them. Returns the time from
  /// now until the core has all of them (reads), or until they are accepted (writes). Streams of one core in one direction
  /// queue: the time of a second one that begins at the same instant contains the first's. Addresses without memory cost
  /// nothing.
  virtual sc_core::sc_time stream(const LineStream& lines) = 0;
};

}  // namespace longhaul::memory
