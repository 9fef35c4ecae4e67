// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_system_params.h"

#include <fmt/format.h>

#include <array>

#include "models/common/param_json.h"
#include "models/common/param_set.h"

namespace longhaul::memory {
namespace {

constexpr const char* kOpenNumbers = "models/memory/README.md#open-numbers";

/// Rioworks HDAMA with two Opteron 248: the defaults, with the paper's modules.
void opteron_hdama(MemorySystemParams& params) {
  constexpr Source kPaper{Evidence::kMeasured,
                          "OPTERON-10G, section 3: 512 MB modules of DDR400 CL2, two on each CPU"};
  set_speed_grade(params.dram, "ddr400", "opteron_hdama");
  params.dram.dram.source = kPaper;
  set(params.dram.cas_latency, {10, sc_core::SC_NS}, kPaper);
}

/// Dual Xeon with a 533 MHz bus and an E7501 with two channels of registered DDR266: GNET-1's PCs.
void xeon_533(MemorySystemParams& params) {
  constexpr Source kE7501{Evidence::kDatasheet,
                          "Intel 251927 (E7501 MCH): 144-bit DDR266 interface"};
  constexpr Source kXeon{Evidence::kDatasheet,
                         "Intel 252135 (Xeon, 533 MHz bus): 133 MHz, four transfers a clock"};
  constexpr Source kLatency{Evidence::kFitted, "models/memory/README.md#latency"};
  set_speed_grade(params.dram, "ddr266", "xeon_533");
  params.dram.dram.source = kE7501;
  set(params.dram.channels, 2, kE7501);
  set(params.nodes, 1, "Intel 251927: one memory controller hub for all processors");
  set(params.interconnect.interconnect, "front_side_bus", kXeon);
  set(params.core_latency, {25, sc_core::SC_NS}, kLatency);
  set(params.controller_latency, {50, sc_core::SC_NS}, kLatency);
  params.dram.turn_lines.source = {Evidence::kAssumed, kOpenNumbers};
}

/// Pentium III 933 with its 133 MHz bus and one channel of PC133 (i815, Apollo Pro 133A): NEC-TOE's
/// PCs.
void piii_933(MemorySystemParams& params) {
  constexpr Source kBus{
      Evidence::kDatasheet,
      "Intel 245264 (Pentium III): 133 MHz bus, one transfer a clock, 64 data lines"};
  constexpr Source kBoard{Evidence::kAssumed, kOpenNumbers};
  set_speed_grade(params.dram, "pc133", "piii_933");
  params.dram.dram.source = kBoard;
  set(params.dram.channels, 1, kBoard);
  set(params.dram.page, {8192}, kBoard);
  set(params.dram.line, {32}, "Intel 245264 (Pentium III): 32-byte cache lines");
  set(params.nodes, 1, "Intel 245264: one bus to one north bridge");
  set(params.interconnect.interconnect, "front_side_bus", kBus);
  set(params.interconnect.bus_transfer_rate, {133'333'333}, kBus);
  set(params.interconnect.bus_clock, {133'333'333}, kBus);
  constexpr Source kLatency{Evidence::kFitted, "models/memory/README.md#latency"};
  set(params.core_latency, {40, sc_core::SC_NS}, kLatency);
  set(params.controller_latency, {57, sc_core::SC_NS}, kLatency);
  params.dram.turn_lines.source = {Evidence::kAssumed, kOpenNumbers};
}

/// Pentium III-S with its 133 MHz bus and a ServerWorks north bridge that interleaves two banks of
/// PC133: GBE-TUNING's DL380 G2.
void dl380_g2(MemorySystemParams& params) {
  constexpr Source kBoard{Evidence::kAssumed, kOpenNumbers};
  piii_933(params);
  set(params.dram.channels, 2, kBoard);
}

struct Preset {
  const char* name;
  void (*apply)(MemorySystemParams&);
};

constexpr std::array<Preset, 4> kPresets{{{"opteron_hdama", opteron_hdama},
                                          {"xeon_533", xeon_533},
                                          {"piii_933", piii_933},
                                          {"dl380_g2", dl380_g2}}};

}  // namespace

void check_memory_params(const MemorySystemParams& params, const std::string& where) {
  const std::string& kind = params.interconnect.interconnect();
  if (kind != "hypertransport" && kind != "front_side_bus") {
    throw ConfigError(
        fmt::format("{}.interconnect: unknown \"{}\"; wants hypertransport or front_side_bus",
                    where, echo(kind)));
  }
  if (kind == "front_side_bus" && params.nodes() != 1) {
    throw ConfigError(
        fmt::format("{}.nodes: {} behind a front_side_bus, wants 1", where, params.nodes()));
  }
  if (params.nodes() < 1 || params.nodes() > 8 || params.cores() < 1) {
    throw ConfigError(fmt::format("{}: {} nodes and {} cores, wants 1 to 8 and at least 1", where,
                                  params.nodes(), params.cores()));
  }
  if (params.io_node() >= params.nodes()) {
    throw ConfigError(fmt::format("{}.io_node: {} of {} nodes, wants 0 to {}", where,
                                  params.io_node(), params.nodes(), params.nodes() - 1));
  }
  if (params.dram.page().count % params.dram.line().count != 0) {
    throw ConfigError(fmt::format("{}.page: {} is not a multiple of the line of {}", where,
                                  to_text(params.dram.page()), to_text(params.dram.line())));
  }
  if (to_ps(params.dram.refresh_time()) >= to_ps(params.dram.refresh_interval())) {
    throw ConfigError(
        fmt::format("{}.refresh_time: {} leaves nothing of the refresh_interval of {}", where,
                    to_text(params.dram.refresh_time()), to_text(params.dram.refresh_interval())));
  }
}

std::vector<std::string> memory_preset_names() {
  std::vector<std::string> names;
  names.reserve(kPresets.size());
  for (const Preset& preset : kPresets) names.emplace_back(preset.name);
  return names;
}

MemorySystemParams memory_preset(const std::string& name, const std::string& where) {
  for (const Preset& preset : kPresets) {
    if (name != preset.name) continue;
    MemorySystemParams params;
    params.preset.value = name;
    preset.apply(params);
    return params;
  }
  fail_unknown_name("machine", name, memory_preset_names(), where);
}

MemorySystemParams memory_params_from(const nlohmann::json& json, const std::string& where) {
  MemorySystemParams params =
      memory_preset(text_of(json, "preset", kPresets[0].name, where), where + ".preset");
  const std::string grade = text_of(json, "dram", "", where);
  if (!grade.empty()) set_speed_grade(params.dram, grade, where + ".dram");
  configure(params, json, where);
  check_memory_params(params, where);
  return params;
}

}  // namespace longhaul::memory
