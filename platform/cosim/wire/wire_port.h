// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/net/eth.h"
#include "models/net/frame/frame_tap.h"
#include "platform/cosim/frame_losses.h"
#include "platform/cosim/gmii_rx.h"
#include "platform/cosim/gmii_tx.h"
#include "platform/cosim/port_listener.h"
#include "platform/cosim/wire/mii_rx.h"
#include "platform/cosim/wire/mii_tx.h"
#include "platform/cosim/wire/wire_player.h"
#include "platform/cosim/wire/xgmii_rx.h"
#include "platform/cosim/wire/xgmii_tx.h"

namespace longhaul::cosim {

/// A block's GMII, XGMII or MII as an Ethernet port. It cuts through in both directions: bytes are
/// on the pins while they are on the wire. So only the block delays a frame.
class WirePort final : public sc_core::sc_module, private EthReceiver, private GmiiSink {
 public:
  WirePort(const sc_core::sc_module_name& name, RtlBlock& block);

  /// Connect the pins and their clocks; one of these functions, before the simulation starts.
  /// `checker_sink` gets the violations of the block's transmitter; nullptr: no checker.
  /// `pins_name` is that of its pins in messages. Throw std::invalid_argument for pins of wrong
  /// widths.
  void connect_gmii(ClockDomain& rx_clock, const GmiiRxPins& rx_pins, ClockDomain& tx_clock,
                    const GmiiTxPins& tx_pins, CheckerSink* checker_sink,
                    const std::string& pins_name);
  void connect_xgmii(ClockDomain& rx_clock, const XgmiiPins& rx_pins, ClockDomain& tx_clock,
                     const XgmiiPins& tx_pins, CheckerSink* checker_sink,
                     const std::string& pins_name);
  void connect_mii(ClockDomain& rx_clock, const MiiPins& rx_pins, ClockDomain& tx_clock,
                   const MiiPins& tx_pins, CheckerSink* checker_sink, const std::string& pins_name);

  /// Reports frames to `finder`, for which this is port `index`, while there is a listener on the
  /// tap below. `finder` must outlive this object.
  void find_losses(FrameLosses& finder, std::size_t index);
  /// Sets the carrier at the begin of the simulation (initially on), after connect_...(), before
  /// power-up.
  void begin_with(bool carrier) {
    if (!carrier) player_->cut();
  }
  /// Sets the listener for frames; null (initially): none.
  void set_listener(PortListener* listener) { listener_ = listener; }

  EthPort port{"port"};

  observe::FrameTap losses{"losses",
                           "frames that came in here and were lost in the block, with the reason"};
  observe::Counter rx_frames{"rx_frames", "frame",
                             "frames that began to arrive and were played to the block"};
  observe::Counter tx_frames{"tx_frames", "frame", "frames that the block sent"};
  observe::Counter tx_bad_fcs{"tx_bad_fcs", "frame",
                              "of these, with a wrong FCS, which frames with TX_ER are given"};
  observe::Counter tx_fragments{"tx_fragments", "event",
                                "carrier from the block that was no frame"};

 private:
  void receive(const FrameRef& frame) override {  // the block has had it since begin()
    if (listener_ != nullptr) listener_->frame_arrived(frame);
  }
  bool cuts_through() const override { return true; }
  void begin(const FrameRef& frame) override;
  void carrier_changed(bool up) override;
  void frame_sent(const FrameRef& frame) override;
  void fragment_sent() override { tx_fragments.add(); }

  RtlBlock& block_;
  std::unique_ptr<WirePlayer> player_;
  std::unique_ptr<Transactor> transmitter_;
  std::unique_ptr<Transactor> checker_;  // if it is not part of the transmitter
  PortListener* listener_ = nullptr;
  FrameLosses* losses_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace longhaul::cosim
