// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/bus/rule.h"

namespace longhaul::cosim {

/// The pins of an APB3 or APB4 completer (AMBA APB, IHI 0024E), data of 8, 16 or 32 bits.
struct ApbPins {
  Pin psel, penable, paddr, pwrite, pwdata, pstrb, pprot, prdata, pslverr;
  Pin pready = Pin::fixed(1, 1);
  ResetPin reset;
};

/// APB's pins just before a rising edge.
struct ApbSample {
  bool reset = false;
  bool select = false;
  bool enable = false;
  bool ready = false;
  bool error = false;
  struct Request {
    std::uint64_t address = 0;
    std::uint32_t write_data = 0;  // valid for a write
    std::uint8_t strobes = 0;
    std::uint8_t protection = 0;
    bool write = false;
  };
  Request request;              // valid while select is high
  std::uint32_t read_data = 0;  // valid at the end of a read

  bool done() const { return select && enable && ready; }
  void take(const ApbPins& pins) {
    reset = pins.reset.active();
    select = pins.psel.high();
    enable = pins.penable.high();
    if (!select) return;
    ready = pins.pready.high();
    error = pins.pslverr.high();
    request.write = pins.pwrite.high();
    request.address = pins.paddr.get();
    request.write_data = request.write ? static_cast<std::uint32_t>(pins.pwdata.get()) : 0;
    request.strobes = static_cast<std::uint8_t>(pins.pstrb.get());
    request.protection = static_cast<std::uint8_t>(pins.pprot.get());
    if (done()) read_data = static_cast<std::uint32_t>(pins.prdata.get());
  }
};

}  // namespace longhaul::cosim
