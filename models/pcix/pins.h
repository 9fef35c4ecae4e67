// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/pcix/bus_observer.h"

namespace longhaul::pcix {

/// The shared pins of the bus during one clock, as its master and target drive them. True means
/// asserted, whatever the polarity.
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
  std::uint8_t cbe = 0xff;  ///< C/BE[7:0]# as levels on the wires: a byte enable is low if enabled
};

const char* to_text(Pins::Phase phase);

/// Computes the pins of a tenure: one Pins a clock, from its first to its turn-around clock, into
/// `clocks` (overwritten). clocks.size() is phases.clocks() + 1.
///
/// FRAME# and IRDY# follow the knowledge of a master with registered inputs and outputs
/// (README.md#pins). In PCI-X it reacts two clocks after an event, and announces the end of four or
/// more data phases a clock ahead. In conventional PCI it reacts in the next clock.
void trace(const TenureRecord& tenure, std::vector<Pins>& clocks);

}  // namespace longhaul::pcix
