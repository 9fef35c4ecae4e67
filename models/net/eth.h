// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/common/units.h"
#include "models/net/frame/frame.h"

namespace longhaul {

/// The receive side of an Ethernet port. A link calls it at the instant the last bit of the FCS has
/// arrived.
class EthReceiver : public virtual sc_core::sc_interface {
 public:
  virtual void receive(const FrameRef& frame) = 0;
  /// Whether this receiver passes bytes on while the frame still arrives, and wants begin(). Asked
  /// when a link joins it.
  virtual bool cuts_through() const { return false; }
  /// The first bit of the frame's preamble arrives now; its bytes follow at the wire's rate,
  /// receive() comes with the last one. If the light goes meanwhile, carrier_changed(false) comes
  /// instead. A wire that got the frame too late to tell in time (EthTransmitter::sent) calls this
  /// late, with receive() or just before it.
  virtual void begin(const FrameRef& frame) {}
  /// The far end appeared or went (link up and down, a loss of light).
  virtual void carrier_changed(bool up) = 0;
};

/// The transmit side of a wire, as a MAC sees it.
class EthTransmitter : public virtual sc_core::sc_interface {
 public:
  /// Starts the frame's preamble now, or as soon as the wire is free. Returns the time from now to
  /// when the next preamble may start (frame, FCS and inter-frame gap gone). A MAC calls again no
  /// sooner, so that its own queue holds the backlog.
  virtual sc_core::sc_time transmit(const FrameRef& frame) = 0;
  /// Puts a frame on the wire whose last bit of FCS leaves now, and whose bytes left at the wire's
  /// rate before: for a transmitter that knows a frame only when it is over (RTL behind GMII), and
  /// paces itself. Errored frames carry an FCS that is wrong.
  virtual void sent(const FrameRef& frame) { transmit(frame); }
  /// Whether light is on the fibre in both directions.
  virtual bool carrier() const = 0;
  /// Whether this end sends light at all; a disabled laser is a carrier loss at the far end.
  virtual void enable(bool on) = 0;
  /// The rate that the MAC runs at: its bit time is the unit of pause quanta (10 Gb/s on the WAN
  /// PHY too, which stretches gaps).
  virtual BitRate mac_rate() const = 0;
};

/// A duplex port of a device: where it sends, and where it takes what arrives. Links join two of
/// them.
struct EthPort {
  sc_core::sc_port<EthTransmitter, 1, sc_core::SC_ZERO_OR_MORE_BOUND> eth_tx;
  sc_core::sc_export<EthReceiver> eth_rx;

  explicit EthPort(const std::string& name)
      : eth_tx((name + "_tx").c_str()), eth_rx((name + "_rx").c_str()) {}
};

}  // namespace longhaul
