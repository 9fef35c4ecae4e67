// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/bus/pcix_clock.h"
#include "platform/cosim/bus/rule.h"
#include "platform/cosim/pin.h"

namespace longhaul::cosim {

/// An input, an output and an output enable of a device.
struct PcixPin {
  Pin in;
  Pin out;
  Pin enable;
};

/// The pins of a PCI-X device. Names are those of the port map's kind `pcix`. Levels are those of
/// the pins: control signals are low when they are asserted. Enables are high when they drive.
struct PcixPins {
  PcixPin ad;   // enable: AD[31:0]
  Pin ad64_oe;  // AD[63:32]
  PcixPin cbe;
  Pin cbe64_oe;
  PcixPin par;
  PcixPin par64;
  PcixPin frame;
  PcixPin irdy;
  PcixPin trdy;  // its enable is that of STOP# and DEVSEL#, too
  PcixPin stop;
  PcixPin devsel;
  PcixPin req64;
  PcixPin ack64;
  PcixPin perr;
  Pin idsel;
  Pin gnt;
  Pin req;
  ResetPin reset;

  /// The device's share of the bus.
  PcixClock driven() const;
  /// Sets the device's inputs to the levels of the bus.
  void show(const PcixClock& bus);
  /// Shows a slot's mode during the reset (PCI-X 1.0b, 6.2): whether TRDY# and STOP# are low, and
  /// REQ64# for a slot of 64 bits.
  void show_pattern(bool trdy_low, bool stop_low, bool wide);
};

}  // namespace longhaul::cosim
