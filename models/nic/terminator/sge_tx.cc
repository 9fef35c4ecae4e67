// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/sge_tx.h"

#include <algorithm>
#include <cstring>

#include "models/net/frame/vlan.h"

namespace longhaul::nic::terminator {

namespace {

constexpr std::uint32_t doorbell_of(std::uint32_t queue) {
  return queue == 0 ? regs::kSgDoorbellFields.cmdq0_enable : regs::kSgDoorbellFields.cmdq1_enable;
}

/// Bytes that a frame can hold beside a VLAN tag.
constexpr std::uint32_t kLargestFrame = Frame::kMaxBytes - ethernet::kVlanTagBytes;

/// Gives a frame its size; the bytes from `blank_from` on are zero.
void settle(Frame& frame, std::uint32_t size, std::uint32_t blank_from) {
  frame.resize(size);
  if (blank_from < size) frame.leave_blank(blank_from);
}

}  // namespace

SgeTx::Lane::Lane(std::uint32_t n, SgeTx& owner)
    : number(n),
      queue(n == 0 ? "cmdq0" : "cmdq1",
            n == 0 ? DescriptorQueue::Registers{regs::kSgCmd0baselwr, regs::kSgCmd0baseupr,
                                                regs::kSgCmd0size, regs::kSgCmd0ptr}
                   : DescriptorQueue::Registers{regs::kSgCmd1baselwr, regs::kSgCmd1baseupr,
                                                regs::kSgCmd1size, regs::kSgCmd1ptr},
            owner.parts_.bank, owner.parts_.dma, owner.parts_.params.cmdq_ahead(), owner) {}

SgeTx::SgeTx(const sc_core::sc_module_name& name, const SgeParts& parts, Deliver deliver)
    : sc_module(name),
      parts_(parts),
      deliver_(std::move(deliver)),
      engine_("engine", parts.params.core_clock(), [this] { return step(); }),
      lanes_{{{0, *this}, {1, *this}}} {}

void SgeTx::controlled() {
  lanes_[0].queue.enable(parts_.control.has(regs::kSgControlFields.cmdq0_enable));
  lanes_[1].queue.enable(parts_.control.has(regs::kSgControlFields.cmdq1_enable));
}

void SgeTx::wake(std::uint32_t doorbell) {
  for (Lane& lane : lanes_) {
    if ((doorbell & doorbell_of(lane.number)) == 0) continue;
    lane.slept = false;
    lane.queue.wake();
  }
}

void SgeTx::queue_slept(DescriptorQueue& queue) {
  Lane& lane = lanes_.at(&queue == &lanes_[0].queue ? 0 : 1);
  lane.slept = true;
  tell_sleep(lane);
}

void SgeTx::queue_failed(pcix::DmaStatus status) { parts_.bus_error(status); }

/// Tells that the queue sleeps when all its packets are finished.
void SgeTx::tell_sleep(Lane& lane) {
  if (!lane.slept) return;
  for (std::size_t at = 0; at < lane.packets.size(); ++at) {
    if (lane.packets[at].whole || lane.packets[at].reads > 0) return;
  }
  lane.slept = false;
  const std::uint32_t silent = lane.number == 0 ? regs::kSgControlFields.disable_cmdq0_gts
                                                : regs::kSgControlFields.disable_cmdq1_gts;
  if (!parts_.control.has(silent)) parts_.responses.tell_sleep(doorbell_of(lane.number));
}

Step SgeTx::step() {
  Lane* const lane = choose();
  if (lane == nullptr) {
    const bool empty = lanes_[0].packets.empty() && lanes_[1].packets.empty();
    return empty ? Step::kIdle : Step::kBlocked;
  }
  if (reads_ >= parts_.params.tx_reads_ahead() || !has_room(*lane)) return Step::kBlocked;
  const DescriptorQueue::Descriptor descriptor = lane->queue.front();
  const bool begins = (descriptor.flags & kSop) != 0;
  if (lane->building && begins) {
    refuse(*lane, "no end of packet", regs::kSgIntFields.packet_mismatch, mismatched);
    lane->building = false;
    lane->packets.back().whole = true;
  }
  if (!lane->building) {
    open(*lane);
    turn_ = (lane->number + 1) % kQueues;
  }
  if (!begins && lane->packets.back().descriptors == 0) {
    refuse(*lane, "no start of packet", regs::kSgIntFields.packet_mismatch, mismatched);
  }
  take(*lane, descriptor);
  engine_.spend(parts_.params.tx_descriptor_clocks());
  if (begins) engine_.spend(parts_.params.tx_packet_clocks());
  engine_.spend_bytes(std::min(descriptor.length, kMostInDescriptor),
                      parts_.params.tx_kib_clocks());
  lane->queue.pop();
  finish_packets(*lane);
  return Step::kDone;
}

/// A queue of whose packet a part has been read, else the next queue with a descriptor. A queue
/// without room comes last.
SgeTx::Lane* SgeTx::choose() {
  Lane* without_room = nullptr;
  for (const bool building : {true, false}) {
    for (std::uint32_t i = 0; i < kQueues; ++i) {
      Lane& lane = lanes_.at((turn_ + i) % kQueues);
      if (lane.building != building || !lane.queue.available()) continue;
      if (has_room(lane)) return &lane;
      if (without_room == nullptr) without_room = &lane;
    }
  }
  return without_room;
}

/// Whether the lane's next descriptor fits in its packet memory.
bool SgeTx::has_room(Lane& lane) const {
  const std::uint32_t length = lane.queue.front().length;
  const std::uint64_t capacity = parts_.params.tx_buffer().count;
  const std::uint64_t own = lane.building ? lane.packets.back().reserved : 0;
  if (own + length > capacity) return true;  // never fits: take() discards it
  return lane.fill + length <= capacity;
}

void SgeTx::open(Lane& lane) {
  lane.packets.push_back({});
  lane.building = true;
}

void SgeTx::refuse(Lane& lane, const char* why, std::uint32_t cause, observe::Counter& counter) {
  Packet& packet = lane.packets.back();
  if (packet.bad != nullptr) return;
  packet.bad = why;
  counter.add();
  parts_.control.post(cause);
}

void SgeTx::take(Lane& lane, const DescriptorQueue::Descriptor& descriptor) {
  Packet& packet = lane.packets.back();
  const bool is_first = packet.descriptors == 0;
  const bool is_last = (descriptor.flags & kEop) != 0;
  ++packet.descriptors;
  const std::uint32_t behind_head = packet.filled + descriptor.length;
  const std::uint32_t most = kLargestFrame + (is_first ? cpl::kHeadBytes : 0);
  if (descriptor.length > kMostInDescriptor || behind_head > most ||
      packet.reserved + descriptor.length > parts_.params.tx_buffer().count) {
    refuse(lane, "larger than the chip's memory", regs::kSgIntFields.packet_too_big, too_big);
  } else if (is_first && descriptor.length < cpl::kHeadBytes) {
    refuse(lane, "no CPL header", regs::kSgIntFields.packet_mismatch, mismatched);
  }
  if (is_last) {
    packet.whole = true;
    lane.building = false;
  }
  const bool has_data = (descriptor.flags & kDataValid) != 0 && descriptor.length > 0;
  if (packet.bad == nullptr && has_data) read_data(lane, descriptor);
}

void SgeTx::read_data(Lane& lane, const DescriptorQueue::Descriptor& descriptor) {
  Packet& packet = lane.packets.back();
  std::uint8_t* to = nullptr;
  if (packet.descriptors == 1) {
    // Without its head, a packet leaves room for a VLAN tag.
    packet.first = Frame::allocate(std::max(descriptor.length, Frame::kMinBytes));
    packet.first.writable().resize(descriptor.length);
    to = packet.first.writable().data();
    packet.filled = descriptor.length - cpl::kHeadBytes;
  } else {
    if (!packet.frame) packet.frame = Frame::allocate(Frame::kMaxBytes);
    to = packet.frame.writable().data() + packet.filled;
    packet.filled += descriptor.length;
  }
  packet.reserved += descriptor.length;
  lane.fill += descriptor.length;
  fill.add(descriptor.length);
  ++packet.reads;
  ++reads_;
  const std::uint64_t number = lane.first + lane.packets.size() - 1;
  parts_.dma.read(descriptor.address, to, descriptor.length, this, number * kQueues + lane.number);
}

void SgeTx::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
  Lane& lane = lanes_.at(tag % kQueues);
  Packet& packet = lane.packets[tag / kQueues - lane.first];
  --packet.reads;
  --reads_;
  if (status != pcix::DmaStatus::kOk) {
    if (packet.bad == nullptr) packet.bad = "error on the bus";
    parts_.bus_error(status);
  }
  finish_packets(lane);
  engine_.kick();
}

