// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "models/common/split_mix.h"

/// The stream of sockets in verify mode. Each byte is a function of its offset, so a receiver finds
/// a byte that was lost, repeated or moved.
namespace longhaul::host::pattern {

inline std::uint8_t at(std::uint64_t offset) {
  return static_cast<std::uint8_t>(split_mix(offset / 8) >> (offset % 8 * 8));
}

/// Writes [offset, offset + length) of the stream.
inline void fill(std::uint64_t offset, std::uint8_t* out, std::uint64_t length) {
  std::uint64_t i = 0;
  for (; i < length && (offset + i) % 8 != 0; ++i) out[i] = at(offset + i);
  for (; i + 8 <= length; i += 8) {
    const std::uint64_t word = split_mix((offset + i) / 8);
    std::memcpy(out + i, &word, 8);
  }
  for (; i < length; ++i) out[i] = at(offset + i);
}

/// The offset of the first byte that differs from the stream.
inline std::optional<std::uint64_t> first_wrong(std::uint64_t offset, const std::uint8_t* bytes,
                                                std::uint64_t length) {
  for (std::uint64_t i = 0; i < length;) {
    if ((offset + i) % 8 == 0 && i + 8 <= length) {
      const std::uint64_t word = split_mix((offset + i) / 8);
      if (std::memcmp(bytes + i, &word, 8) == 0) {
        i += 8;
        continue;
      }
    }
    if (bytes[i] != at(offset + i)) return offset + i;
    ++i;
  }
  return std::nullopt;
}

}  // namespace longhaul::host::pattern
