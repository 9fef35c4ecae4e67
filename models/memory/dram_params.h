// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "models/common/param.h"

namespace longhaul::memory {

/// The modules of one node. Their channels run in lockstep, so a cache line lies across all of
/// them. Times belong to a speed grade.
struct DramParams {
  Param<std::string> dram{"dram",
                          "ddr400",
                          "speed grade, whose times the others have by themselves",
                          {Evidence::kChosen, "models/memory/README.md#speed-grades"}};
  Param<Frequency> transfer_rate{
      "transfer_rate",
      {400'000'000},
      "transfers a second on a channel's data lines",
      {Evidence::kStandard, "JEDEC JESD79, DDR400: two transfers a 200 MHz clock"},
      Range<Frequency>{{66'000'000}, {4'000'000'000}}};
  Param<std::uint32_t> transfers_per_clock{"transfers_per_clock",
                                           2,
                                           "transfers in a clock: 2 for double data rate",
                                           {Evidence::kStandard, "JEDEC JESD79: double data rate"},
                                           Range<std::uint32_t>{1, 2}};
  Param<std::uint32_t> channels{
      "channels",
      2,
      "channels of a node that run in step",
      {Evidence::kDatasheet, "AMD 23932 (Opteron data sheet): 128-bit memory interface"},
      Range<std::uint32_t>{1, 4}};
  Param<std::uint32_t> channel_bytes{"channel_bytes",
                                     8,
                                     "bytes that a channel moves in a transfer",
                                     {Evidence::kStandard, "JEDEC JESD79: 64 data lines of a DIMM"},
                                     Range<std::uint32_t>{4, 8}};
  Param<Bytes> line{
      "line",
      {64},
      "size of a cache line",
      {Evidence::kDatasheet, "AMD 25112 (K8 software optimization guide): 64-byte cache lines"},
      Range<Bytes>{{32}, {128}}};
  /// Banks of all ranks. Each has one open row.
  Param<std::uint32_t> banks{"banks",
                             8,
                             "banks of all ranks; each has one row open",
                             {Evidence::kAssumed, "models/memory/README.md#open-numbers"},
                             Range<std::uint32_t>{1, 64}};
  /// Bytes of an open row, across all channels.
  Param<Bytes> page{"page",
                    units::KiB(16),
                    "bytes of one open row across the channels",
                    {Evidence::kAssumed, "models/memory/README.md#open-numbers"},
                    Range<Bytes>{{1024}, {65536}}};
  Param<sc_core::sc_time> cas_latency{"cas_latency",
                                      {15, sc_core::SC_NS},
                                      "from a read command to its first data (CL)",
                                      {Evidence::kStandard, "JEDEC JESD79, DDR400B: CL 3"}};
  Param<sc_core::sc_time> ras_to_cas{"ras_to_cas",
                                     {15, sc_core::SC_NS},
                                     "from opening a row to a command in it (tRCD)",
                                     {Evidence::kStandard, "JEDEC JESD79, DDR400B: tRCD"}};
  Param<sc_core::sc_time> row_precharge{"row_precharge",
                                        {15, sc_core::SC_NS},
                                        "time to close a row (tRP)",
                                        {Evidence::kStandard, "JEDEC JESD79, DDR400B: tRP"}};
  Param<sc_core::sc_time> row_active{"row_active",
                                     {40, sc_core::SC_NS},
                                     "shortest time that a row stays open (tRAS)",
                                     {Evidence::kStandard, "JEDEC JESD79, DDR400B: tRAS"}};
  Param<sc_core::sc_time> row_cycle{"row_cycle",
                                    {55, sc_core::SC_NS},
                                    "from opening a row to opening the next in the bank (tRC)",
                                    {Evidence::kStandard, "JEDEC JESD79, DDR400B: tRC"}};
  Param<sc_core::sc_time> write_recovery{"write_recovery",
                                         {15, sc_core::SC_NS},
                                         "from a write's last data to closing its row (tWR)",
                                         {Evidence::kStandard, "JEDEC JESD79, DDR400B: tWR"}};
  Param<sc_core::sc_time> write_to_read{
      "write_to_read",
      {10, sc_core::SC_NS},
      "from a write's last data to a read command (tWTR)",
      {Evidence::kStandard, "JEDEC JESD79, DDR400B: tWTR of 2 clocks"}};
  Param<sc_core::sc_time> read_to_write{
      "read_to_write",
      {10, sc_core::SC_NS},
      "idle time of the data lines from a read to a write",
      {Evidence::kAssumed, "models/memory/README.md#open-numbers"}};
  Param<sc_core::sc_time> refresh_time{
      "refresh_time",
      {70, sc_core::SC_NS},
      "time of a refresh (tRFC)",
      {Evidence::kDatasheet, "Samsung K4H560838E, DDR400: tRFC 70 ns"}};
  Param<sc_core::sc_time> refresh_interval{
      "refresh_interval",
      {7800, sc_core::SC_NS},
      "average time from one refresh to the next (tREFI)",
      {Evidence::kStandard, "JEDEC JESD79: tREFI 7.8 us"},
      Range<sc_core::sc_time>{{1, sc_core::SC_US}, {64, sc_core::SC_MS}}};
  /// Lines that the controller moves in one direction before it changes to the other, if both wait.
  Param<std::uint32_t> turn_lines{
      "turn_lines",
      5,
      "lines moved in one direction before the controller turns, when both wait",
      {Evidence::kFitted, "models/memory/README.md#turn-around: 4.78 GB/s of AMD 40555, A.5"},
      Range<std::uint32_t>{1, 64}};

  auto fields() {
    return std::tie(dram, transfer_rate, transfers_per_clock, channels, channel_bytes, line, banks,
                    page, cas_latency, ras_to_cas, row_precharge, row_active, row_cycle,
                    write_recovery, write_to_read, read_to_write, refresh_time, refresh_interval,
                    turn_lines);
  }
};

/// Sets the times of a speed grade: "ddr400", "ddr333", "ddr266", "pc133". Throws ConfigError whose
/// message starts with `where` for another grade.
void set_speed_grade(DramParams& params, const std::string& grade, const std::string& where);

/// Names of the speed grades.
std::vector<std::string> speed_grade_names();

}  // namespace longhaul::memory
