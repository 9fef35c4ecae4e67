// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/bus/rule.h"

namespace longhaul::cosim {

/// The pins of Wishbone B4, data of 8 to 64 bits, named by their contents: `write_data` is the
/// manager's DAT_O, `read_data` its DAT_I.
struct WishbonePins {
  Pin cyc, stb, we, adr, write_data, read_data, ack, err, rty, stall, cti, bte;
  Pin sel = Pin::fixed(~std::uint64_t{0});
  ResetPin reset{{}, false};
  bool pipelined = false;       ///< 3.1.3.2: STALL_I low accepts a request, which is answered later
  bool word_addresses = false;  ///< ADR counts words of the bus, not bytes, as in LiteX
};

/// Wishbone's pins just before a rising edge.
struct WishboneSample {
  struct Request {
    std::uint64_t adr = 0;
    std::uint64_t write_data = 0;  // valid for a write
    std::uint64_t sel = 0;
    bool we = false;
  };
  bool reset = false;
  bool cyc = false;
  bool stb = false;
  bool stall = false;
  bool ack = false;
  bool err = false;
  bool rty = false;
  Request request;              // valid while stb is high
  std::uint64_t read_data = 0;  // valid while ack is high

  bool terminated() const { return ack || err || rty; }
  void take(const WishbonePins& pins) {
    reset = pins.reset.active();
    cyc = pins.cyc.high();
    stb = pins.stb.high();
    stall = pins.stall.high();
    ack = pins.ack.high();
    err = pins.err.high();
    rty = pins.rty.high();
    if (stb) {
      request.adr = pins.adr.get();
      request.we = pins.we.high();
      request.sel = pins.sel.get();
      request.write_data = request.we ? pins.write_data.get() : 0;
    }
    if (ack) read_data = pins.read_data.get();
  }
};

}  // namespace longhaul::cosim
