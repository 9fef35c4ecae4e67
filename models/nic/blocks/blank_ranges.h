// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace longhaul::nic {

/// The bytes of a frame that are zero and not stored, while the frame is being read.
///
/// They are reported for pieces of reads, mostly in order. A range that does not reach the frame's
/// end is stored in settle(). So is a range for which there is no entry here, at once.
class BlankRanges {
 public:
  /// Adds bytes [from, from + length) of `frame`.
  void add(std::uint8_t* frame, std::uint32_t from, std::uint32_t length);
  /// Called when all of the frame's `size` bytes are stored or reported. Returns the offset of the
  /// zeros at the frame's end that are not stored, `size` if there are none. Stores the other
  /// zeros.
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
