// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "models/host/kernel/memory_pool.h"
#include "models/host/net/net_device.h"
#include "models/nic/blocks/little_endian.h"

namespace longhaul::host::chelsio {

/// The memory of a queue of the SGE, and one position in it. An entry is valid when its generation
/// bit is that of the position. The bit changes each time that the position goes round.
class GenerationRing {
 public:
  GenerationRing(MemoryPool& memory, std::uint32_t entries, std::uint32_t entry_bytes)
      : memory_(memory), entries_(entries), entry_bytes_(entry_bytes) {}

  /// Takes memory for the ring and begins at its first entry. Returns false if there is none.
  bool open(std::uint32_t node) {
    address_ = memory_.allocate(bytes(), node);
    if (address_ == 0) return false;
    ring_ = memory_.to_write(address_, bytes());
    std::memset(ring_, 0, bytes());
    at_ = 0;
    generation_ = 1;
    return true;
  }
  void close() {
    if (address_ != 0) memory_.free(address_, bytes());
    address_ = 0;
    ring_ = nullptr;
  }
  std::uint64_t address() const { return address_; }
  std::uint32_t entries() const { return entries_; }
  std::uint32_t at() const { return at_; }
  std::uint32_t generation() const { return generation_; }
  std::uint64_t address_of(std::uint32_t index) const {
    return address_ + std::uint64_t{index} * entry_bytes_;
  }
  std::uint8_t* entry(std::uint32_t index) { return ring_ + std::size_t{index} * entry_bytes_; }
  void advance() {
    if (++at_ < entries_) return;
    at_ = 0;
    generation_ ^= 1U;
  }
  /// Writes the next entry of a queue of descriptors, with both generation bits.
  void put(const Extent& part, std::uint32_t flags) {
    std::uint8_t* const to = entry(at_);
    nic::write_le32(to, part.bytes | generation_ << kGenerationShift);
    nic::write_le32(to + 4, static_cast<std::uint32_t>(part.address));
    nic::write_le32(to + 8, static_cast<std::uint32_t>(part.address >> 32));
    nic::write_le32(to + 12, generation_ | flags);
    advance();
  }

 private:
  /// Place of the generation bit in the first word of a descriptor, which also has its length
  /// (sge.c, V_CMD_GEN1). The second one is bit 0 of the last word.
  static constexpr std::uint32_t kGenerationShift = 31;

  std::uint64_t bytes() const { return std::uint64_t{entries_} * entry_bytes_; }

  MemoryPool& memory_;
  const std::uint32_t entries_;
  const std::uint32_t entry_bytes_;
  std::uint64_t address_ = 0;
  std::uint8_t* ring_ = nullptr;
  std::uint32_t at_ = 0;
  std::uint32_t generation_ = 1;
};

}  // namespace longhaul::host::chelsio
