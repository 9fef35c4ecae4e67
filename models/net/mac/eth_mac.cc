// SPDX-License-Identifier: Apache-2.0
#include "models/net/mac/eth_mac.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace longhaul {

using observe::FrameFate;

namespace {
constexpr std::uint64_t kNever = FrameSource::kNoFrame;
constexpr std::uint32_t kQuantumBits = 512;  // IEEE 802.3, 31B.2
}  // namespace

EthMac::EthMac(const sc_core::sc_module_name& name, EthMacParams params)
    : sc_core::sc_module(name), port("port"), params_(std::move(params)) {
  port.eth_rx.bind(*this);
}

void EthMac::attach(FrameSource& source, FrameSink& sink) {
  source_ = &source;
  sink_ = &sink;
}

void EthMac::end_of_elaboration() {
  if (bound() && !laser_on_) port.eth_tx->enable(false);
}

// ---- settings

void EthMac::enable_tx(bool on) {
  tx_on_ = on;
  if (on) kick();
}

void EthMac::enable_rx(bool on) { rx_on_ = on; }

void EthMac::enable_laser(bool on) {
  laser_on_ = on;
  if (bound()) port.eth_tx->enable(on);
}

void EthMac::set_address(const MacAddress& address) { address_ = address; }

void EthMac::set_max_frame(std::uint32_t bytes_with_fcs) { max_frame_ = bytes_with_fcs; }

void EthMac::set_flow_control(bool send, bool honour) {
  send_pause_on_ = send;
  if (!send) pause_waits_ = false;
  honour_pause_on_ = honour;
  if (!honour && pause_until_ps_ > now_ps()) {
    pause_until_ps_ = now_ps();
    kick();
  }
}

void EthMac::set_pass_control(bool pause, bool other) {
  pass_pause_ = pause;
  pass_other_control_ = other;
}

void EthMac::set_accept_bad_fcs(bool on) { accept_bad_fcs_ = on; }

void EthMac::set_loopback(BitRate rate) {
  if (rate.bits_per_s == loop_rate_.bits_per_s) return;
  loop_rate_ = rate;
  loop_end_.cancel();
  if (looping_)
    drops.report(now(), std::exchange(looping_, {}), FrameFate::kDropped, "loopback ended");
  kick();
}

void EthMac::reset() {
  pause_waits_ = false;
  pause_until_ps_ = std::min(pause_until_ps_, now_ps());
  settle_hold();
}

// ---- state

bool EthMac::carrier() const { return bound() && port.eth_tx->carrier(); }

bool EthMac::paused() const { return pause_from_ps_ <= now_ps() && now_ps() < pause_until_ps_; }

BitRate EthMac::rate() const {
  if (loops()) return loop_rate_;
  return bound() ? port.eth_tx->mac_rate() : BitRate{0};
}

std::uint64_t EthMac::quanta_ps(std::uint32_t quanta) const {
  return loops() || bound() ? transfer_ps(std::uint64_t{quanta} * kQuantumBits / 8, rate()) : 0;
}

std::uint64_t EthMac::frame_ps(std::uint32_t octets) const {
  const BitRate at = rate();
  return at.bits_per_s == 0 ? 0 : transfer_ps(octets + ethernet::kPreambleBytes, at);
}

sc_core::sc_time EthMac::began(std::uint32_t octets) const {
  return from_ps(now_ps() - std::min(frame_ps(octets), now_ps()));
}

// ---- sending

bool EthMac::send_pause(std::uint16_t quanta) {
  if (!send_pause_on_) return false;
  pause_waits_ = true;
  pause_quanta_ = quanta;
  kick();
  return true;
}

bool EthMac::may_transmit() const {
  if (!tx_on_ || loops()) return tx_on_;
  return bound() && (!params_.hold_without_carrier() || port.eth_tx->carrier());
}

void EthMac::kick() {
  if (in_kick_) return;  // called from take_frame(): the loop below looks again
  in_kick_ = true;
  while (send_next()) {
  }
  in_kick_ = false;
}

/// Starts the next frame if one may start now, else sets the timer that tries again. Returns true
/// if a frame was started.
bool EthMac::send_next() {
  const std::uint64_t now = now_ps();
  if (tx_free_ps_ > now && wake_.is_set_by(tx_free_ps_))
    return false;  // the timer tries again when the wire is free
  const std::uint64_t ready = pause_waits_         ? now
                              : source_ != nullptr ? source_->ready_ps()
                                                   : kNever;
  if (ready == kNever || !may_transmit()) return false;
  const std::uint64_t start = std::max(ready, tx_free_ps_);
  if (start > now) {
    wake_.set_no_later(start);
    return false;
  }
  if (pause_waits_) {
    send_pause_frame();
    return true;
  }
  if (paused()) {
    held_since_ps_ = std::min(held_since_ps_, now);
    wake_.set_no_later(pause_until_ps_);
    return false;
  }
  settle_hold();
  FrameRef frame = source_->take_frame();
  if (!frame) return false;
  send(std::move(frame));
  return true;
}

