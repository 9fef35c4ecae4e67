// SPDX-License-Identifier: Apache-2.0
#include "models/memory/dram_params.h"

#include <array>

#include "models/common/param_set.h"

namespace longhaul::memory {
namespace {

/// One row of the table of speed grades; times in picoseconds.
struct Grade {
  const char* name;
  std::uint64_t transfers_per_s;
  std::uint32_t transfers_per_clock;
  std::uint64_t cas_latency, ras_to_cas, row_precharge, row_active, row_cycle;
  std::uint64_t write_recovery, write_to_read, read_to_write, refresh_time;
  Source source;  // of all times except refresh
  Source refresh;
};

constexpr Source kDdr400Refresh{Evidence::kDatasheet, "Samsung K4H560838E, DDR400: tRFC 70 ns"};
constexpr Source kDdr333Refresh{Evidence::kDatasheet, "Samsung K4H560838E, DDR333: tRFC 72 ns"};
constexpr Source kDdr266Refresh{Evidence::kDatasheet, "Samsung K4H560838E, DDR266: tRFC 75 ns"};
constexpr Source kOpen{Evidence::kAssumed, "models/memory/README.md#open-numbers"};

constexpr std::array<Grade, 4> kGrades{{
    {"ddr400",
     400'000'000,
     2,
     15'000,
     15'000,
     15'000,
     40'000,
     55'000,
     15'000,
     10'000,
     10'000,
     70'000,
     {Evidence::kStandard,
      "JEDEC JESD79, DDR400B: CL 3, tRCD 15, tRP 15, tRAS 40, tRC 55, tWR 15 ns, tWTR 2 clocks"},
     kDdr400Refresh},
    {"ddr333",
     333'333'333,
     2,
     15'000,
     18'000,
     18'000,
     42'000,
     60'000,
     15'000,
     6'000,
     12'000,
     72'000,
     {Evidence::kStandard,
      "JEDEC JESD79, DDR333B: CL 2.5, tRCD 18, tRP 18, tRAS 42, tRC 60, tWR 15 ns, tWTR 1 clock"},
     kDdr333Refresh},
    {"ddr266",
     266'666'667,
     2,
     15'000,
     20'000,
     20'000,
     45'000,
     65'000,
     15'000,
     7'500,
     15'000,
     75'000,
     {Evidence::kStandard,
      "JEDEC JESD79, DDR266A: CL 2, tRCD 20, tRP 20, tRAS 45, tRC 65, tWR 15 ns, tWTR 1 clock"},
     kDdr266Refresh},
    {"pc133",
     133'333'333,
     1,
     22'500,
     20'000,
     20'000,
     45'000,
     67'500,
     15'000,
     7'500,
     7'500,
     67'500,
     {Evidence::kDatasheet,
      "Intel PC133 SDRAM specification 1.7: CL 3, tRCD 20, tRP 20, tRAS 45, tRC 67.5 ns, tDPL 2 "
      "clocks"},
     kOpen},
}};

}  // namespace

std::vector<std::string> speed_grade_names() {
  std::vector<std::string> names;
  names.reserve(kGrades.size());
  for (const Grade& grade : kGrades) names.emplace_back(grade.name);
  return names;
}

void set_speed_grade(DramParams& params, const std::string& grade, const std::string& where) {
  for (const Grade& row : kGrades) {
    if (grade != row.name) continue;
    params.dram.value = grade;
    set(params.transfer_rate, {row.transfers_per_s}, row.source);
    set(params.transfers_per_clock, row.transfers_per_clock, row.source);
    set(params.cas_latency, from_ps(row.cas_latency), row.source);
    set(params.ras_to_cas, from_ps(row.ras_to_cas), row.source);
    set(params.row_precharge, from_ps(row.row_precharge), row.source);
    set(params.row_active, from_ps(row.row_active), row.source);
    set(params.row_cycle, from_ps(row.row_cycle), row.source);
    set(params.write_recovery, from_ps(row.write_recovery), row.source);
    set(params.write_to_read, from_ps(row.write_to_read), row.source);
    set(params.read_to_write, from_ps(row.read_to_write), kOpen);
    set(params.refresh_time, from_ps(row.refresh_time), row.refresh);
    return;
  }
  fail_unknown_name("memory", grade, speed_grade_names(), where);
}

}  // namespace longhaul::memory