void SgeTx::dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) {
  Lane& lane = lanes_.at(tag % kQueues);
  Packet& packet = lane.packets[tag / kQueues - lane.first];
  const std::uint8_t* const first = packet.first ? packet.first->head() : nullptr;
  const bool in_first = first != nullptr && data >= first && data < first + packet.first->size();
  Frame& frame = (in_first ? packet.first : packet.frame).writable();
  BlankRanges& blanks = in_first ? packet.first_blanks : packet.blanks;
  blanks.add(frame.data(), static_cast<std::uint32_t>(data - frame.head()), length);
}

void SgeTx::finish_packets(Lane& lane) {
  while (!lane.packets.empty() && lane.packets.front().whole && lane.packets.front().reads == 0) {
    ++lane.first;
    finish(lane, lane.packets.pop_front());
  }
  tell_sleep(lane);
}

void SgeTx::finish(const Lane& lane, Packet packet) {
  parts_.responses.return_credits(lane.number, packet.descriptors);
  cpl::Message message;
  message.room = {lane.number, packet.reserved};
  if (packet.bad == nullptr && packet.first) {
    join(packet, message);
    deliver_(std::move(message));
    return;
  }
  discarded.add();
  give_room(message.room);
}

/// Makes the message of a packet's bytes: head and rest.
void SgeTx::join(Packet& packet, cpl::Message& message) {
  constexpr std::uint32_t kHead = cpl::kHeadBytes;
  Frame& first = packet.first.writable();
  // The head is stored, and so are zeros that reach into it.
  const std::uint32_t first_blank = packet.first_blanks.settle(first.data(), first.size());
  const std::uint32_t stored = std::max(first_blank, kHead);
  std::memset(first.data() + first_blank, 0, stored - first_blank);
  std::memcpy(message.head.data(), first.data(), kHead);
  const std::uint32_t behind = first.size() - kHead;
  if (packet.frame) {
    Frame& frame = packet.frame.writable();
    std::memcpy(frame.data(), first.data() + kHead, stored - kHead);
    if (stored < first.size())
      packet.blanks.add(frame.data(), stored - kHead, first.size() - stored);
    settle(frame, packet.filled, packet.blanks.settle(frame.data(), packet.filled));
    message.rest = std::move(packet.frame);
  } else if (behind > 0) {
    std::memmove(first.data(), first.data() + kHead, stored - kHead);
    settle(first, behind, stored - kHead);
    message.rest = std::move(packet.first);
  }
}

void SgeTx::give_room(const cpl::Room& room) {
  lanes_.at(room.queue).fill -= room.bytes;
  fill.add(-static_cast<std::int64_t>(room.bytes));
  engine_.kick();
}

void SgeTx::frame_sent(const FrameRef& frame) {
  frames.add();
  bytes.add(std::max(frame->octets(), EthMac::kMinFrameBytes));
  taps.report(now(), frame, observe::FrameFate::kSent);
}

void SgeTx::drop(const FrameRef& frame, const char* why) {
  discarded.add();
  taps.report(now(), frame, observe::FrameFate::kDropped, why);
}

void SgeTx::reset() {
  parts_.dma.abandon(*this);
  engine_.reset();
  for (Lane& lane : lanes_) {
    lane.queue.reset();
    lane.first += lane.packets.size();
    discarded.add(lane.packets.size());
    lane.packets.clear();
    lane.building = lane.slept = false;
    lane.fill = 0;
  }
  reads_ = 0;
  turn_ = 0;
  fill.set(0);
}

}  // namespace longhaul::nic::terminator
