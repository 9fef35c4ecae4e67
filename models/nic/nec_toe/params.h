// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>

#include "models/common/param.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/terminator/params.h"
#include "models/pcix/dma_engine.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::nec_toe {

/// Numbers of the MAC and its FIFO.
struct LineParams {
  Param<Bytes> fifo{"line_fifo",
                    units::KiB(32),
                    "FIFO between the MAC and the engine",
                    {Evidence::kAssumed, "models/nic/nec_toe/README.md#open-numbers"},
                    Range<Bytes>{units::KiB(4), units::MiB(1)}};
  Param<Bytes> pause_high{"pause_high",
                          units::KiB(24),
                          "fill of this FIFO from which PAUSE is sent",
                          {Evidence::kAssumed, "models/nic/nec_toe/README.md#open-numbers"},
                          Range<Bytes>{{1}, units::MiB(1)}};
  Param<Bytes> pause_low{"pause_low",
                         units::KiB(12),
                         "fill at which PAUSE ends",
                         {Evidence::kAssumed, "models/nic/nec_toe/README.md#open-numbers"},
                         Range<Bytes>{{0}, units::MiB(1)}};
  auto fields() { return std::tie(fifo, pause_high, pause_low); }
};

/// Numbers of an adapter of NEC-TOE. Values that the slides do not give are assumed.
struct NecToeParams {
  Param<std::string> mac{
      "mac",
      "",
      "Ethernet address; empty is one by the adapter's number",
      {Evidence::kChosen,
       "models/nic/nec_toe/README.md#models: 00:00:4c:00:00:NN by index when empty"}};

  auto fields() {
    return std::tuple_cat(std::tie(mac, dma.read_fifo_bytes, dma.engines, dma.order,
                                   target.decode_clocks, target.read_wait_clocks, target.width_bits,
                                   mac_unit.pause_response, mac_unit.hold_without_carrier),
                          line.fields(), core.core_fields());
  }

  pcix::DmaParams dma;
  pcix::TargetParams target;
  EthMacParams mac_unit;
  LineParams line;
  terminator::TerminatorParams core;  ///< of the core and its engine; the rest of it is not used
};

/// The parallel engine: three processing elements.
NecToeParams parallel_params();
/// The pipeline engine: a row of four elements for receive and a row of six for transmit.
NecToeParams pipeline_params();

/// The TCP of both engines.
tcp::TcpParams tcp_params();

}  // namespace longhaul::nic::nec_toe
