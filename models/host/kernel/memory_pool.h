// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/common/divisor.h"
#include "models/memory/memory_mapping.h"

namespace longhaul::host {

/// The kernel's allocator of physical memory: power-of-two sizes from 256 bytes, last freed first
/// given (so that it is warm in the cache), node by node. What is freed keeps its size and its use
/// until nothing else is left, then larger blocks are cut; they are never joined again.
class MemoryPool {
 public:
  /// Objects of the slab allocator, headers among them, and pages that processes' data are put in:
  /// neither gets what the other freed while there is anything else, as in the systems' kernels.
  enum class Use : std::uint8_t { kObject, kPage };

  /// Of the whole mapping from `begin` on, which is rounded up to a page and not the first;
  /// `nodes`: equal parts of the mapping, in order of address.
  MemoryPool(const memory::MemoryMapping& mapping, std::uint64_t begin, std::uint32_t nodes);

  /// Physical address of at least `bytes`, aligned to their power of two up to a page, from `node`
  /// or, when that is full, the next one. 0: none is left.
  std::uint64_t allocate(std::uint64_t bytes, std::uint32_t node = 0, Use use = Use::kObject);
  void free(std::uint64_t address, std::uint64_t bytes, Use use = Use::kObject);
  static std::uint64_t rounded(std::uint64_t bytes);  ///< what such an allocation takes
  std::uint32_t node_of(std::uint64_t address) const;

  /// The bytes at a physical address that was allocated, to read them.
  const std::uint8_t* at(std::uint64_t address) const { return mapping_.at(address); }
  /// The same, to write `bytes` of them.
  std::uint8_t* to_write(std::uint64_t address, std::uint64_t bytes) {
    return mapping_.to_write(address, bytes);
  }
  void copy(std::uint64_t source, std::uint64_t target, std::uint64_t bytes);
  std::uint64_t used() const { return used_; }

 private:
  static constexpr std::uint32_t kSmallestBits = 8;
  static constexpr std::uint64_t kSmallestBytes = 1ULL << kSmallestBits;
  static constexpr std::uint32_t kClasses = 33;  // up to 1 TiB

  using FreeLists = std::array<std::vector<std::uint64_t>, kClasses>;  // by size
  struct Node {
    std::uint64_t next;  // never given yet, up to end
    std::uint64_t end;
    std::array<FreeLists, 2> free;  // by use
  };

  static std::uint64_t size_of(std::uint32_t size_class) { return kSmallestBytes << size_class; }
  static std::uint32_t class_of(std::uint64_t bytes);
  static std::uint64_t take(Node& node, std::uint32_t size_class, Use use);
  static std::uint64_t take_freed(FreeLists& lists, std::uint32_t size_class);

  const memory::MemoryMapping mapping_;
  const Divisor node_bytes_;
  std::vector<Node> nodes_;
  std::uint64_t used_ = 0;
};

}  // namespace longhaul::host
