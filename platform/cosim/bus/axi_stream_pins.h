// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/cosim/bus/rule.h"

namespace longhaul::cosim {

/// AXI4-Stream (AMBA, IHI 0051A) for frames: data of 8 to 512 bits, TKEEP, TLAST, and a bit of
/// TUSER that marks a bad frame in its last beat. Without TKEEP all bytes are valid.
struct AxiStreamPins {
  static constexpr std::uint32_t kMostBytes = 64;

  Pin tvalid, tdata, tuser;
  Pin tready = Pin::fixed(1, 1);
  Pin tkeep = Pin::fixed(~std::uint64_t{0});
  Pin tlast = Pin::fixed(1, 1);
  ResetPin reset;

  std::uint32_t bytes() const { return tdata.bytes(); }
  std::uint64_t all_kept() const { return low_bits(bytes()); }
  /// Throws std::invalid_argument, with `prefix`, unless data has 8, 16, ... 512 bits and TKEEP an
  /// eighth of that.
  void require_widths(const std::string& prefix) const;
};

/// The pins of AXI4-Stream just before a rising edge. The payload is valid while TVALID is high.
struct AxiStreamSample {
  bool reset = false;
  bool valid = false;
  bool ready = false;
  bool last = false;
  bool user = false;
  std::uint64_t keep = 0;
  std::array<std::uint8_t, AxiStreamPins::kMostBytes> data;

  bool taken() const { return valid && ready; }
  void take(const AxiStreamPins& pins) {
    reset = pins.reset.active();
    valid = pins.tvalid.high();
    ready = pins.tready.high();
    if (!valid) return;
    last = pins.tlast.high();
    user = pins.tuser.high();
    keep = pins.tkeep.get() & pins.all_kept();
    pins.tdata.load(data.data());
  }
};

}  // namespace longhaul::cosim
