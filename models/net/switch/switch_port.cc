// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/switch_port.h"

#include "models/net/switch/switch.h"

namespace longhaul {
namespace {

EthMacParams mac_params(const SwitchParams& params) {
  EthMacParams mac;
  mac.pause_response = params.pause_response;
  return mac;
}

}  // namespace

SwitchPort::SwitchPort(const sc_core::sc_module_name& name, Switch& owner, std::uint32_t index,
                       std::uint16_t vlan, const SwitchParams& params)
    : sc_core::sc_module(name),
      mac("mac", mac_params(params)),
      watermark("watermark", mac),
      owner_(owner),
      index_(index),
      vlan_(vlan) {
  mac.attach(*this, *this);
  mac.set_max_frame(params.max_frame());
  mac.set_flow_control(params.pause_send(), params.pause_honour());
  // Locally administered; only PAUSE frames carry it.
  mac.set_address({0x02, 0x53, 0x57, 0, static_cast<std::uint8_t>(index >> 8),
                   static_cast<std::uint8_t>(index)});
  watermark.set(params.pause_high().count, params.pause_low().count,
                static_cast<std::uint16_t>(params.pause_quanta()));
}

std::uint64_t SwitchPort::ready_ps() const {
  return queue_.empty() ? kNoFrame : owner_.stored_[queue_.front()].ready_ps;
}

FrameRef SwitchPort::take_frame() {
  const std::uint32_t slot = dequeue();
  FrameRef frame = owner_.stored_[slot].frame;
  owner_.release_copy(slot);
  return frame;
}

void SwitchPort::frame_received(const FrameRef& frame) { owner_.forward(index_, frame); }

void SwitchPort::carrier_changed(bool up) {
  if (up) return;
  watermark.reset();
  owner_.table_.forget_port(index_);
  while (!queue_.empty()) {
    const std::uint32_t slot = dequeue();
    drop(owner_.stored_[slot].frame, "port down");
    owner_.release_copy(slot);
  }
}

void SwitchPort::enqueue(std::uint32_t slot, std::uint32_t bytes) {
  queue_fill.add(bytes);
  queue_.push_back(slot);
}

std::uint32_t SwitchPort::dequeue() {
  const std::uint32_t slot = queue_.pop_front();
  queue_fill.add(-std::int64_t{owner_.stored_[slot].frame->octets()});
  return slot;
}

void SwitchPort::drop(const FrameRef& frame, const char* why) {
  dropped.add();
  drops.report(now(), frame, observe::FrameFate::kDropped, why);
}

void SwitchPort::charge(std::int64_t bytes) {
  input_fill.add(bytes);
  watermark.update(input_fill.value());
}

}  // namespace longhaul
