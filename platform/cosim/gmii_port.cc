// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/gmii_port.h"

#include "models/common/units.h"
#include "models/net/frame/ethernet_header.h"

namespace longhaul::cosim {
namespace {

constexpr std::uint64_t kByteTimePs = 8'000;  // IEEE 802.3, clause 35: GTX_CLK of 125 MHz

}  // namespace

GmiiPort::GmiiPort(const sc_core::sc_module_name& name, RtlBlock& block)
    : sc_core::sc_module(name), block_(block) {
  port.eth_rx.bind(*this);
}

void GmiiPort::connect(ClockDomain& rx_clock, GmiiRxPins rx_pins, ClockDomain& tx_clock,
                       GmiiTxPins tx_pins) {
  rx_.emplace(block_, rx_clock, rx_pins);
  GmiiSink& sink = *this;
  tx_.emplace(block_, tx_pins, sink);
  tx_clock.attach(*tx_, 0);
}

void GmiiPort::find_losses(FrameLosses& finder, std::size_t index) {
  losses_ = &finder;
  index_ = index;
}

void GmiiPort::begin(const FrameRef& frame) {
  rx_frames.add();
  if (losses_ != nullptr && losses.active()) losses_->arrives(index_, frame);
  rx_->begin(frame);
}

void GmiiPort::receive(const FrameRef& frame) {
  if (received_ != nullptr && frame->fcs_matches())
    received_->report(began(*frame), frame, observe::FrameFate::kReceived);
}

sc_core::sc_time GmiiPort::began(const Frame& frame) const {
  return from_ps(now_ps() - (ethernet::kPreambleBytes + frame.octets()) * kByteTimePs);
}

void GmiiPort::carrier_changed(bool up) {
  if (!up && sc_core::sc_is_running()) rx_->cut();
}

void GmiiPort::frame_sent(const FrameRef& frame) {
  tx_frames.add();
  if (!frame->fcs_matches()) tx_bad_fcs.add();
  if (losses_ != nullptr && losses.active()) losses_->leaves(*frame);
  if (sent_ != nullptr) sent_->report(began(*frame), frame, observe::FrameFate::kSent);
  if (port.eth_tx.size() != 0) port.eth_tx->sent(frame);
}

}  // namespace longhaul::cosim
