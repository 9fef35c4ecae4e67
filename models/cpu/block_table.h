// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/pipeline.h"

namespace longhaul::cpu {

/// The basic blocks of a kernel's text, by classes of operations (platform/python/longhaul/kernel_blocks.py writes the file).
class BlockTable {
 public:
  static constexpr std::uint8_t kPlanes = 4;  ///< blocks of one cell of text, at most

  struct Block {
    std::uint32_t offset;  ///< of its name, the hook's return address, from begin()
    std::uint8_t plane;    ///< tells blocks of one cell apart (sw/linux/longhaul_abi.h)
    OpCounts ops;
  };

  /// Throws ConfigError when the file is missing, not of this form, or cut short.
  explicit BlockTable(const std::string& path);

  std::uint64_t begin() const { return begin_; }  ///< address of the first byte of text
  std::uint64_t end() const { return end_; }
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace longhaul::cpu
