// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/observe/probe.h"
#include "models/toe/messages.h"
#include "models/toe/params.h"

namespace longhaul::toe {

/// Context memory (CM): control blocks of connections (TCBs), structures that describe payload, and
/// a cache of the blocks that were used last. Counts room, and gives the clocks of an access.
///
/// The lower half holds TCBs. The memory manager has the upper half, and in it the timers from 3/4
/// on (illumos, chxge/com/tp.c). 256 MB and 128 B make the 1 M connections that the maker
/// announced.
class ContextMemory {
 public:
  explicit ContextMemory(const ToeParams& params);

  /// Takes room for a connection. Returns false if there is none.
  bool take();
  void give_back(Tid tid);
  /// Structures for payload that are free.
  std::uint64_t free_p_structs() const { return most_p_structs_ - p_structs.value(); }
  /// Takes one of them.
  void take_p_struct() { p_structs.add(1); }
  void give_back_p_struct() { p_structs.add(-1); }

  /// Clocks of the engine for reading a connection's TCB, and for writing the one back that leaves
  /// the cache for it. Without a cache: for reading and writing.
  std::uint32_t access(Tid tid);
  std::uint32_t capacity() const { return most_; }

  observe::Level in_use{"cm_connections", "1", "connections in context memory"};
  observe::Level p_structs{"p_structs", "1", "structures that describe payload"};
  observe::Counter hits{"cm_hits", "1", "accesses that the cache served"};
  observe::Counter misses{"cm_misses", "1", "accesses to the memory itself"};
  observe::Counter write_backs{"cm_write_backs", "1", "control blocks that left the cache"};

 private:
  static constexpr std::size_t kMostCached = 64;
  static constexpr Tid kNobody = ~0U;

  /// Puts a connection into the cache. Returns the one that leaves for it, or kNobody.
  Tid replace_last_used(Tid tid);
  Tid replace_in_place(Tid tid);

  const std::uint32_t most_;
  const std::uint32_t most_p_structs_;
  const std::uint32_t access_clocks_;
  const std::uint32_t cache_;
  const bool direct_;
  // By place, or the one used last comes first. Empty places are kNobody.
  std::array<Tid, kMostCached> cached_{};
};

}  // namespace longhaul::toe
