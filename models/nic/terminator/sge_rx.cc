// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/sge_rx.h"

#include <algorithm>
#include <cstring>

#include "models/common/zeros.h"

namespace longhaul::nic::terminator {

namespace {

constexpr std::uint32_t kMostPadding = 7;

}  // namespace

SgeRx::SgeRx(const sc_core::sc_module_name& name, const SgeParts& parts, Calls calls)
    : sc_module(name),
      parts_(parts),
      calls_(std::move(calls)),
      engine_("engine", parts.params.core_clock(), [this] { return step(); }),
      small_("fl0", {regs::kSgFl0baselwr, regs::kSgFl0baseupr, regs::kSgFl0size, regs::kSgFl0ptr},
             parts.bank, parts.dma, parts.params.freelist_ahead(), *this),
      large_("fl1", {regs::kSgFl1baselwr, regs::kSgFl1baseupr, regs::kSgFl1size, regs::kSgFl1ptr},
             parts.bank, parts.dma, parts.params.freelist_ahead(), *this),
      slots_(parts.params.rx_writes_ahead()),
      threshold_(parts.bank, regs::kSgFlthreshold) {
  for (Slot& slot : slots_)
    slot.bytes.resize(kMostPadding + cpl::kMostHeadBytes + Frame::kMaxBytes);
}

bool SgeRx::has_room(std::uint32_t more) const {
  return fill.value() + more <= parts_.params.rx_buffer().count;
}

void SgeRx::accept(RxMessage message) {
  const std::uint64_t latency = to_ps(parts_.params.tp_rx_latency());
  fill.add(message.room());
  items_.push_back({std::move(message), now_ps() + latency});
  if (items_.size() == 1) engine_.kick_in(latency);
}

void SgeRx::controlled() {
  small_.enable(parts_.control.has(regs::kSgControlFields.fl0_enable));
  large_.enable(parts_.control.has(regs::kSgControlFields.fl1_enable));
}

void SgeRx::wake(std::uint32_t doorbell) {
  if ((doorbell & regs::kSgDoorbellFields.fl0_enable) != 0) small_.wake();
  if ((doorbell & regs::kSgDoorbellFields.fl1_enable) != 0) large_.wake();
}

void SgeRx::queue_slept(DescriptorQueue& queue) {
  const bool is_small = &queue == &small_;
  const std::uint32_t silent =
      is_small ? regs::kSgControlFields.disable_fl0_gts : regs::kSgControlFields.disable_fl1_gts;
  parts_.control.post(regs::kSgIntFields.fl_exhausted);
  if (!parts_.control.has(silent)) {
    parts_.responses.tell_sleep(is_small ? regs::kSgDoorbellFields.fl0_enable
                                         : regs::kSgDoorbellFields.fl1_enable);
  }
  engine_.kick();
}

void SgeRx::queue_failed(pcix::DmaStatus status) { parts_.bus_error(status); }

Step SgeRx::step() {
  if (items_.empty()) return Step::kIdle;
  const Item& item = items_.front();
  if (now_ps() < item.ready_ps) {
    engine_.kick_in(item.ready_ps - now_ps());
    return Step::kIdle;
  }
  if (writing_ == slots_.size()) return Step::kBlocked;
  const std::uint32_t length = item.message.length();
  const std::uint32_t list =
      length < threshold_.get(regs::kSgFlthresholdFields.fl_threshold) ? 0 : 1;
  DescriptorQueue& buffers = list == 0 ? small_ : large_;
  note_starving(!buffers.available());
  if (!buffers.available() || !parts_.responses.ready()) return Step::kBlocked;
  const DescriptorQueue::Descriptor buffer = buffers.front();
  const std::uint32_t padding = parts_.control.get(regs::kSgControlFields.rx_pkt_offset);
  engine_.spend(parts_.params.rx_packet_clocks());
  engine_.spend_bytes(length, parts_.params.rx_kib_clocks());
  if (padding + item.message.head_bytes + length > buffer.length) {
    too_big.add();
    parts_.control.post(regs::kSgIntFields.packet_too_big);
    discard("larger than its buffer");
    return Step::kDone;
  }
  write(item.message, buffer, list);
  buffers.pop();
  return Step::kDone;
}

void SgeRx::write(const RxMessage& message, const DescriptorQueue::Descriptor& buffer,
                  std::uint32_t list) {
  const std::uint32_t padding = parts_.control.get(regs::kSgControlFields.rx_pkt_offset);
  const std::uint32_t front = padding + message.head_bytes;
  const std::uint32_t length = message.length();
  const bool offload = message.offload;
  const std::uint32_t from_frame = message.frame ? message.frame->stored() : 0;
  const std::uint32_t kept = from_frame - std::min(from_frame, message.skip);
  const std::uint8_t* const data = message.frame ? message.frame->head() + message.skip : nullptr;
  const std::uint32_t stored = are_zero(data, kept) ? 0 : kept;
  Slot& slot = slots_[(oldest_ + writing_) % slots_.size()];
  std::uint8_t* const to = slot.bytes.data();
  std::memset(to, 0, padding);
  std::memcpy(to + padding, message.head.data(), message.head_bytes);
  if (stored > 0) std::memcpy(to + front, data, stored);
  slot.room = message.room();
  slot.payload = message.payload;
  ++writing_;
  frames.add();
  bytes.add(length);
  items_.pop_front();
  parts_.dma.write(buffer.address, to, front + length, this, 0, front + stored);
  parts_.responses.write_packet(front + length, list, offload);
}

void SgeRx::dma_done(std::uint64_t /*tag*/, pcix::DmaStatus status) {
  const Slot& slot = slots_[oldest_];
  oldest_ = (oldest_ + 1) % static_cast<std::uint32_t>(slots_.size());
  --writing_;
  if (status != pcix::DmaStatus::kOk) {
    discarded.add();
    parts_.bus_error(status);
  }
  release(slot.room, slot.payload);
  engine_.kick();
}

void SgeRx::discard(const char* why) {
  const Item item = items_.pop_front();
  discarded.add();
  if (!item.message.offload)
    taps.report(now(), item.message.frame, observe::FrameFate::kDropped, why);
  release(item.message.room(), item.message.payload);
}

void SgeRx::release(std::uint32_t room, bool payload) {
  fill.add(-static_cast<std::int64_t>(room));
  if (payload) calls_.written();
  calls_.room();
}

void SgeRx::note_starving(bool starving) {
  if (starving == starving_) return;
  starving_ = starving;
  if (starving) {
    starving_since_ps_ = now_ps();
  } else {
    starved.report(starving_since_ps_, now_ps(), "no buffer", fill.value());
  }
}

void SgeRx::reset() {
  parts_.dma.abandon(*this);
  small_.reset();
  large_.reset();
  engine_.reset();
  writing_ = oldest_ = 0;
  note_starving(false);
  while (!items_.empty()) {
    const Item item = items_.pop_front();
    discarded.add();
    if (!item.message.offload)
      taps.report(now(), item.message.frame, observe::FrameFate::kDropped, "reset");
  }
  fill.set(0);
}

}  // namespace longhaul::nic::terminator
