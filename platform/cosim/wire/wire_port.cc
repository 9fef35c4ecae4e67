// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/wire_port.h"

namespace longhaul::cosim {

WirePort::WirePort(const sc_core::sc_module_name& name, RtlBlock& block)
    : sc_core::sc_module(name), block_(block) {
  port.eth_rx.bind(*this);
}

void WirePort::connect_gmii(ClockDomain& rx_clock, const GmiiRxPins& rx_pins, ClockDomain& tx_clock,
                            const GmiiTxPins& tx_pins, CheckerSink* checker_sink,
                            const std::string& pins_name) {
  player_ = std::make_unique<GmiiRx>(block_, rx_clock, rx_pins);
  GmiiSink& sink = *this;
  transmitter_ = std::make_unique<GmiiTx>(block_, tx_clock, tx_pins, pins_name, sink, checker_sink);
}

void WirePort::connect_xgmii(ClockDomain& rx_clock, const XgmiiPins& rx_pins, ClockDomain& tx_clock,
                             const XgmiiPins& tx_pins, CheckerSink* checker_sink,
                             const std::string& pins_name) {
  player_ = std::make_unique<XgmiiRx>(block_, rx_clock, rx_pins, pins_name);
  GmiiSink& sink = *this;
  transmitter_ =
      std::make_unique<XgmiiTx>(block_, tx_clock, tx_pins, pins_name, sink, checker_sink);
}

void WirePort::connect_mii(ClockDomain& rx_clock, const MiiPins& rx_pins, ClockDomain& tx_clock,
                           const MiiPins& tx_pins, CheckerSink* checker_sink,
                           const std::string& pins_name) {
  player_ = std::make_unique<MiiRx>(block_, rx_clock, rx_pins);
  GmiiSink& sink = *this;
  transmitter_ = std::make_unique<MiiTx>(block_, tx_clock, tx_pins, pins_name, sink, checker_sink);
}

void WirePort::find_losses(FrameLosses& finder, std::size_t index) {
  losses_ = &finder;
  index_ = index;
}

void WirePort::begin(const FrameRef& frame) {
  rx_frames.add();
  if (losses_ != nullptr && losses.active()) losses_->arrives(index_, frame);
  player_->begin(frame);
}

void WirePort::carrier_changed(bool up) {
  if (listener_ != nullptr) listener_->carrier_changed(up);
  if (!sc_core::sc_is_running()) return;
  if (up) {
    player_->mend();
  } else {
    player_->cut();
  }
}

void WirePort::frame_sent(const FrameRef& frame) {
  tx_frames.add();
  if (!frame->fcs_matches()) tx_bad_fcs.add();
  if (losses_ != nullptr && losses.active()) losses_->leaves(*frame);
  if (listener_ != nullptr) listener_->frame_left(frame);
  if (port.eth_tx.size() != 0) port.eth_tx->sent(frame);
}

}  // namespace longhaul::cosim
