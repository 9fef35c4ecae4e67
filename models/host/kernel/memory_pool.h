// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/backing_store.h"

namespace longhaul::host {

/// The kernel's allocator of physical memory: power-of-two sizes from 256 bytes, last freed first given (so that it is warm in
/// the cache), node by node.
class MemoryPool {
 public:
  /// Of the whole mapping from `begin` on; `nodes`: equal parts of it, in order of address.
  MemoryPool(const memory::MemoryMapping& mapping, std::uint64_t begin, std::uint32_t nodes);

  /// Physical address of at least `bytes`, aligned to their power of two up to a page, from `node` or, when that is full, the next one. 0: none
  /// is left.
  std::uint64_t allocate(std::uint64_t bytes, std::uint32_t node = 0);
  void free(std::uint64_t address, std::uint64_t bytes);
  static std::uint64_t rounded(std::uint64_t bytes);  ///< what such an allocation takes

  /// The bytes at a physical address that was allocated.
  std::uint8_t* at(std::uint64_t address) { return mapping_.data + (address - mapping_.base); }
  std::uint64_t used() const { return used_; }

 private:
  const memory::MemoryMapping mapping_;
  std::uint64_t used_ = 0;
};

}  // namespace longhaul::host
