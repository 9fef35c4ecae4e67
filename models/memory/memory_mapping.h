// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/memory/written_lines.h"

namespace longhaul::memory {

/// The bytes of memory in a mapping that another object owns and keeps alive (such as the guest's
/// RAM file).
struct MemoryMapping {
  static constexpr std::uint64_t kHostLineBytes = 64;

  std::uint8_t* bytes = nullptr;
  std::uint64_t size = 0;
  std::uint64_t base = 0;           ///< physical address of bytes[0]; no memory below
  WrittenLines* written = nullptr;  ///< lines that may be other than zero; null: not known

  bool is_tracked() const { return written != nullptr && written->knows(); }
  /// The bytes at a physical address, to be read.
  const std::uint8_t* at(std::uint64_t address) const { return bytes + (address - base); }
  /// Loads the first bytes, usually headers, into the host's caches. They are about to be read or
  /// written.
  void prefetch(std::uint64_t address) const {
    __builtin_prefetch(at(address));
    __builtin_prefetch(at(address) + kHostLineBytes);
  }
  /// Whether all bytes are known to be zero, without a look at them.
  bool is_blank(std::uint64_t address, std::uint64_t count) const {
    return is_tracked() && written->extent(address - base, count) == 0;
  }
  /// The bytes at an address, of which `count` will be written.
  std::uint8_t* to_write(std::uint64_t address, std::uint64_t count) const;
  /// Writes `count` bytes. Only the first `stored` of them are in `data`; the rest is zero.
  void write(std::uint64_t address, const std::uint8_t* data, std::uint64_t stored,
             std::uint64_t count) const;
  /// The number of stored bytes among the `count` bytes at an address. All bytes after them are
  /// zero.
  std::uint64_t extent(std::uint64_t address, std::uint64_t count) const;
  /// Makes bytes zero. Memory that was never written is zero and uses none of the host's memory
  /// until it is written.
  void clear(std::uint64_t address, std::uint64_t count) const;
};

}  // namespace longhaul::memory
