// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/free_list.h"

namespace longhaul::host::chelsio {

FreeList::FreeList(MemoryPool& memory, std::uint32_t entries, std::uint32_t buffer_bytes,
                   std::uint32_t offset)
    : memory_(memory),
      ring_(memory, entries, kDescriptorBytes),
      buffer_bytes_(buffer_bytes),
      offset_(offset),
      buffers_(entries) {}

bool FreeList::open(std::uint32_t node) {
  node_ = node;
  next_to_take_ = credits_ = 0;
  return ring_.open(node);
}

void FreeList::close() {
  while (credits_ != 0) memory_.free(remove_oldest(), buffer_bytes_);
  ring_.close();
}

std::uint64_t FreeList::remove_oldest() {
  const std::uint64_t buffer = buffers_[next_to_take_];
  if (++next_to_take_ == ring_.entries()) next_to_take_ = 0;
  --credits_;
  return buffer;
}

void FreeList::give(std::uint64_t buffer) {
  buffers_[ring_.at()] = buffer;
  ring_.put({buffer + offset_, buffer_bytes_ - offset_}, 0);
  ++credits_;
}

std::uint32_t FreeList::refill(bool& failed) {
  std::uint32_t given = 0;
  while (credits_ < ring_.entries()) {
    const std::uint64_t buffer = memory_.allocate(buffer_bytes_, node_);
    if (buffer == 0) {
      failed = true;
      break;
    }
    give(buffer);
    ++given;
  }
  return given;
}

void FreeList::take(RxPacket& packet) {
  packet.buffer = remove_oldest();
  packet.buffer_bytes = buffer_bytes_;
}

void FreeList::recycle() { give(remove_oldest()); }

}  // namespace longhaul::host::chelsio
