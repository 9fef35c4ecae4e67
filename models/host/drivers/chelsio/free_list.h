// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/drivers/chelsio/generation_ring.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_device.h"

namespace longhaul::host::chelsio {

/// A free list of the SGE: receive buffers of one size. The chip uses them in order; a received
/// packet is one buffer.
class FreeList {
 public:
  /// `buffer_bytes` are allocated; the chip writes from `offset` on, so that IP is aligned.
  FreeList(MemoryPool& memory, std::uint32_t entries, std::uint32_t buffer_bytes,
           std::uint32_t offset);

  bool open(std::uint32_t node);
  /// Frees list and buffers. The chip must have been stopped.
  void close();
  const GenerationRing& ring() const { return ring_; }
  /// Buffers that the chip has.
  std::uint32_t credits() const { return credits_; }
  std::uint32_t buffer_bytes() const { return buffer_bytes_; }
  /// Address from which the chip writes into the oldest buffer.
  std::uint64_t oldest() const { return buffers_[next_to_take_] + offset_; }

  /// Gives buffers to the chip until all entries have one. Returns how many; `failed` tells that
  /// memory is exhausted.
  std::uint32_t refill(bool& failed);
  /// Takes the oldest buffer for good: sets the packet's allocation.
  void take(RxPacket& packet);
  /// Gives the oldest buffer to the chip again, as the newest.
  void recycle();

 private:
  static constexpr std::uint32_t kDescriptorBytes = 16;
  void give(std::uint64_t buffer);
  std::uint64_t remove_oldest();

  MemoryPool& memory_;
  GenerationRing ring_;  // at the next entry to fill
  const std::uint32_t buffer_bytes_;
  const std::uint32_t offset_;
  std::vector<std::uint64_t> buffers_;  // of each entry
  std::uint32_t next_to_take_ = 0;
  std::uint32_t credits_ = 0;
  std::uint32_t node_ = 0;
};

}  // namespace longhaul::host::chelsio
