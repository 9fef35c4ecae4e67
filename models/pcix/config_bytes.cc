// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/config_bytes.h"

namespace longhaul::pcix {

std::uint32_t ConfigBytes::read(std::uint32_t offset, std::uint32_t size) const {
  if (!holds(offset, size)) return 0xffff'ffff;
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < size; ++i)
    value |= static_cast<std::uint32_t>(bytes_[offset + i]) << (8 * i);
  return value;
}

void ConfigBytes::write(std::uint32_t offset, std::uint32_t size, std::uint32_t value) {
  if (!holds(offset, size)) return;
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto written = static_cast<std::uint8_t>(value >> (8 * i));
    std::uint8_t& byte = bytes_[offset + i];
    const std::uint8_t mask = writable_[offset + i];
    byte = static_cast<std::uint8_t>((byte & ~mask) | (written & mask));
    byte = static_cast<std::uint8_t>(byte & ~(written & write_one_to_clear_[offset + i]));
  }
}

void ConfigBytes::put(std::uint32_t offset, std::uint32_t size, std::uint32_t value,
                      std::uint32_t writable_mask, std::uint32_t write_one_to_clear_mask) {
  for (std::uint32_t i = 0; i < size; ++i) {
    bytes_[offset + i] = after_reset_[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
    writable_[offset + i] = static_cast<std::uint8_t>(writable_mask >> (8 * i));
    write_one_to_clear_[offset + i] = static_cast<std::uint8_t>(write_one_to_clear_mask >> (8 * i));
  }
}

}  // namespace longhaul::pcix
