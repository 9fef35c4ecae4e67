// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/descriptor_queue.h"

#include <algorithm>

#include "models/nic/blocks/little_endian.h"
#include "models/nic/terminator/regs_sge.h"

namespace longhaul::nic::terminator {

DescriptorQueue::DescriptorQueue(const sc_core::sc_module_name& name, const Registers& registers,
                                 RegisterBank& bank, pcix::DmaEngine& dma, std::uint32_t ahead,
                                 QueueUser& user)
    : sc_module(name),
      dma_(dma),
      ahead_(ahead),
      user_(user),
      in_(std::size_t{ahead} * kBytes),
      base_low_(bank, registers.base_low),
      base_high_(bank, registers.base_high),
      size_(bank, registers.size, this, &DescriptorQueue::start_anew),
      pointer_(bank, registers.pointer, [this] { return pointer_now(); }) {}

std::uint64_t DescriptorQueue::base() const {
  return std::uint64_t{base_high_.value()} << 32 | base_low_.value();
}

std::pair<std::uint64_t, std::uint64_t> DescriptorQueue::memory() const {
  return {base(), base() + std::uint64_t{size_.value()} * kBytes};
}

std::uint32_t DescriptorQueue::pointer_now() const {
  constexpr const auto& kFields = regs::kSgQueuePointerFields;
  return kFields.pointer.put(next_use_.index) |
         (next_use_.generation ? kFields.current_generation_bit : 0U);
}

void DescriptorQueue::start_anew() {
  dma_.abandon(*this);
  reading_ = rung_ = dry_ = awake_ = false;
  next_read_ = next_use_ = {};
  stock_.clear();
}

void DescriptorQueue::reset() {
  enabled_ = false;
  start_anew();
}

void DescriptorQueue::enable(bool on) {
  enabled_ = on;
  if (!on) return;
  fetch();
  if (!stock_.empty()) user_.descriptors_arrived();
}

void DescriptorQueue::wake() {
  awake_ = true;
  dry_ = false;
  rung_ = reading_;
  fetch();
}

void DescriptorQueue::pop() {
  stock_.pop_front();
  next_use_.advance(size_.value());
  fetch();
}

void DescriptorQueue::fetch() {
  const auto on_chip = static_cast<std::uint32_t>(stock_.size());
  if (!enabled_ || !awake_ || reading_ || on_chip > ahead_ / 2 || (dry_ && on_chip > 0)) return;
  const std::uint32_t size = size_.value();
  asked_ = std::min(
      {ahead_ - on_chip, size - std::min(size, on_chip), size - std::min(size, next_read_.index)});
  if (asked_ == 0) return;
  reading_ = true;
  rung_ = false;
  reads.add();
  dma_.read(base() + std::uint64_t{next_read_.index} * kBytes, in_.data(), asked_ * kBytes, this,
            0);
}

void DescriptorQueue::dma_done(std::uint64_t /*tag*/, pcix::DmaStatus status) {
  reading_ = false;
  if (status != pcix::DmaStatus::kOk) {
    awake_ = false;
    user_.queue_failed(status);
    return;
  }
  std::uint32_t valid = 0;
  while (valid < asked_ && take(in_.data() + std::size_t{valid} * kBytes)) ++valid;
  descriptors.add(valid);
  dry_ = valid < asked_ && !rung_;
  if (valid > 0) user_.descriptors_arrived();
  if (stock_.empty() && dry_ && valid == 0) {
    awake_ = false;
    sleeps.add();
    user_.queue_slept(*this);
    return;
  }
  fetch();
}

bool DescriptorQueue::take(const std::uint8_t* bytes) {
  const std::uint32_t length = read_le32(bytes);
  const std::uint32_t flags = read_le32(bytes + 12);
  if (((length & kGeneration1) != 0) != next_read_.generation) return false;
  if (((flags & kGeneration2) != 0) != next_read_.generation) return false;
  stock_.push_back({read_le64(bytes + 4), length & ~kGeneration1, flags});
  next_read_.advance(size_.value());
  return true;
}

}  // namespace longhaul::nic::terminator
