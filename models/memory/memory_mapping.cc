// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_mapping.h"

#include <cstring>

#include "models/common/zeros.h"

namespace longhaul::memory {

std::uint8_t* MemoryMapping::to_write(std::uint64_t address, std::uint64_t count) const {
  if (is_tracked()) written->mark(address - base, count);
  return bytes + (address - base);
}

void MemoryMapping::write(std::uint64_t address, const std::uint8_t* data, std::uint64_t stored,
                          std::uint64_t count) const {
  clear(address + stored, count - stored);
  std::memcpy(to_write(address, stored), data, stored);
}

std::uint64_t MemoryMapping::extent(std::uint64_t address, std::uint64_t count) const {
  if (is_tracked()) return written->extent(address - base, count);
  return are_zero(at(address), count) ? 0 : count;
}

void MemoryMapping::clear(std::uint64_t address, std::uint64_t count) const {
  const std::uint64_t other = extent(address, count);
  if (other == 0) return;
  std::memset(bytes + (address - base), 0, other);
  if (is_tracked()) written->clear(address - base, other);
}

}  // namespace longhaul::memory
