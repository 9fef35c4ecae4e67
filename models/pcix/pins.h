// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/pcix/bus_observer.h"

namespace longhaul::pcix {

/// The shared pins of the bus during one clock, asserted = true whatever the polarity, as its
/// master and target drive them.
struct Pins {
  enum class Phase : std::uint8_t {
    kPreDrive,
    kAddress,
    kAttribute,
    kResponse,
    kWait,
    kData,
    kTermination,
    kRelease,
    kTurnAround
  };
  Phase phase = Phase::kTurnAround;
  bool frame = false;
  bool irdy = false;
  bool trdy = false;
  bool devsel = false;
  bool stop = false;
  bool req64 = false;
  bool ack64 = false;
  bool ad_driven = false;        ///< AD[31:0]
  bool ad_upper_driven = false;  ///< AD[63:32]
  bool cbe_driven = false;
  std::uint64_t ad = 0;
  std::uint8_t cbe = 0xff;  ///< C/BE[7:0]# as they are on the wires: byte enables low when enabled
};

const char* to_text(Pins::Phase phase);

/// Traces a tenure: one Pins a clock from its first to its turn-around clock, into `clocks`
/// (overwritten). Consistent with `phases`: clocks.size() is phases.clocks() + 1.
///
/// FRAME# and IRDY# follow what a registered master can know (README.md#pins): in PCI-X it reacts
/// two clocks after what it sees and announces the end of four and more data phases a clock ahead;
/// in conventional PCI it reacts in the next clock.
void trace(const TenureRecord& tenure, std::vector<Pins>& clocks);

}  // namespace longhaul::pcix
