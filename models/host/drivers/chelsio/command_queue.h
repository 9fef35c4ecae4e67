// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/drivers/chelsio/generation_ring.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_device.h"

namespace longhaul::host::chelsio {

/// A command queue of the SGE, with the driver's records of the packets and messages in it. A
/// packet has a CPL_TX_PKT in front. The queue writes descriptors; the driver writes registers.
class CommandQueue {
 public:
  /// Bytes of CPL_TX_PKT, in front of a packet's first extent.
  static constexpr std::uint32_t kHeaderBytes = 8;
  /// Most bytes of a descriptor (sge.c, SGE_TX_DESC_MAX_PLEN).
  static constexpr std::uint32_t kMostBytes = 16384;
  /// The bit of a cookie that marks a message of TCP offload. Cookies of packets do not have it.
  static constexpr std::uint64_t kMessage = 1ULL << 63U;

  CommandQueue(MemoryPool& memory, std::uint32_t entries);

  bool open(std::uint32_t node);
  void close() { ring_.close(); }
  const GenerationRing& ring() const { return ring_; }
  std::uint32_t in_use() const { return in_use_; }
  std::uint32_t free() const { return ring_.entries() - in_use_; }
  /// Descriptors that the chip has processed and the driver has not cleaned.
  std::uint32_t reclaimable() const { return processed_ - cleaned_; }
  /// The chip has descriptors that it has not processed.
  bool outstanding() const { return cleaned_ + in_use_ != processed_; }

  /// Tells whether each extent fits into one descriptor.
  static bool fits(const TxPacket& packet);
  /// Writes a packet's header and descriptors, and returns how many. There must be room for them.
  std::uint32_t put(const TxPacket& packet, Processor& cpu);
  /// The same of a message of TCP offload, whose first extent begins with its header.
  std::uint32_t put_message(const TxPacket& message, std::uint64_t cookie, Processor& cpu) {
    return put_pieces(message, 0, cookie, cpu);
  }
  /// Responses have returned credits for so many descriptors.
  void processed(std::uint32_t descriptors) { processed_ += descriptors; }
  /// Cleans descriptors that were processed, up to the end of a packet. Returns how many that
  /// packet had; 0 if the oldest packet has not been processed whole.
  std::uint32_t reclaim(std::uint64_t& cookie);
  /// Removes the oldest packet, processed or not. Returns false if there is none.
  bool abandon(std::uint64_t& cookie);

 private:
  static constexpr std::uint32_t kDescriptorBytes = 16;
  /// The record of a descriptor: the packet whose last one it is.
  struct Record {
    std::uint64_t cookie = 0;
    bool ends = false;
  };

  std::uint32_t put_pieces(const TxPacket& packet, std::uint32_t header, std::uint64_t cookie,
                           Processor& cpu);
  void write_header(const TxPacket& packet, Processor& cpu);
  void clean();

  MemoryPool& memory_;
  GenerationRing ring_;  // at the next descriptor to write
  std::vector<Record> records_;
  std::uint32_t in_use_ = 0;
  std::uint32_t processed_ = 0;
  std::uint32_t cleaned_ = 0;
  std::uint32_t next_to_clean_ = 0;
  std::uint32_t cleaned_of_packet_ = 0;
};

}  // namespace longhaul::host::chelsio
