// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace longhaul::nic {

/// Which bytes of a frame that is being read are zero and have not been stored.
///
/// They come by pieces of reads, mostly in order. What does not reach to the frame's end in the
/// end, and what exceeds the room here, is stored after all.
class BlankRanges {
 public:
  /// Bytes [from, from + length) of `frame`.
  void add(std::uint8_t* frame, std::uint32_t from, std::uint32_t length);
  /// All of the frame's `size` bytes are there or were told: the first of those at its end that are
  /// zero and not stored, `size` if there are none. Stores the others.
  std::uint32_t settle(std::uint8_t* frame, std::uint32_t size);

 private:
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  static constexpr std::uint32_t kMost = 6;

  std::array<Range, kMost> ranges_;
  std::uint32_t count_ = 0;
};

}  // namespace longhaul::nic
