// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "platform/cosim/bus/axi_pins.h"
#include "platform/cosim/bus/block_memory.h"

namespace longhaul::cosim {

/// A place for a burst in progress at a memory, of either direction.
struct AxiSlot {
  enum class State : std::uint8_t { kFree, kData, kAsk, kMemory, kDone, kAbandoned };
  struct Run {
    std::uint64_t address = 0;
    std::uint32_t length = 0;
  };

  AxiBurst burst;
  State state = State::kFree;
  BusStatus status = BusStatus::kOk;
  bool refused = false;     ///< memory does not support such a burst
  std::uint32_t beats = 0;  ///< beats that were on the pins
  std::uint32_t bytes = 0;  ///< bytes of a write in its buffer
  std::uint32_t open = 0;   ///< accesses that memory has not completed
  std::uint64_t done_ps = 0;
  std::vector<Run> runs;
  std::unique_ptr<std::uint8_t[]> buffer;
};

/// The bursts of a direction, which are answered in the order of their IDs' addresses.
struct AxiBursts {
  using Order = std::vector<std::uint32_t>;
  static constexpr std::uint32_t kNone = ~0U;

  /// Places for `count` bursts of the most beats on a bus of `bus_bytes`.
  AxiBursts(std::uint32_t count, std::uint32_t bus_bytes);
  std::uint32_t free_slot() const;
  /// The oldest burst that was done before the edge and has no older one of its ID, or kNone.
  std::uint32_t next_done(std::uint64_t edge_ps) const;
  void end(AxiSlot& slot) {
    slot.state = AxiSlot::State::kDone;
    ++done;
  }
  void leave(std::uint32_t number);
  /// Forgets all bursts. Memory may still complete those that it was asked for.
  void abandon();

  std::vector<AxiSlot> slots;
  Order order;                    ///< of slots: that of their addresses
  std::uint32_t done = 0;         ///< of order, those in kDone
  std::uint32_t offered = kNone;  ///< slot for the next address; READY is high if there is one
  bool moved = true;              ///< a slot was taken or has become free since it was chosen
};

}  // namespace longhaul::cosim
