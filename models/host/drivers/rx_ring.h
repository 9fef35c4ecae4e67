// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_device.h"

namespace longhaul::host {

/// Parameters by which a driver runs its receive ring.
struct RxFormat {
  std::uint32_t buffer_bytes = 2048;  ///< bytes that the adapter may write
  std::uint32_t headroom = 0;         ///< bytes before these
  std::uint32_t fcs_bytes = 0;        ///< bytes that the adapter leaves at the end of each frame
  std::uint32_t spare = 0;            ///< descriptors that never get a buffer
  std::uint32_t tail_every = 0;  ///< the tail is written at multiples of this number; 0: after all
                                 ///< buffers
  std::uint32_t copybreak = 0;   ///< shorter frames are copied
  std::uint32_t node = 0;        ///< node of the memory
};

/// A ring of receive descriptors in Intel's format, with its buffers.
///
/// A descriptor belongs to the driver from the adapter's write-back until it gets a new buffer. If
/// memory for a buffer is lacking, the slot stays empty until the next refill.
class RxRing {
 public:
  RxRing(MemoryPool& memory, std::uint32_t entries);

  /// Takes memory for the ring. Returns false if there is none.
  bool open(const RxFormat& format);
  /// Frees ring and buffers. The adapter must have been stopped.
  void close();
  std::uint64_t address() const { return address_; }
  std::uint32_t bytes() const { return entries_ * kDescriptorBytes; }

  enum class Taken : std::uint8_t { kNothing, kFrame, kRefused };
  /// Takes the next descriptor that the adapter has written. The result is its frame, or that the
  /// frame must be dropped (damaged, or in several buffers).
  Taken take(RxPacket& packet, Processor& cpu);
  /// The result of refill(): the number of buffers taken from memory, whether memory is exhausted,
  /// and whether the tail must be written.
  struct Refilled {
    std::uint32_t buffers = 0;
    std::uint32_t descriptors = 0;
    bool failed = false;
    bool tell = false;
  };
  /// Gives buffers to slots until the tail must be written (then `tell` is set) or all slots are
  /// full.
  Refilled refill();
  std::uint32_t tail() const { return tail_; }

 private:
  static constexpr std::uint32_t kDescriptorBytes = 16;

  std::uint8_t* slot(std::uint32_t index) { return ring_ + std::size_t{index} * kDescriptorBytes; }
  std::uint32_t next(std::uint32_t index) const { return index + 1 < entries_ ? index + 1 : 0; }
  std::uint32_t allocation() const { return format_.headroom + format_.buffer_bytes; }

  MemoryPool& memory_;
  const std::uint32_t entries_;
  RxFormat format_;
  std::vector<std::uint64_t> buffers_;  // buffer of each slot; 0: none
  std::uint64_t address_ = 0;
  std::uint8_t* ring_ = nullptr;
  std::uint32_t next_to_use_ = 0;
  std::uint32_t next_to_clean_ = 0;
  std::uint32_t given_ = 0;  // slots with a buffer, from next_to_clean_ on
  std::uint32_t tail_ = 0;
  bool in_pieces_ = false;
};

}  // namespace longhaul::host
