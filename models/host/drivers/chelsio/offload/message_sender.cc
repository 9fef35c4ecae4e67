// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/offload/message_sender.h"

#include <algorithm>

namespace longhaul::host::chelsio {

std::uint32_t MessageSender::take() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  return index;
}

void MessageSender::release(std::uint32_t index) {
  Message& message = messages_[index];
  if (message.memory != 0) setup_.memory.free(message.memory, CplMessage::kMostBytes);
  OffloadUser* const user = message.user;
  const std::uint64_t cookie = message.packet.cookie;
  message.memory = 0;
  message.user = nullptr;
  free_.push_back(index);
  if (user != nullptr) user->sent(cookie);
}

void MessageSender::send(Lane lane, const CplMessage& message) {
  if (chip_.queue(lane) == nullptr) return;  // the chip has forgotten all
  const std::uint32_t index = take();
  messages_[index].control = message;
  add(lane, index);
}

void MessageSender::send(OffloadUser& user, const TxPacket& packet) {
  const std::uint32_t index = take();
  messages_[index].packet = packet;
  messages_[index].user = &user;
  if (chip_.queue(Lane::kOrdered) == nullptr) return release(index);
  add(Lane::kOrdered, index);
}

void MessageSender::add(Lane lane, std::uint32_t index) {
  auto& waiting = waiting_[static_cast<std::size_t>(lane)];
  waiting.push_back(index);
  if (waiting.size() == 1) room(lane);
}

void MessageSender::room(Lane lane) {
  auto& waiting = waiting_[static_cast<std::size_t>(lane)];
  bool any = false;
  while (!waiting.empty() && put(lane, waiting.front())) {
    waiting.pop_front();
    any = true;
  }
  if (any) chip_.ring(lane);
}

/// Writes a message's descriptors. Returns false if there is no room, or no memory.
bool MessageSender::put(Lane lane, std::uint32_t index) {
  CommandQueue* const queue = chip_.queue(lane);
  if (queue == nullptr) return false;
  Processor& cpu = *Processor::current();
  Message& message = messages_[index];
  if (message.user == nullptr && message.memory == 0) {
    message.memory = setup_.memory.allocate(CplMessage::kMostBytes, setup_.node);
    if (message.memory == 0) return false;
    cpu.execute(setup_.net.allocate_cycles());
    std::copy_n(message.control.bytes.begin(), message.control.size,
                setup_.memory.to_write(message.memory, message.control.size));
    cpu.touch_write(message.memory, message.control.size);
    message.packet = {};
    message.packet.extents[0] = {message.memory, message.control.size};
    message.packet.count = 1;
  }
  if (queue->free() < message.packet.count) return false;
  const std::uint32_t descriptors =
      queue->put_message(message.packet, CommandQueue::kMessage | index, cpu);
  cpu.execute(setup_.net.driver_send_cycles() +
              descriptors * std::uint64_t{setup_.net.driver_descriptor_cycles()});
  return true;
}

void MessageSender::done(std::uint64_t cookie) {
  release(static_cast<std::uint32_t>(cookie & ~CommandQueue::kMessage));
}

void MessageSender::drop(OffloadUser& user) {
  auto& waiting = waiting_[static_cast<std::size_t>(Lane::kOrdered)];
  std::vector<std::uint32_t> dropped;
  for (auto i = waiting.begin(); i != waiting.end();) {
    if (messages_[*i].user != &user) {
      ++i;
      continue;
    }
    dropped.push_back(*i);
    i = waiting.erase(i);
  }
  for (const std::uint32_t index : dropped) release(index);
}

void MessageSender::clear() {
  for (auto& waiting : waiting_) {
    while (!waiting.empty()) {
      const std::uint32_t index = waiting.front();
      waiting.pop_front();
      release(index);
    }
  }
}

}  // namespace longhaul::host::chelsio
