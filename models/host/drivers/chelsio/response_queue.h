// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/host/drivers/chelsio/generation_ring.h"
#include "models/host/kernel/processor.h"
#include "models/nic/blocks/little_endian.h"

namespace longhaul::host::chelsio {

/// A response of the SGE (sge.c, struct respQ_e).
struct Response {
  std::uint32_t bytes = 0;
  std::uint32_t flags = 0;

  static constexpr std::uint32_t bits(std::uint32_t word, std::uint32_t at, std::uint32_t count) {
    return word >> at & ((1U << count) - 1);
  }
  bool whole() const { return bits(flags, 1, 2) == 3; }  // first and last
  bool offload() const { return bits(flags, 3, 1) != 0; }
  bool has_data() const { return bits(flags, 4, 1) != 0; }
  std::uint32_t free_list() const { return bits(flags, 6, 2); }
  /// Descriptors of command queue 0, and of command queue 1, that the chip is done with.
  std::uint32_t credits() const { return bits(flags, 13, 5); }
  std::uint32_t control_credits() const { return bits(flags, 23, 5); }
  /// Queues that sleep, as bits of SG_DOORBELL.
  std::uint32_t sleeping() const { return bits(flags, 28, 4); }
};

/// The response queue of the SGE, read in order.
class ResponseQueue {
 public:
  ResponseQueue(MemoryPool& memory, std::uint32_t entries) : ring_(memory, entries, kEntryBytes) {}

  bool open(std::uint32_t node) {
    credits_ = 0;
    return ring_.open(node);
  }
  void close() { ring_.close(); }
  const GenerationRing& ring() const { return ring_; }
  /// Reads the next response, if the chip has written it.
  bool peek(Response& response, Processor& cpu) {
    const std::uint8_t* const entry = ring_.entry(ring_.at());
    cpu.touch_read(ring_.address_of(ring_.at()), kEntryBytes);
    response = {nic::read_le32(entry), nic::read_le32(entry + 4)};
    return (response.flags & 1U) == ring_.generation();
  }
  void next() {
    ring_.advance();
    ++credits_;
  }
  /// Entries that were read and not given back to the chip.
  std::uint32_t credits() const { return credits_; }
  void credits_given() { credits_ = 0; }

 private:
  static constexpr std::uint32_t kEntryBytes = 8;
  GenerationRing ring_;  // at the next response
  std::uint32_t credits_ = 0;
};

}  // namespace longhaul::host::chelsio