void EthMac::settle_hold() {
  if (held_since_ps_ == kNever) return;
  tx_paused_ps.add(now_ps() - held_since_ps_);
  held_since_ps_ = kNever;
}

void EthMac::send(FrameRef frame) {
  if (frame->size() < Frame::kMinBytes) {
    frame.writable().pad_to_minimum();
    tx_padded.add();
  }
  tx_frames.add();
  tx_octets.add(frame->octets());
  tx_free_ps_ = now_ps() + (loops() ? loop_back(frame) : to_ps(port.eth_tx->transmit(frame)));
}

/// Returns the duration of the frame, its gap included.
std::uint64_t EthMac::loop_back(const FrameRef& frame) {
  const std::uint32_t octets = ethernet::kPreambleBytes + frame->octets();
  looping_ = frame;
  loop_end_.set(now_ps() + transfer_ps(octets, loop_rate_));
  return transfer_ps(octets + ethernet::kGapBytes, loop_rate_);
}

void EthMac::send_pause_frame() {
  pause_waits_ = false;
  FrameRef ref = Frame::allocate(Frame::kMinBytes);
  std::uint8_t* bytes = ref.writable().data();
  std::memset(bytes, 0, Frame::kMinBytes);
  std::memcpy(bytes, ethernet::kPauseAddress.data(), 6);
  std::memcpy(bytes + 6, address_.data(), 6);
  write_be16(bytes + 12, ethernet::kTypeMacControl);
  write_be16(bytes + 14, ethernet::kOpcodePause);
  write_be16(bytes + 16, pause_quanta_);
  (pause_quanta_ != 0 ? tx_xoff : tx_xon).add();
  send(std::move(ref));
}

// ---- receiving

void EthMac::receive(const FrameRef& frame) {
  if (loops()) {
    rx_off.add();
    drops.report(now(), frame, FrameFate::kDropped, "loopback");
    return;
  }
  take(frame);
}

void EthMac::take(const FrameRef& frame) {
  const std::uint32_t octets = frame->octets();
  if (!rx_on_) {
    rx_off.add();
    drops.report(now(), frame, FrameFate::kDropped, "receiver off");
    return;
  }
  if (octets < kMinFrameBytes) return refuse(frame, RxFault::kRunt, rx_runts, "runt");
  if (octets > max_frame_) return refuse(frame, RxFault::kOversize, rx_oversize, "oversize");
  if (!frame->fcs_matches()) {
    if (!accept_bad_fcs_) return refuse(frame, RxFault::kBadFcs, rx_bad_fcs, "bad FCS");
    rx_bad_fcs.add();
    if (sink_ != nullptr) sink_->frame_received(frame);
    return;
  }
  rx_frames.add();
  rx_octets.add(octets);
  if (ethernet::type(*frame) == ethernet::kTypeMacControl) {
    receive_control(frame);
  } else if (sink_ != nullptr) {
    sink_->frame_received(frame);
  }
}

void EthMac::refuse(const FrameRef& frame, RxFault fault, observe::Counter& counter,
                    const char* why) {
  counter.add();
  drops.report(now(), frame, FrameFate::kDropped, why);
  if (sink_ != nullptr) sink_->frame_refused(frame, fault);
}

void EthMac::receive_control(const FrameRef& frame) {
  const MacAddress to = ethernet::destination(*frame);
  const bool ours = to == ethernet::kPauseAddress || to == address_;
  if (!ours || read_be16(frame->head() + 14) != ethernet::kOpcodePause) {
    rx_control.add();
    if (pass_other_control_ && sink_ != nullptr) sink_->frame_received(frame);
    return;
  }
  const std::uint16_t quanta = read_be16(frame->head() + 16);
  (quanta != 0 ? rx_xoff : rx_xon).add();
  if (honour_pause_on_) {
    const std::uint64_t from = now_ps() + to_ps(params_.pause_response());
    if (pause_until_ps_ < from) pause_from_ps_ = from;  // else the pause in force goes on
    pause_until_ps_ = from + quanta_ps(quanta);
    kick();
  }
  if (pass_pause_ && sink_ != nullptr) sink_->frame_received(frame);
}

void EthMac::carrier_changed(bool up) {
  if (!up) reset();
  if (sink_ != nullptr) sink_->carrier_changed(up);
  if (up) kick();
}

}  // namespace longhaul
