// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_device.h"

namespace longhaul::host {

/// How a driver runs its receive ring.
struct RxFormat {
  std::uint32_t buffer_bytes = 2048;  ///< what the adapter may write
  std::uint32_t headroom = 0;         ///< in front of it
  std::uint32_t fcs_bytes = 0;        ///< that the adapter leaves at the end of each frame
  std::uint32_t spare = 0;            ///< descriptors that never get a buffer
  std::uint32_t tail_every = 0;  ///< the tail is told at multiples of this; 0: after all buffers
  std::uint32_t copybreak = 0;   ///< frames shorter than this are copied
  std::uint32_t node = 0;        ///< whose memory
};

/// A ring of receive descriptors of Intel's format and the buffers in it.
///
/// A descriptor is the driver's from the adapter's write-back until its buffer is given again.
/// Buffers that cannot be had leave their slots empty until the next refill.
class RxRing {
 public:
  RxRing(MemoryPool& memory, std::uint32_t entries);

  /// Takes memory for the ring; false when there is none.
  bool open(const RxFormat& format);
  /// Gives ring and buffers back; the adapter must have been stopped.
  void close();
  std::uint64_t address() const { return address_; }
  std::uint32_t bytes() const { return entries_ * kDescriptorBytes; }

  enum class Taken : std::uint8_t { kNothing, kFrame, kRefused };
  /// The next descriptor that the adapter has written: its frame, or that it was one to be dropped
  /// (damaged, or in pieces).
  Taken take(RxPacket& packet, Processor& cpu);
  /// What refill() did: buffers that it took from memory, whether memory ended, whether the tail is
  /// to be told.
  struct Refilled {
    std::uint32_t buffers = 0;
    std::uint32_t descriptors = 0;
    bool failed = false;
    bool tell = false;
  };
  /// Gives buffers up to the next time that the tail is to be told (then `tell`) or to the end.
  Refilled refill();
  std::uint32_t tail() const { return tail_; }

 private:
  static constexpr std::uint32_t kDescriptorBytes = 16;

  std::uint8_t* slot(std::uint32_t index) { return ring_ + std::size_t{index} * kDescriptorBytes; }
  std::uint32_t next(std::uint32_t index) const { return index + 1 < entries_ ? index + 1 : 0; }
  std::uint32_t allocation() const { return format_.headroom + format_.buffer_bytes; }
  bool copy_out(RxPacket& packet, std::uint64_t buffer, std::uint32_t length, Processor& cpu);

  MemoryPool& memory_;
  const std::uint32_t entries_;
  RxFormat format_;
  std::vector<std::uint64_t> buffers_;  // of each slot; 0: none
  std::uint64_t address_ = 0;
  std::uint8_t* ring_ = nullptr;
  std::uint32_t next_to_use_ = 0;
  std::uint32_t next_to_clean_ = 0;
  std::uint32_t given_ = 0;  // slots from next_to_clean_ on
  std::uint32_t tail_ = 0;
  bool in_pieces_ = false;
};

}  // namespace longhaul::host
