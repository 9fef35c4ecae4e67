// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/common/divisor.h"
#include "models/memory/memory_mapping.h"

namespace longhaul::host {

/// The kernel's allocator of physical memory, for each node. Sizes are powers of two from 256
/// bytes. The block that was freed last is given first, since it is warm in the cache. A freed
/// block keeps its size and its use until no other memory is left; then larger blocks are cut.
/// Blocks are never joined again.
class MemoryPool {
 public:
  /// The use of a block: an object of the slab allocator, such as a header, or a page for
  /// processes' data. As in the systems' kernels, neither use takes a block that the other freed
  /// while there is other memory.
  enum class Use : std::uint8_t { kObject, kPage };

  /// Manages the mapping from `begin` on, rounded up to a page; the first page is left out. `nodes`
  /// is the number of equal parts of the mapping, in order of address.
  MemoryPool(const memory::MemoryMapping& mapping, std::uint64_t begin, std::uint32_t nodes);

  /// The physical address of at least `bytes`, aligned to their power of two, at most to a page.
  /// Taken from `node`, or from the next node if that is full. 0: no memory is left.
  std::uint64_t allocate(std::uint64_t bytes, std::uint32_t node = 0, Use use = Use::kObject);
  void free(std::uint64_t address, std::uint64_t bytes, Use use = Use::kObject);
  static std::uint64_t rounded(std::uint64_t bytes);  ///< size of the block for such an allocation
  std::uint32_t node_of(std::uint64_t address) const;

  /// The bytes at an allocated physical address, to be read.
  const std::uint8_t* at(std::uint64_t address) const { return mapping_.at(address); }
  /// The bytes at an allocated physical address, of which `bytes` will be written.
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
    std::uint64_t next;  // never allocated yet, up to end
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
