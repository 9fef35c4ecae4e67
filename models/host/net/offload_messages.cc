// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/offload_messages.h"

#include "models/host/net/stack.h"

namespace longhaul::host {

OffloadMessages::Made OffloadMessages::make(Processor& processor, SendQueue& queue,
                                            std::uint64_t offset, std::uint32_t length,
                                            TxPacket& packet) {
  const std::uint32_t header_bytes = offload_.header_bytes();
  Message message;
  std::uint64_t header = 0;
  if (!queue.locate(offset, length, header_bytes, packet, header, message.hold))
    return Made::kTooManyPieces;
  if (header == 0) {
    processor.execute(stack_.params().allocate_cycles());
    message.header = stack_.pool().allocate(header_bytes);
    if (message.header == 0) {
      queue.released(message.hold);
      return Made::kNoMemory;
    }
    packet.extents[0] = {message.header, header_bytes};
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  packet.cookie = free_.back();
  free_.pop_back();
  messages_[packet.cookie] = message;
  packet.bytes = header_bytes + length;
  return Made::kWhole;
}

SendQueue::Hold OffloadMessages::sent(std::uint64_t cookie) {
  Message& message = messages_[cookie];
  if (message.header != 0) stack_.pool().free(message.header, offload_.header_bytes());
  const SendQueue::Hold hold = message.hold;
  message = {};
  free_.push_back(static_cast<std::uint32_t>(cookie));
  return hold;
}

}  // namespace longhaul::host
