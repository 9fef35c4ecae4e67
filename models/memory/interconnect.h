// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace longhaul::memory {

/// Lines that go between a requester and their home node.
struct Crossing {
  std::size_t flow = 0;
  std::uint32_t from = 0;  ///< node of the core or bridge that asks
  std::uint32_t home = 0;  ///< node that has the lines
  std::uint64_t lines = 0;
  bool write = false;
  bool device = false;  ///< a device asks, not a core
};

/// What lies between requesters and memory nodes: latency there and back, and resources that lines
/// occupy. Times in picoseconds.
class Interconnect {
 public:
  virtual ~Interconnect() = default;
  /// One way, without load.
  virtual std::uint64_t one_way_ps(const Crossing& crossing) const = 0;
  /// A single line's own transfer, which overlaps with memory's; 0 if nothing lies between: then
  /// nobody waits, quote() gives back what it was given, and book() does nothing.
  virtual std::uint64_t line_ps(const Crossing& crossing) const = 0;
  /// How long a single line waits at `at_ps` for lines of others.
  virtual std::uint64_t wait_ps(const Crossing& crossing, std::uint64_t at_ps) const = 0;
  /// When all lines would have crossed if the first can start at `at_ps`; `at_ps` itself if nothing
  /// is in their way.
  virtual std::uint64_t quote(const Crossing& crossing, std::uint64_t at_ps) const = 0;
  /// Occupies the way until `end_ps`.
  virtual void book(const Crossing& crossing, std::uint64_t at_ps, std::uint64_t end_ps) = 0;
  /// The least time from a core's miss until all caches have answered the probe that `home` sends
  /// for it.
  virtual std::uint64_t probe_ps(const Crossing& crossing) const = 0;
  /// Whether a modified line that a cache supplies to a device is written to memory on the way.
  virtual bool supply_writes_back() const = 0;
};

}  // namespace longhaul::memory
