// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/pipeline.h"
#include "models/cpu/text_layout.h"

namespace longhaul::cpu {

/// The basic blocks of a kernel's text, with the classes of their operations
/// (platform/python/longhaul/guest/kernel_blocks.py writes the file).
class BlockTable {
 public:
  struct Block {
    std::uint32_t offset;  ///< from begin(): the address of the site that counts the block
    std::uint32_t place;   ///< from begin(): address of the block in a text without sites
    OpCounts ops;
  };

  /// Reads the file. Throws ConfigError if the file is missing, cut short, or of another form.
  /// Places are those of layout `layout` (text_layout.h).
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
