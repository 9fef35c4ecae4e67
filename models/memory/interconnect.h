// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace longhaul::memory {

/// Lines that move between a requester and their home node.
struct Crossing {
  std::size_t flow = 0;
  std::uint32_t from = 0;  ///< node of the requesting core or bridge
  std::uint32_t home = 0;  ///< node that stores the lines
  std::uint64_t lines = 0;
  bool write = false;
  bool device = false;  ///< the requester is a device, not a core
};

/// The interconnect between requesters and memory nodes: latency there and back, and resources that
/// lines occupy. Times are in picoseconds.
class Interconnect {
 public:
  virtual ~Interconnect() = default;
  /// Latency of one direction, without load.
  virtual std::uint64_t one_way_ps(const Crossing& crossing) const = 0;
  /// The transfer time of a single line, which overlaps with the memory's. It is 0 if requester and
  /// node are directly joined: then wait_ps() is 0, quote() returns `at_ps`, and book() does
  /// nothing.
  virtual std::uint64_t line_ps(const Crossing& crossing) const = 0;
  /// The time that a single line waits at `at_ps` for lines of other requesters.
  virtual std::uint64_t wait_ps(const Crossing& crossing, std::uint64_t at_ps) const = 0;
  /// The time at which all lines have crossed if the first can start at `at_ps`; `at_ps` itself if
  /// no resource is on the way.
  virtual std::uint64_t quote(const Crossing& crossing, std::uint64_t at_ps) const = 0;
  /// Occupies the resources on the way until `end_ps`.
  virtual void book(const Crossing& crossing, std::uint64_t at_ps, std::uint64_t end_ps) = 0;
  /// The least time from a core's miss until all caches have answered the probe that `home` sends
  /// for it.
  virtual std::uint64_t probe_ps(const Crossing& crossing) const = 0;
  /// Whether a modified line that a cache supplies to a device is written to memory on the way.
  virtual bool supply_writes_back() const = 0;
};

}  // namespace longhaul::memory
