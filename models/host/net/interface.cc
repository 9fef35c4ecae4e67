// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/interface.h"

#include <algorithm>

#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"

namespace longhaul::host {

Interface::Interface(Stack& stack, const InterfaceAddresses& addresses)
    : stack_(stack), addresses_(addresses), neighbours_(*this) {}

Interface::~Interface() = default;

void Interface::attach(NetDevice& device) {
  device_ = &device;
  device.attach(*this);
  if (!addresses_.ipv6) return;
  device.join(group_of(all_nodes()));
  device.join(group_of(solicited_node(addresses_.ipv6->host)));
}

bool Interface::owns(bool ipv6, const HostBytes& host) const {
  const std::optional<Address>& own = ipv6 ? addresses_.ipv6 : addresses_.ipv4;
  return own && own->host == host;
}

bool Interface::takes(bool ipv6, const HostBytes& host) const {
  if (owns(ipv6, host)) return true;
  return ipv6 && addresses_.ipv6 &&
         (host == all_nodes() || host == solicited_node(addresses_.ipv6->host));
}

bool Interface::reaches(const Address& to) const {
  const std::optional<Address>& own = to.ipv6 ? addresses_.ipv6 : addresses_.ipv4;
  if (!own) return false;
  if (same_prefix(own->host, to.host, to.ipv6 ? addresses_.ipv6_prefix : addresses_.ipv4_prefix))
    return true;
  return addresses_.gateway && addresses_.gateway->ipv6 == to.ipv6;
}

Neighbour& Interface::neighbour(const Address& to) {
  const std::optional<Address>& own = to.ipv6 ? addresses_.ipv6 : addresses_.ipv4;
  const bool here =
      same_prefix(own->host, to.host, to.ipv6 ? addresses_.ipv6_prefix : addresses_.ipv4_prefix);
  return neighbours_.find(here || !addresses_.gateway ? to : *addresses_.gateway);
}

TxSlot& Interface::take_slot() {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back().index = free_slots_.back();
  }
  TxSlot& slot = slots_[free_slots_.back()];
  free_slots_.pop_back();
  ++in_use_;
  slot.packet.count = 0;
  slot.packet.cookie = slot.index;
  slot.header = 0;
  slot.endpoint = nullptr;
  slot.memory = 0;
  return slot;
}

void Interface::release(TxSlot& slot) {
  if (slot.memory != 0) stack_.pool().free(slot.memory, slot.memory_bytes);
  slot.memory = 0;
  free_slots_.push_back(slot.index);
  --in_use_;
  if (TcpEndpoint* const endpoint = slot.endpoint) {
    slot.endpoint = nullptr;
    endpoint->sent(slot.hold);
  }
}

TxSlot* Interface::take_frame(std::uint32_t bytes) {
  const std::uint32_t room = device().features().header_room;
  const std::uint64_t memory = stack_.pool().allocate(room + bytes);
  if (memory == 0) return nullptr;
  TxSlot& slot = take_slot();
  slot.memory = memory;
  slot.memory_bytes = room + bytes;
  slot.header = memory + room;
  TxPacket& packet = slot.packet;
  packet.extents[0] = {slot.header, bytes};
  packet.count = 1;
  packet.bytes = bytes;
  packet.ipv6 = packet.checksum = packet.udp = false;
  packet.header_bytes = packet.l4_offset = packet.mss = 0;
  return &slot;
}

bool Interface::send(TxSlot& slot, Neighbour& to) {
  if (!to.known()) {
    to.hold(slot);
    return true;
  }
  std::copy(to.mac().begin(), to.mac().end(), stack_.pool().to_write(slot.header, to.mac().size()));
  return send(slot);
}

bool Interface::send(TxSlot& slot) {
  if (busy_ || stopped_ || !queue_.empty()) return enqueue(slot);
  Processor& processor = *Processor::current();
  if (processor.in_softirq()) return to_device(slot);
  const Processor::SoftirqsOff off(processor);
  return to_device(slot);
}

bool Interface::enqueue(TxSlot& slot) {
  if (!queue_has_room()) {
    stack_.drop_qdisc.add();
    release(slot);
    return false;
  }
  queue_.push_back(slot.index);
  stack_.qdisc.add(1);
  return true;
}

bool Interface::to_device(TxSlot& slot) {
  busy_ = true;
  room_seen_ = false;
  const bool taken = device_->transmit(slot.packet);
  busy_ = false;
  bool kept = true;
  if (!taken) {
    stopped_ = !room_seen_;
    kept = enqueue(slot);
  }
  if (queue_.empty() || stopped_) return kept;
  drain();
  if (!refused_.empty() && queue_has_room()) Processor::current()->raise(drain_);
  return kept;
}

void Interface::drain() {
  while (!busy_ && !stopped_ && !queue_.empty()) {
    const std::uint32_t index = queue_.pop_front();
    stack_.qdisc.add(-1);
    busy_ = true;
    room_seen_ = false;
    const bool taken = device_->transmit(slots_[index].packet);
    busy_ = false;
    if (taken) continue;
    stopped_ = !room_seen_;
    queue_.push_front(index);
    stack_.qdisc.add(1);
  }
}

bool Interface::queue_has_room() const { return queue_.size() < stack_.params().qdisc_packets(); }

bool Interface::Drain::run() {
  owner_.drain();
  if (owner_.queue_has_room()) owner_.tell_of_room();
  return false;
}

void Interface::promise_room(TcpEndpoint& endpoint, bool soon) {
  if (std::find(refused_.begin(), refused_.end(), &endpoint) == refused_.end())
    refused_.push_back(&endpoint);
  if (soon && !retry_.pending()) stack_.timers().set(retry_, now_ps());
}

void Interface::forget(TcpEndpoint& endpoint) {
  refused_.erase(std::remove(refused_.begin(), refused_.end(), &endpoint), refused_.end());
  std::replace(told_.begin(), told_.end(), &endpoint, static_cast<TcpEndpoint*>(nullptr));
}

void Interface::tell_of_room() {
  told_.swap(refused_);  // some will be refused again
  // NOLINTNEXTLINE(modernize-loop-convert): who is told may change the list
  for (std::size_t i = 0; i < told_.size(); ++i) {
    if (told_[i] != nullptr) told_[i]->has_room();
  }
  told_.clear();
}

void Interface::Retry::expired() { Processor::current()->raise(owner_.drain_); }

void Interface::received(const RxPacket& packet) { stack_.received(*this, packet); }

void Interface::sent(std::uint64_t cookie) { release(slots_[cookie]); }

void Interface::has_room() {
  stopped_ = false;
  room_seen_ = true;
  if (!queue_.empty() || !refused_.empty()) Processor::current()->raise(drain_);
}

void Interface::link_changed(bool) {}

}  // namespace longhaul::host
