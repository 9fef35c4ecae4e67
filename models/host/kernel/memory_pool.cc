// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/memory_pool.h"

#include <algorithm>
#include <cassert>

namespace longhaul::host {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

constexpr std::uint64_t page_up(std::uint64_t address) {
  return (address + kPageBytes - 1) & ~(kPageBytes - 1);
}

}  // namespace

MemoryPool::MemoryPool(const memory::MemoryMapping& mapping, std::uint64_t begin,
                       std::uint32_t nodes)
    : mapping_(mapping),
      node_bytes_(std::max<std::uint64_t>(mapping.size / nodes & ~(kPageBytes - 1), kPageBytes)) {
  const std::uint64_t first = page_up(std::max({begin, mapping.base, kPageBytes}));
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const std::uint64_t start = mapping.base + n * node_bytes_.value();
    const std::uint64_t end =
        n + 1 == nodes ? mapping.base + mapping.size : start + node_bytes_.value();
    nodes_.push_back({std::min(std::max(page_up(start), first), end), end, {}});
  }
}

std::uint32_t MemoryPool::class_of(std::uint64_t bytes) {
  if (bytes <= kSmallestBytes) return 0;
  const auto bits = 64U - static_cast<std::uint32_t>(__builtin_clzll(bytes - 1));
  return std::min(bits - kSmallestBits, kClasses - 1);
}

std::uint64_t MemoryPool::rounded(std::uint64_t bytes) { return size_of(class_of(bytes)); }

std::uint32_t MemoryPool::node_of(std::uint64_t address) const {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(node_bytes_.quotient(address - mapping_.base), nodes_.size() - 1));
}

void MemoryPool::copy(std::uint64_t source, std::uint64_t target, std::uint64_t bytes) {
  mapping_.write(target, mapping_.at(source), mapping_.extent(source, bytes), bytes);
}

std::uint64_t MemoryPool::take(Node& node, std::uint32_t size_class, Use use) {
  FreeLists& own = node.free[static_cast<std::size_t>(use)];
  auto& fitting = own[size_class];
  const std::uint64_t bytes = size_of(size_class);
  const std::uint64_t fresh_bytes = std::max(bytes, kPageBytes);
  if (fitting.empty() && node.end - node.next >= fresh_bytes) {
    // Small blocks are made a page at a time. The lowest address is used first.
    for (std::uint64_t block = node.next + fresh_bytes; block > node.next;)
      fitting.push_back(block -= bytes);
    node.next += fresh_bytes;
  }
  const std::uint64_t block = take_freed(own, size_class);
  return block != 0 ? block : take_freed(node.free[1 - static_cast<std::size_t>(use)], size_class);
}

std::uint64_t MemoryPool::take_freed(FreeLists& lists, std::uint32_t size_class) {
  for (std::uint32_t larger = size_class; larger < kClasses; ++larger) {
    if (lists[larger].empty()) continue;
    const std::uint64_t block = lists[larger].back();
    lists[larger].pop_back();
    for (; larger > size_class; --larger) lists[larger - 1].push_back(block + size_of(larger - 1));
    return block;
  }
  return 0;
}

std::uint64_t MemoryPool::allocate(std::uint64_t bytes, std::uint32_t node, Use use) {
  const std::uint32_t size_class = class_of(bytes);
  if (size_of(size_class) < bytes) return 0;
  for (std::size_t left = nodes_.size(); left != 0; --left, ++node) {
    if (node >= nodes_.size()) node = 0;
    if (const std::uint64_t address = take(nodes_[node], size_class, use); address != 0) {
      used_ += size_of(size_class);
      return address;
    }
  }
  return 0;
}

void MemoryPool::free(std::uint64_t address, std::uint64_t bytes, Use use) {
  const std::uint32_t size_class = class_of(bytes);
  assert((address & (std::min(size_of(size_class), kPageBytes) - 1)) == 0 &&
         "not a block of this size");
  nodes_[node_of(address)].free[static_cast<std::size_t>(use)][size_class].push_back(address);
  used_ -= size_of(size_class);
}

}  // namespace longhaul::host
