// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::pcix {

/// Buffers, latencies and policies of a host bridge. The defaults are those of `amd8131`. Each
/// other bridge has one file in bridges/.
struct HostBridgeParams {
  Param<std::string> type{"type",
                          "amd8131",
                          "kind of bridge, whose values the others have by themselves",
                          {Evidence::kChosen, "the machine's bridge: models/pcix/bridges"}};
  Param<sc_core::sc_time> downstream_latency{
      "downstream_latency",
      {110, sc_core::SC_NS},
      "time from the core's side to the bus",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<sc_core::sc_time> upstream_latency{
      "upstream_latency",
      {110, sc_core::SC_NS},
      "time from the bus to the memory's side",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<sc_core::sc_time> interrupt_latency{
      "interrupt_latency",
      {110, sc_core::SC_NS},
      "time from an interrupt pin to the processor",
      {Evidence::kAssumed, "models/pcix/README.md#interrupts"}};
  Param<sc_core::sc_time> core_write_time{
      "core_write_time",
      {20, sc_core::SC_NS},
      "time of the core's side for one posted write",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<std::uint32_t> posted_core_writes{
      "posted_core_writes",
      8,
      "writes of the core that the bridge holds",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
      Range<std::uint32_t>{1, 256}};
  Param<Bytes> posted_dma_bytes{"posted_dma_bytes",
                                {4096},
                                "bytes of posted DMA writes that the bridge holds, of each segment",
                                {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                Range<Bytes>{{256}, {1U << 20}}};
  Param<std::uint32_t> split_reads{"split_reads",
                                   8,
                                   "split reads that the bridge holds",
                                   {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                   Range<std::uint32_t>{1, 32}};
  Param<std::uint32_t> active_reads{"active_reads",
                                    8,
                                    "split reads whose data the bridge fetches at once",
                                    {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                    Range<std::uint32_t>{1, 32}};
  Param<Bytes> completion_start_bytes{"completion_start_bytes",
                                      {128},
                                      "fetched bytes from which a Split Completion begins",
                                      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                      Range<Bytes>{{64}, {4096}}};
  Param<Bytes> delayed_read_bytes{"delayed_read_bytes",
                                  {1024},
                                  "bytes that a delayed read of conventional PCI fetches",
                                  {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                  Range<Bytes>{{32}, {4096}}};
  Param<bool> completions_take_turns{"completions_take_turns",
                                     false,
                                     "Split Completions of several reads take turns",
                                     {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<BitRate> link_rate{
      "link_rate",
      {25'600'000'000},
      "rate of the bridge's link in one direction",
      {Evidence::kDatasheet, "AMD 24637 rev. 3.02, 1.1: side A is 16 bits each way, 1600 MT/s"},
      Range<BitRate>{{100'000'000}, {200'000'000'000}}};
  Param<bool> link_is_shared{
      "link_is_shared",
      false,
      "both directions share the link",
      {Evidence::kDatasheet, "AMD 24637 rev. 3.02, 1.1: separate wires each way"}};
  Param<std::uint32_t> link_header_bytes{
      "link_header_bytes",
      8,
      "bytes of a packet's header on the link",
      {Evidence::kStandard, "HyperTransport I/O Link 1.03: request packets of 8 bytes"},
      Range<std::uint32_t>{0, 64}};
  Param<std::uint32_t> link_payload_bytes{
      "link_payload_bytes",
      64,
      "most data of a packet on the link, bytes",
      {Evidence::kStandard, "HyperTransport I/O Link 1.03: at most 64 bytes of data a packet"},
      Range<std::uint32_t>{8, 4096}};
  Param<bool> split_completion_workaround{
      "split_completion_workaround",
      false,
      "firmware limits devices to 1 KB and two outstanding reads",
      {Evidence::kChosen,
       "AMD 26310 rev. 3.08, erratum 56, as Linux cxgb.rst "
       "tells it: 1 KB and 2 outstanding reads"}};
  auto fields() {
    return std::tie(type, downstream_latency, upstream_latency, interrupt_latency, core_write_time,
                    posted_core_writes, posted_dma_bytes, split_reads, active_reads,
                    completion_start_bytes, delayed_read_bytes, completions_take_turns, link_rate,
                    link_is_shared, link_header_bytes, link_payload_bytes,
                    split_completion_workaround);
  }
};

}  // namespace longhaul::pcix
