// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_mapping.h"

#include <cstring>

#include "models/common/wide.h"

namespace longhaul::memory {
namespace {

/// Whether all is zero, which it is or is not at once as a rule.
LONGHAUL_WIDE bool is_zero(const std::uint8_t* bytes, std::size_t count) {
  using Lanes = std::uint64_t __attribute__((vector_size(32)));
  constexpr std::size_t kBlock = 512;
  for (; count >= kBlock; count -= kBlock, bytes += kBlock) {
    Lanes any{};
    for (std::size_t i = 0; i < kBlock; i += sizeof any) {
      Lanes lanes;
      std::memcpy(&lanes, bytes + i, sizeof lanes);
      any |= lanes;
    }
    if ((any[0] | any[1] | any[2] | any[3]) != 0) return false;
  }
  return count == 0 || (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

}  // namespace

std::uint8_t* MemoryMapping::to_write(std::uint64_t address, std::uint64_t count) const {
  if (is_tracked()) written->mark(address - base, count);
  return bytes + (address - base);
}

std::uint64_t MemoryMapping::extent(std::uint64_t address, std::uint64_t count) const {
  if (is_tracked()) return written->extent(address - base, count);
  return is_zero(at(address), count) ? 0 : count;
}

void MemoryMapping::clear(std::uint64_t address, std::uint64_t count) const {
  const std::uint64_t other = extent(address, count);
  if (other == 0) return;
  std::memset(bytes + (address - base), 0, other);
  if (is_tracked()) written->clear(address - base, other);
}

}  // namespace longhaul::memory
