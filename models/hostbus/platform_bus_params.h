// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tuple>

#include "models/common/param.h"

namespace longhaul::hostbus {

/// Latencies and buffers between a processor and its platform devices.
struct PlatformBusParams {
  Param<sc_core::sc_time> downstream_latency{
      "downstream_latency",
      {50, sc_core::SC_NS},
      "time from the core to the device",
      {Evidence::kAssumed, "models/hostbus/README.md#open-numbers"}};
  Param<sc_core::sc_time> upstream_latency{
      "upstream_latency",
      {50, sc_core::SC_NS},
      "time from the device to the core, or to the memory's side",
      {Evidence::kAssumed, "models/hostbus/README.md#open-numbers"}};
  Param<sc_core::sc_time> interrupt_latency{
      "interrupt_latency",
      {110, sc_core::SC_NS},
      "time from a device's interrupt line to the processor",
      {Evidence::kAssumed, "models/pcix/README.md#interrupts"}};
  Param<sc_core::sc_time> core_write_time{
      "core_write_time",
      {20, sc_core::SC_NS},
      "time of the core's side for one posted write",
      {Evidence::kAssumed, "models/hostbus/README.md#open-numbers"}};
  Param<std::uint32_t> posted_writes{"posted_writes",
                                     8,
                                     "writes of the core on their way that no device has answered",
                                     {Evidence::kAssumed, "models/hostbus/README.md#open-numbers"},
                                     Range<std::uint32_t>{1, 256}};
  auto fields() {
    return std::tie(downstream_latency, upstream_latency, interrupt_latency, core_write_time,
                    posted_writes);
  }
};

}  // namespace longhaul::hostbus
