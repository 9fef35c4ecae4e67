// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace longhaul::pcix {

/// 256 bytes of configuration space, little-endian, with the bits of each byte that software may
/// change. Sizes are 1, 2 or 4 bytes. Reads outside return all ones; writes there do nothing.
class ConfigBytes {
 public:
  std::uint32_t read(std::uint32_t offset, std::uint32_t size) const;
  /// A write by software. Bits that are not writable keep their value.
  void write(std::uint32_t offset, std::uint32_t size, std::uint32_t value);
  /// Sets the value of bytes, also the value after reset, and which bits software may write.
  void put(std::uint32_t offset, std::uint32_t size, std::uint32_t value,
           std::uint32_t writable_mask = 0, std::uint32_t write_one_to_clear_mask = 0);
  void reset() { bytes_ = after_reset_; }
  static bool holds(std::uint32_t offset, std::uint32_t size) {
    return offset < kBytes && size <= 4 && offset + size <= kBytes;
  }

  std::uint8_t& operator[](std::size_t offset) { return bytes_[offset]; }
  std::uint8_t operator[](std::size_t offset) const { return bytes_[offset]; }

  static constexpr std::uint32_t kBytes = 256;

 private:
  std::array<std::uint8_t, kBytes> bytes_{};
  std::array<std::uint8_t, kBytes> after_reset_{};
  std::array<std::uint8_t, kBytes> writable_{};
  std::array<std::uint8_t, kBytes> write_one_to_clear_{};
};

}  // namespace longhaul::pcix
