// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::memory {

/// The interconnect of cores, nodes and devices: HyperTransport between nodes, or one front-side
/// bus to the only node.
struct InterconnectParams {
  Param<std::string> interconnect{
      "interconnect",
      "hypertransport",
      "hypertransport between nodes, or one front-side bus to the only node",
      {Evidence::kDatasheet, "AMD 23932: three HyperTransport links, no other bus"},
      {"hypertransport", "front_side_bus"}};
  /// Rate of one link in one direction.
  Param<BitRate> link_rate{
      "link_rate",
      {25'600'000'000},
      "rate of a HyperTransport link in one direction",
      {Evidence::kDatasheet, "AMD 23932: 16 bit at 800 MHz, two transfers a clock"},
      Range<BitRate>{{800'000'000}, {409'600'000'000}}};
  /// Share of the rate that packets can fill before the buffers at the link's ends run out.
  Param<double> link_efficiency{
      "link_efficiency",
      0.87,
      "share of it that packets fill before the buffers at its ends run out",
      {Evidence::kMeasured,
       "AMD 40555, A.2.2: links saturate at 3.5 of 4 GB/s, the buffers being the reason"},
      Range<double>{0.1, 1.0}};
  /// Latency of one direction, through both crossbars and the link, without the packet's own time.
  Param<sc_core::sc_time> hop_latency{
      "hop_latency",
      {17'500, sc_core::SC_PS},
      "one way through both crossbars and the link, without the packet's own time",
      {Evidence::kFitted, "models/memory/README.md#latency"}};
  /// Packets without data that go with a line: to its home (request, probe response, done) and from
  /// there (probe, response).
  Param<Bytes> request_bytes{
      "request_bytes",
      {16},
      "bytes of packets without data towards a line's home, for each line",
      {Evidence::kStandard, "HyperTransport 1.05: 8-byte requests, 4-byte responses"}};
  Param<Bytes> response_bytes{
      "response_bytes",
      {12},
      "bytes of packets without data from a line's home, for each line",
      {Evidence::kStandard, "HyperTransport 1.05: 8-byte requests, 4-byte responses"}};
  /// A probe of the other caches, without hops. A core gets a line only after all have answered.
  Param<sc_core::sc_time> probe_latency{"probe_latency",
                                        {25, sc_core::SC_NS},
                                        "time of a probe of the other caches, without hops",
                                        {Evidence::kFitted, "models/memory/README.md#latency"}};

  Param<Frequency> bus_transfer_rate{
      "bus_transfer_rate",
      {533'333'333},
      "transfers a second on the front-side bus's data lines",
      {Evidence::kDatasheet, "Intel 252135 (Xeon, 533 MHz bus): four transfers a clock"},
      Range<Frequency>{{50'000'000}, {2'000'000'000}}};
  Param<Frequency> bus_clock{"bus_clock",
                             {133'333'333},
                             "clock of the front-side bus",
                             {Evidence::kDatasheet, "Intel 252135 (Xeon, 533 MHz bus)"},
                             Range<Frequency>{{50'000'000}, {400'000'000}}};
  Param<std::uint32_t> bus_bytes{"bus_bytes",
                                 8,
                                 "bytes that the front-side bus moves in a transfer",
                                 {Evidence::kDatasheet, "Intel 252135: 64 data lines"},
                                 Range<std::uint32_t>{4, 16}};
  /// Unused clocks when the driver of the data lines changes; once for each written line.
  Param<std::uint32_t> bus_turn_clocks{"bus_turn_clocks",
                                       1,
                                       "unused clocks when the driver of the data lines changes",
                                       {Evidence::kAssumed, "models/memory/README.md#open-numbers"},
                                       Range<std::uint32_t>{0, 8}};

  auto fields() {
    return std::tie(interconnect, link_rate, link_efficiency, hop_latency, request_bytes,
                    response_bytes, probe_latency, bus_transfer_rate, bus_clock, bus_bytes,
                    bus_turn_clocks);
  }
};

}  // namespace longhaul::memory
