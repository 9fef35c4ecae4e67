// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/common/units.h"
#include "models/net/frame/frame.h"

namespace longhaul {

/// The receive side of an Ethernet port. A link calls receive() at the instant at which the last
/// bit of the FCS has arrived.
class EthReceiver : public virtual sc_core::sc_interface {
 public:
  virtual void receive(const FrameRef& frame) = 0;
  /// Whether this receiver passes bytes on while the frame still arrives, and so needs begin(). A
  /// link asks when it joins the port.
  virtual bool cuts_through() const { return false; }
  /// The first bit of the frame's preamble arrives now. The bytes follow at the wire's rate, and
  /// receive() comes with the last bit. If the light is lost before that, carrier_changed(false)
  /// comes instead.
  ///
  /// A wire that knew the frame too late (EthTransmitter::sent) calls begin() late: with receive()
  /// or just before it.
  virtual void begin(const FrameRef& frame) {}
  /// The carrier came or went: link up or down, loss of light.
  virtual void carrier_changed(bool up) = 0;
};

/// The transmit side of a wire, as a MAC sees it.
class EthTransmitter : public virtual sc_core::sc_interface {
 public:
  /// Starts the frame's preamble now, or as soon as the wire is free. Returns the time from now to
  /// the earliest start of the next preamble: frame, FCS and inter-frame gap are over then. A MAC
  /// does not call again before that, so its own queue holds the backlog.
  virtual sc_core::sc_time transmit(const FrameRef& frame) = 0;
  /// Puts a frame on the wire whose last bit of FCS leaves now; its bytes left before, at the
  /// wire's rate. For a transmitter that paces itself and knows a frame only when it is over (RTL
  /// behind GMII). A frame with an error carries a wrong FCS.
  virtual void sent(const FrameRef& frame) { transmit(frame); }
  /// Whether light is on the fibre in both directions.
  virtual bool carrier() const = 0;
  /// Switches this end's laser. A disabled laser is a loss of carrier at the far end.
  virtual void enable(bool on) = 0;
  /// The rate of the MAC. Its bit time is the unit of pause quanta: 10 Gb/s also on the WAN PHY,
  /// which stretches gaps.
  virtual BitRate mac_rate() const = 0;
};

/// A duplex port of a device: its transmit side and its receive side. Links join two ports.
struct EthPort {
  sc_core::sc_port<EthTransmitter, 1, sc_core::SC_ZERO_OR_MORE_BOUND> eth_tx;
  sc_core::sc_export<EthReceiver> eth_rx;

  explicit EthPort(const std::string& name)
      : eth_tx((name + "_tx").c_str()), eth_rx((name + "_rx").c_str()) {}
};

}  // namespace longhaul
