// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_device.h"

namespace longhaul::host {

/// Copies `length` bytes of a received frame into a buffer of their size, behind `headroom` bytes:
/// sets the packet's buffer, and its address to the copy. Returns false if there is no memory.
inline bool copy_frame(std::uint64_t source, std::uint32_t length, std::uint32_t headroom,
                       std::uint32_t node, MemoryPool& memory, Processor& cpu, RxPacket& packet) {
  packet.buffer_bytes = headroom + length;
  packet.buffer = memory.allocate(packet.buffer_bytes, node);
  if (packet.buffer == 0) return false;
  packet.address = packet.buffer + headroom;
  memory.copy(source, packet.address, length);
  cpu.copy(source, packet.address, length);
  return true;
}

}  // namespace longhaul::host
