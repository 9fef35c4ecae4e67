// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/common/divisor.h"

namespace longhaul::memory {

/// Which node has which address: one stretch for each node, or pages given out in turn. Addresses
/// count from the start of memory.
class NodeMap {
 public:
  /// A stretch of consecutive addresses within one node.
  struct Part {
    std::uint64_t address = 0;  ///< within the node
    std::uint64_t bytes = 0;
  };

  /// `grain` is the size of a page, in bytes, that is given to a node in turn; 0 for one stretch
  /// for each node.
  NodeMap(std::uint64_t size, std::uint32_t nodes, std::uint64_t grain)
      : deal_(nodes),
        stretch_(grain != 0 ? grain : std::max<std::uint64_t>(1, (size + nodes - 1) / nodes)),
        interleaved_(grain != 0) {}

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(deal_.value()); }
  std::uint32_t node_of(std::uint64_t address) const {
    const std::uint64_t stretch = stretch_.quotient(address);
    return static_cast<std::uint32_t>(interleaved_
                                          ? deal_.remainder(stretch)
                                          : std::min<std::uint64_t>(stretch, deal_.value() - 1));
  }
  /// Whether one node has all these bytes. Conservative: it only checks that they lie in one
  /// stretch.
  bool together(std::uint64_t address, std::uint64_t bytes) const {
    return stretch_.quotient(address) == stretch_.quotient(address + bytes - 1);
  }
  /// The share of node_of(address), for bytes that lie together().
  Part whole(std::uint64_t address, std::uint64_t bytes) const {
    return {local(node_of(address), address), bytes};
  }
  /// The share of each node in `whole`, as a whole number.
  std::uint64_t each(std::uint64_t whole) const { return deal_.quotient(whole); }
  /// The share of `node` in `bytes` from `address`. It is consecutive within the node.
  Part part(std::uint32_t node, std::uint64_t address, std::uint64_t bytes) const {
    const std::uint64_t first = local(node, address);
    return {first, local(node, address + bytes) - first};
  }

 private:
  /// Bytes of `node` below `address`.
  std::uint64_t local(std::uint32_t node, std::uint64_t address) const {
    const std::uint64_t stretch = stretch_.value();
    const std::uint64_t begin = node * stretch;
    if (!interleaved_) {
      if (address <= begin) return 0;
      return node == nodes() - 1 ? address - begin : std::min(address - begin, stretch);
    }
    const std::uint64_t round = deal_.quotient(stretch_.quotient(address));
    const std::uint64_t rest = address - round * stretch * nodes();
    return round * stretch + (rest <= begin ? 0 : std::min(rest - begin, stretch));
  }

  Divisor deal_;  // by the number of nodes
  Divisor stretch_;
  bool interleaved_;
};

}  // namespace longhaul::memory
