// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/gmii_port.h"

namespace longhaul::cosim {

GmiiPort::GmiiPort(const sc_core::sc_module_name& name, RtlBlock& block)
    : sc_core::sc_module(name), block_(block) {
  port.eth_rx.bind(*this);
}

void GmiiPort::connect(ClockDomain& rx_clock, GmiiRxPins rx_pins, ClockDomain& tx_clock,
                       GmiiTxPins tx_pins) {
  rx_.emplace(block_, rx_clock, rx_pins);
  GmiiSink& sink = *this;
  tx_.emplace(block_, tx_pins, sink);
  tx_clock.watch(*tx_, false);
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

void GmiiPort::carrier_changed(bool up) {
  if (!up && sc_core::sc_is_running()) rx_->cut();
}

void GmiiPort::frame_sent(const FrameRef& frame) {
  tx_frames.add();
  if (!frame->fcs_matches()) tx_bad_fcs.add();
  if (losses_ != nullptr && losses.active()) losses_->leaves(*frame);
  if (listener_ != nullptr) listener_->frame_left(frame);
  if (port.eth_tx.size() != 0) port.eth_tx->sent(frame);
}

}  // namespace longhaul::cosim
