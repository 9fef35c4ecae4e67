// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace longhaul::memory {

/// Which node has which address: one stretch a node, or pages dealt out in turn. Addresses count from the start of memory.
class NodeMap {
 public:
  /// A stretch of consecutive addresses within one node.
  struct Part {
    std::uint64_t address = 0;  ///< within the node
    std::uint64_t bytes = 0;
  };

  /// `grain`: bytes that stay together when pages are dealt out; 0 for one stretch a node.
  NodeMap(std::uint64_t size, std::uint32_t nodes, std::uint64_t grain)
      : nodes_(nodes),
        stretch_(grain != 0 ? grain : std::max<std::uint64_t>(1, (size + nodes - 1) / nodes)),
        interleaved_(grain != 0) {}

  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t node_of(std::uint64_t address) const {
    const std::uint64_t stretch = address / stretch_;
    return static_cast<std::uint32_t>(interleaved_ ? stretch % nodes_ : std::min<std::uint64_t>(stretch, nodes_ - 1));
  }
  /// What `node` has of `bytes` from `address`; it is consecutive within the node.
  Part part(std::uint32_t node, std::uint64_t address, std::uint64_t bytes) const {
    const std::uint64_t first = local(node, address);
    return {first, local(node, address + bytes) - first};
  }

 private:
  /// Bytes of `node` that lie below `address`.
  std::uint64_t local(std::uint32_t node, std::uint64_t address) const {
    if (!interleaved_) {
      const std::uint64_t begin = node * stretch_;
      if (address <= begin) return 0;
      return node == nodes_ - 1 ? address - begin : std::min(address - begin, stretch_);
    }
    const std::uint64_t round = stretch_ * nodes_;
    const std::uint64_t rest = address % round;
    const std::uint64_t begin = node * stretch_;
    return address / round * stretch_ + (rest <= begin ? 0 : std::min(rest - begin, stretch_));
  }

  std::uint32_t nodes_;
  std::uint64_t stretch_;
  bool interleaved_;
};

}  // namespace longhaul::memory
