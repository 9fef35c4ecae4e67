// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "models/host/kernel/memory_pool.h"

namespace longhaul::host::chelsio {

/// The memory of a queue of the SGE, and one position in it. An entry is valid when its generation
/// bit is that of the position. The bit changes each time that the position goes round.
class GenerationRing {
 public:
  /// Place of the generation bit in the first word of a descriptor, which also has its length
  /// (sge.c, V_CMD_GEN1).
  static constexpr std::uint32_t kGenerationShift = 31;

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

 private:
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
