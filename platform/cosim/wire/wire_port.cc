// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/wire_port.h"

namespace longhaul::cosim {

WirePort::WirePort(const sc_core::sc_module_name& name, RtlBlock& block)
    : sc_core::sc_module(name), block_(block) {
  port.eth_rx.bind(*this);
}

void WirePort::connect_xgmii(ClockDomain& rx_clock, const XgmiiPins& rx_pins, ClockDomain& tx_clock,
                             const XgmiiPins& tx_pins, CheckerSink* checker_sink) {
  const std::string path = name();
  xgmii_rx_ = std::make_unique<XgmiiRx>(block_, rx_clock, rx_pins, path + ".xgmii_rx");
  GmiiSink& sink = *this;
  xgmii_tx_ =
      std::make_unique<XgmiiTx>(block_, tx_clock, tx_pins, path + ".xgmii_tx", sink, checker_sink);
  player_ = xgmii_rx_.get();
}

void WirePort::connect_mii(ClockDomain& rx_clock, const MiiPins& rx_pins, ClockDomain& tx_clock,
                           const MiiPins& tx_pins, CheckerSink* checker_sink) {
  mii_rx_ = std::make_unique<MiiRx>(block_, rx_clock, rx_pins);
  GmiiSink& sink = *this;
  mii_tx_ = std::make_unique<MiiTx>(block_, tx_clock, tx_pins, std::string(name()) + ".mii_tx",
                                    sink, checker_sink);
  player_ = mii_rx_.get();
}

void WirePort::begin(const FrameRef& frame) {
  rx_frames.add();
  player_->begin(frame);
}

void WirePort::carrier_changed(bool up) {
  if (!up && sc_core::sc_is_running()) player_->cut();
}

void WirePort::frame_sent(const FrameRef& frame) {
  tx_frames.add();
  if (!frame->fcs_matches()) tx_bad_fcs.add();
  if (listener_ != nullptr) listener_->frame_left(frame);
  if (port.eth_tx.size() != 0) port.eth_tx->sent(frame);
}

}  // namespace longhaul::cosim
