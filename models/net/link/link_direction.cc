// SPDX-License-Identifier: Apache-2.0
#include "models/net/link/link_direction.h"

#include <algorithm>
#include <cmath>

#include "models/net/frame/ethernet_header.h"

namespace longhaul {

using observe::FrameFate;

LinkDirection::LinkDirection(const sc_core::sc_module_name& name, const Phy& phy,
                             std::uint64_t propagation_ps, double ppm)
    : sc_core::sc_module(name),
      phy_(phy),
      propagation_ps_(propagation_ps),
      ppb_(std::llround(ppm * 1e3)),
      wire_(phy.octet(ppb_)) {}

void LinkDirection::join(EthReceiver& receiver, LinkDirection& back) {
  receiver_ = &receiver;
  back_ = &back;
  cuts_through_ = receiver.cuts_through();
}

sc_core::sc_time LinkDirection::transmit(const FrameRef& frame) {
  const std::uint64_t now = now_ps();
  const std::uint32_t octets = frame->octets();
  const std::uint32_t slot = ethernet::kPreambleBytes + octets + ethernet::kGapBytes;

  const std::uint64_t mac_start = std::max(now, mac_free_ps_);
  wire_.begin(mac_start);
  const std::uint64_t start_ps = wire_.ceil_ps();
  const std::uint64_t first_bit_ps = wire_.ceil_ps_after(ethernet::kPreambleBytes);
  const std::uint64_t last_bit_ps = wire_.ceil_ps_after(ethernet::kPreambleBytes + octets);
  wire_.advance(slot);

  if (phy_.stretch_bits == 0) {
    mac_free_ps_ = wire_.ceil_ps();
  } else {
    // The MAC runs at its own rate. It adds one octet to the gap for every stretch_bits bits that
    // it sent.
    stretch_rest_ += slot * 8;
    const std::uint32_t extra = stretch_rest_ / phy_.stretch_bits;
    stretch_rest_ %= phy_.stretch_bits;
    mac_free_ps_ =
        mac_start + OctetTime::of(phy_.mac_rate.bits_per_s,
                                  static_cast<std::uint64_t>(Phy::kBillion + ppb_), Phy::kBillion)
                        .length_ps(slot + extra);
  }

  put(frame, start_ps, first_bit_ps, last_bit_ps);
  return from_ps(mac_free_ps_ - now);
}

void LinkDirection::sent(const FrameRef& frame) {
  const std::uint64_t now = now_ps();
  const std::uint32_t octets = frame->octets();
  const auto ago = [&](std::uint32_t count) {
    return now - std::min(now, wire_.octet().length_ps(count));
  };
  wire_.reset(now);
  wire_.advance(ethernet::kGapBytes);
  mac_free_ps_ = wire_.ceil_ps();
  put(frame, ago(ethernet::kPreambleBytes + octets), ago(octets), now);
}

void LinkDirection::put(const FrameRef& frame, std::uint64_t start_ps, std::uint64_t first_bit_ps,
                        std::uint64_t last_bit_ps) {
  if (!laser_ || !carrier()) return lose(frame, !laser_ ? "laser off" : "no carrier");
  const std::uint32_t octets = frame->octets();
  frames.add();
  bytes.add(octets);
  wire_bytes.add(ethernet::kPreambleBytes + octets + ethernet::kGapBytes);
  if (tap.active()) tap.report(from_ps(first_bit_ps), frame, FrameFate::kSent);
  const std::uint64_t begins_ps = std::max(start_ps + propagation_ps_, now_ps());
  push({frame, last_bit_ps + propagation_ps_, false, false, begins_ps});
}

bool LinkDirection::carrier() const { return back_ != nullptr && back_->far_carrier(); }

void LinkDirection::enable(bool on) {
  if (on == laser_) return;
  laser_ = on;
  signal_change();
}

void LinkDirection::cut() {
  fibre_ = false;
  while (!flight_.empty()) {
    const Item item = flight_.pop_front();
    if (item.frame) lose(item.frame, "fibre cut");
  }
  begun_ = false;
}

void LinkDirection::mend() {
  fibre_ = true;
  signal_change();
}

void LinkDirection::set_fault(bool fault) {
  if (fault == fault_) return;
  fault_ = fault;
  signal_change();
}

/// Sends a change of light or fault to the far end. A frame that is only partly sent is lost. Its
/// MAC is not told and keeps the pace that it was given.
void LinkDirection::signal_change() {
  if (!fibre_) return;
  if (!sc_core::sc_is_running()) {  // during elaboration the change takes effect at once
    see(laser_, laser_ && fault_);
    return;
  }
  abort_unsent(!laser_ ? "laser off" : "remote fault");
  push({FrameRef{}, now_ps() + propagation_ps_, laser_, laser_ && fault_});
}

void LinkDirection::abort_unsent(const char* why) {
  const std::uint64_t gone_ps = now_ps() + propagation_ps_;
  while (!flight_.empty() && flight_.back().arrives_ps > gone_ps) {
    const Item item = flight_.pop_back();
    if (item.frame) lose(item.frame, why);
    if (flight_.empty()) begun_ = false;
  }
}

void LinkDirection::lose(const FrameRef& frame, const char* why) {
  lost.add();
  tap.report(now(), frame, FrameFate::kDropped, why);
}

void LinkDirection::push(Item item) {
  flight_.push_back(std::move(item));
  if (flight_.size() == 1) arrival_.set(due_ps());
}

/// The time of the next call for the frame or signal at the front.
std::uint64_t LinkDirection::due_ps() const {
  const Item& front = flight_.front();
  return cuts_through_ && front.frame && !begun_ ? front.begins_ps : front.arrives_ps;
}

void LinkDirection::see(bool light, bool fault) {
  const bool before = far_carrier();
  light_seen_ = light;
  fault_seen_ = fault;
  if (back_ != nullptr) back_->set_fault(!light);
  if (receiver_ != nullptr && far_carrier() != before) receiver_->carrier_changed(far_carrier());
}

void LinkDirection::deliver() {
  const std::uint64_t now = now_ps();
  while (!flight_.empty() && due_ps() <= now) {
    if (cuts_through_ && flight_.front().frame && !begun_) {
      begun_ = true;
      const FrameRef frame = flight_.front().frame;
      receiver_->begin(frame);
      continue;
    }
    const Item item = flight_.pop_front();
    begun_ = false;
    if (item.frame) {
      receiver_->receive(item.frame);
    } else {
      see(item.light, item.fault);
    }
  }
  if (!flight_.empty()) arrival_.set(due_ps());
}

}  // namespace longhaul
