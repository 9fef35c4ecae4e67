// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/memory/written_lines.h"

namespace longhaul::memory {

/// Where the bytes of memory are: somebody else's mapping (the guest's RAM file), kept alive by its
/// owner.
struct MemoryMapping {
  static constexpr std::uint64_t kHostLineBytes = 64;

  std::uint8_t* bytes = nullptr;
  std::uint64_t size = 0;
  std::uint64_t base = 0;           ///< physical address of bytes[0]; below it there is a hole
  WrittenLines* written = nullptr;  ///< where they may be other than zero; null: nobody knows

  bool is_tracked() const { return written != nullptr && written->knows(); }
  /// The bytes at a physical address, to read them.
  const std::uint8_t* at(std::uint64_t address) const { return bytes + (address - base); }
  /// Asks the host's caches for the first of them, headers as a rule, which are about to be read or
  /// written.
  void prefetch(std::uint64_t address) const {
    __builtin_prefetch(at(address));
    __builtin_prefetch(at(address) + kHostLineBytes);
  }
  /// The bytes at an address, to write `count` of them.
  std::uint8_t* to_write(std::uint64_t address, std::uint64_t count) const;
  /// Puts `count` bytes there, of which those behind the first `stored` of `data` are zero.
  void write(std::uint64_t address, const std::uint8_t* data, std::uint64_t stored,
             std::uint64_t count) const;
  /// How many of the `count` bytes at an address count: all behind them are zero.
  std::uint64_t extent(std::uint64_t address, std::uint64_t count) const;
  /// Makes them zero. Memory that nobody has written is zero, and takes no room of the host's until
  /// somebody does.
  void clear(std::uint64_t address, std::uint64_t count) const;
};

}  // namespace longhaul::memory
