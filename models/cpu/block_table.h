// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/pipeline.h"
#include "models/cpu/text_layout.h"

namespace longhaul::cpu {

/// The basic blocks of a kernel's text, by classes of operations
/// (platform/python/longhaul/guest/kernel_blocks.py writes the file).
class BlockTable {
 public:
  struct Block {
    std::uint32_t offset;  ///< of its name, the address of what counts it, from begin()
    std::uint32_t place;   ///< where it would begin, from begin(), in a text that nothing counts
    OpCounts ops;
  };

  /// Throws ConfigError when the file is missing, not of this form, or cut short. Places are those
  /// of the text's layout `layout` (text_layout.h).
  explicit BlockTable(const std::string& path, std::uint64_t layout = 0);

  std::uint64_t begin() const { return begin_; }  ///< address of the first byte of text
  std::uint64_t end() const { return end_; }
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  void move_to(std::uint64_t layout, const std::vector<TextFunction>& functions);

  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace longhaul::cpu
