// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/observe/probe.h"
#include "models/common/units.h"
#include "models/pcix/bus_timing.h"
#include "models/wan/nistnet/nistnet_params.h"

namespace longhaul::wan {

/// Time of a transfer: with the bus, and waiting without the bus.
struct BusUse {
  std::uint64_t occupied_ps = 0;
  std::uint64_t waited_ps = 0;
  BusUse& operator+=(const BusUse& other) {
    occupied_ps += other.occupied_ps;
    waited_ps += other.waited_ps;
    return *this;
  }
};

/// The bus segment that the box's two adapters share. Computes which adapter has it until when, in
/// whole clocks by the bus's own rules (pcix::BusTiming). Transfers keep the order of the calls;
/// there are no events.
class PciSegment {
 public:
  /// `burst_bytes` is the number of bytes that an adapter moves before it gives the bus up. Throws
  /// ConfigError whose message starts with `where`.
  PciSegment(const NistnetBusParams& params, std::uint64_t burst_bytes,
             sc_core::sc_time memory_latency, const std::string& where);

  /// An adapter's write of `bytes` to memory, posted in the bridge.
  BusUse write(std::uint64_t bytes) const;
  /// An adapter's read of `bytes`. For each block: an attempt that the bridge refuses, its fetch,
  /// and the data.
  BusUse read(std::uint64_t bytes) const;

  /// Does a transfer from `from_ps` on, or when the bus is free. Returns its end.
  std::uint64_t transfer(const BusUse& use, std::uint64_t from_ps);
  /// The time for which a core stalls on a register read that it starts now. It includes at most
  /// the burst that has the bus.
  std::uint64_t register_read_ps(std::uint64_t now_ps);

  observe::Counter occupied_ps{"bus_occupied_ps", "ps",
                               "time for which adapters' transfers and register reads had the bus"};

 private:
  std::uint64_t tenure_ps(std::uint64_t bytes) const;

  const pcix::BusTiming timing_;
  const std::uint64_t burst_bytes_;
  const std::uint64_t read_block_bytes_;
  const std::uint64_t fetch_ps_;         // time of a delayed read to memory and back
  const std::uint64_t attempt_ps_;       // time of an attempt that the bridge answers with Retry
  const std::uint64_t register_bus_ps_;  // time of a register read on the bus
  const std::uint64_t register_way_ps_;  // time between core and bus, both directions
  std::uint64_t free_ps_ = 0;
};

}  // namespace longhaul::wan
