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

}  // namespace

SgeTx::SgeTx(const sc_core::sc_module_name& name, const SgeParts& parts, Deliver deliver)
    : sc_module(name),
      parts_(parts),
      deliver_(std::move(deliver)),
      engine_("engine", parts.params.core_clock(), [this] { return step(); }),
      cmd0_("cmdq0",
            {regs::kSgCmd0baselwr, regs::kSgCmd0baseupr, regs::kSgCmd0size, regs::kSgCmd0ptr},
            parts.bank, parts.dma, parts.params.cmdq_ahead(), *this),
      cmd1_("cmdq1",
            {regs::kSgCmd1baselwr, regs::kSgCmd1baseupr, regs::kSgCmd1size, regs::kSgCmd1ptr},
            parts.bank, parts.dma, parts.params.cmdq_ahead(), *this) {}

void SgeTx::controlled() {
  cmd0_.enable(parts_.control.has(regs::kSgControlFields.cmdq0_enable));
  cmd1_.enable(parts_.control.has(regs::kSgControlFields.cmdq1_enable));
}

void SgeTx::wake(std::uint32_t doorbell) {
  for (std::uint32_t i = 0; i < kQueues; ++i) {
    if ((doorbell & doorbell_of(i)) == 0) continue;
    slept_.at(i) = false;
    queue(i).wake();
  }
}

void SgeTx::queue_slept(DescriptorQueue& queue) {
  slept_.at(&queue == &cmd0_ ? 0 : 1) = true;
  tell_sleep();
}

void SgeTx::queue_failed(pcix::DmaStatus status) { parts_.bus_error(status); }

/// Tells of sleeping queues when all their packets are finished.
void SgeTx::tell_sleep() {
  for (std::uint32_t i = 0; i < kQueues; ++i) {
    if (!slept_.at(i)) continue;
    bool busy = false;
    for (std::size_t at = 0; at < packets_.size(); ++at) {
      busy = busy || (packets_[at].queue == i && (packets_[at].whole || packets_[at].reads > 0));
    }
    if (busy) continue;
    slept_.at(i) = false;
    const std::uint32_t silent = i == 0 ? regs::kSgControlFields.disable_cmdq0_gts
                                        : regs::kSgControlFields.disable_cmdq1_gts;
    if (!parts_.control.has(silent)) parts_.responses.tell_sleep(doorbell_of(i));
  }
}

Step SgeTx::step() {
  DescriptorQueue* const source = choose();
  if (source == nullptr) return packets_.empty() ? Step::kIdle : Step::kBlocked;
  const DescriptorQueue::Descriptor descriptor = source->front();
  if (reads_ >= parts_.params.tx_reads_ahead() || !has_room(descriptor)) return Step::kBlocked;
  const std::uint32_t number = source == &cmd0_ ? 0 : 1;
  const bool begins = (descriptor.flags & kSop) != 0;
  if (building_ && begins) {
    refuse("no end of packet", regs::kSgIntFields.packet_mismatch, mismatched);
    building_ = false;
    packets_.back().whole = true;
  }
  if (!building_) open(number);
  if (!begins && packets_.back().descriptors == 0) {
    refuse("no start of packet", regs::kSgIntFields.packet_mismatch, mismatched);
  }
  take(descriptor);
  engine_.spend(parts_.params.tx_descriptor_clocks());
  if (begins) engine_.spend(parts_.params.tx_packet_clocks());
  engine_.spend_bytes(std::min(descriptor.length, kMostInDescriptor),
                      parts_.params.tx_kib_clocks());
  source->pop();
  finish_packets();
  return Step::kDone;
}

/// The queue of the packet that is being read, else the next one with a descriptor.
DescriptorQueue* SgeTx::choose() {
  if (building_) {
    DescriptorQueue& present = queue(packets_.back().queue);
    return present.available() ? &present : nullptr;
  }
  for (std::uint32_t i = 0; i < kQueues; ++i) {
    DescriptorQueue& candidate = queue((turn_ + i) % kQueues);
    if (candidate.available()) return &candidate;
  }
  return nullptr;
}

bool SgeTx::has_room(const DescriptorQueue::Descriptor& descriptor) {
  const std::uint64_t capacity = parts_.params.tx_buffer().count;
  const std::uint64_t own = building_ ? packets_.back().reserved : 0;
  if (own + descriptor.length > capacity) return true;  // never fits: take() discards it
  return fill.value() + descriptor.length <= capacity;
}

