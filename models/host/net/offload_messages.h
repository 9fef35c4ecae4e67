// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/net/send_queue.h"
#include "models/host/net/tcp_offload.h"

namespace longhaul::host {

class Processor;
class Stack;

/// The messages with data of a connection that its adapter may still read. A message's data stay in
/// the socket's buffers; a header that does not fit in front of them has memory of its own.
class OffloadMessages {
 public:
  OffloadMessages(Stack& stack, const TcpOffload& offload) : stack_(stack), offload_(offload) {}

  enum class Made : std::uint8_t { kWhole, kTooManyPieces, kNoMemory };
  /// Makes a message of `length` bytes of the queue, from stream offset `offset` on.
  Made make(Processor& processor, SendQueue& queue, std::uint64_t offset, std::uint32_t length,
            TxPacket& packet);
  /// The adapter has read the message. Returns its hold on the queue, which the caller releases.
  SendQueue::Hold sent(std::uint64_t cookie);

 private:
  struct Message {
    SendQueue::Hold hold;
    std::uint64_t header = 0;  ///< memory of its own; 0: none
  };

  Stack& stack_;
  const TcpOffload& offload_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_;
};

}  // namespace longhaul::host
