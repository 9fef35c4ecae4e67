// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "platform/cosim/bus/block_memory.h"

namespace longhaul::portmap {

/// Accesses of a block to memory that have no answer yet, by numbers that may be reused after the
/// answer.
class MemoryAccesses {
 public:
  /// The client of the answer, and its tag.
  struct Access {
    cosim::MemoryClient* client = nullptr;
    std::uint64_t tag = 0;
  };

  std::uint32_t open(cosim::MemoryClient& client, std::uint64_t tag) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(accesses_.size()));
      accesses_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    accesses_[number] = {&client, tag};
    return number;
  }
  Access close(std::uint32_t number) {
    free_.push_back(number);
    return accesses_[number];
  }

 private:
  std::vector<Access> accesses_;
  std::vector<std::uint32_t> free_;
};

}  // namespace longhaul::portmap