void SgeTx::open(std::uint32_t queue) {
  Packet packet;
  packet.queue = queue;
  packets_.push_back(std::move(packet));
  building_ = true;
  turn_ = (queue + 1) % kQueues;
}

void SgeTx::refuse(const char* why, std::uint32_t cause, observe::Counter& counter) {
  Packet& packet = packets_.back();
  if (packet.bad != nullptr) return;
  packet.bad = why;
  counter.add();
  parts_.control.post(cause);
}

void SgeTx::take(const DescriptorQueue::Descriptor& descriptor) {
  Packet& packet = packets_.back();
  const bool is_first = packet.descriptors == 0;
  const bool is_last = (descriptor.flags & kEop) != 0;
  ++packet.descriptors;
  const std::uint32_t behind_head = packet.filled + descriptor.length;
  const std::uint32_t most = kLargestFrame + (is_first ? cpl::kHeadBytes : 0);
  if (descriptor.length > kMostInDescriptor || behind_head > most ||
      packet.reserved + descriptor.length > parts_.params.tx_buffer().count) {
    refuse("larger than the chip's memory", regs::kSgIntFields.packet_too_big, too_big);
  } else if (is_first && descriptor.length < cpl::kHeadBytes) {
    refuse("no CPL header", regs::kSgIntFields.packet_mismatch, mismatched);
  }
  if (is_last) {
    packet.whole = true;
    building_ = false;
  }
  const bool has_data = (descriptor.flags & kDataValid) != 0 && descriptor.length > 0;
  if (packet.bad == nullptr && has_data) read_data(descriptor);
}

void SgeTx::read_data(const DescriptorQueue::Descriptor& descriptor) {
  Packet& packet = packets_.back();
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
  fill.add(descriptor.length);
  ++packet.reads;
  ++reads_;
  parts_.dma.read(descriptor.address, to, descriptor.length, this, first_ + packets_.size() - 1);
}

void SgeTx::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
  Packet& packet = packets_[tag - first_];
  --packet.reads;
  --reads_;
  if (status != pcix::DmaStatus::kOk) {
    if (packet.bad == nullptr) packet.bad = "error on the bus";
    parts_.bus_error(status);
  }
  finish_packets();
  engine_.kick();
}

void SgeTx::dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) {
  Packet& packet = packets_[tag - first_];
  const std::uint8_t* const frame = packet.frame ? packet.frame->head() : nullptr;
  if (frame == nullptr || data < frame || data >= frame + Frame::kMaxBytes) {
    std::memset(data, 0, length);
    return;
  }
  packet.blanks.add(packet.frame.writable().data(), static_cast<std::uint32_t>(data - frame),
                    length);
}

void SgeTx::finish_packets() {
  while (!packets_.empty() && packets_.front().whole && packets_.front().reads == 0) {
    ++first_;
    finish(packets_.pop_front());
  }
  tell_sleep();
}

void SgeTx::finish(Packet packet) {
  parts_.responses.return_credits(packet.queue, packet.descriptors);
  cpl::Message message;
  if (packet.bad == nullptr && packet.first) {
    join(packet, message);
    deliver_(std::move(message), packet.reserved);
    return;
  }
  discarded.add();
  give_room(packet.reserved);
}

/// Makes the message of a packet's bytes: head and rest.
void SgeTx::join(Packet& packet, cpl::Message& message) {
  constexpr std::uint32_t kHead = cpl::kHeadBytes;
  Frame& first = packet.first.writable();
  std::memcpy(message.head.data(), first.data(), kHead);
  const std::uint32_t behind = first.size() - kHead;
  if (packet.frame) {
    Frame& frame = packet.frame.writable();
    std::memcpy(frame.data(), first.data() + kHead, behind);
    const std::uint32_t blank_from = packet.blanks.settle(frame.data(), packet.filled);
    frame.resize(packet.filled);
    if (blank_from < packet.filled) frame.leave_blank(blank_from);
    message.rest = std::move(packet.frame);
  } else if (behind > 0) {
    std::memmove(first.data(), first.data() + kHead, behind);
    first.resize(behind);
    message.rest = std::move(packet.first);
  }
}

void SgeTx::give_room(std::uint32_t room) {
  fill.add(-static_cast<std::int64_t>(room));
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
  cmd0_.reset();
  cmd1_.reset();
  engine_.reset();
  first_ += packets_.size();
  discarded.add(packets_.size());
  packets_.clear();
  building_ = false;
  reads_ = 0;
  turn_ = 0;
  slept_ = {};
  fill.set(0);
}

}  // namespace longhaul::nic::terminator
