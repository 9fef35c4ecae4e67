// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/pipeline.h"

#include <algorithm>

#include "models/common/param_set.h"

namespace longhaul::cpu {
namespace {

constexpr const char* kK8 =
    "AMD 25112 (K8 software optimization guide), sections 1 and A, appendix C";
constexpr const char* kNetBurst =
    "Intel 248966 (IA-32 optimization manual, NetBurst), appendix C; A. Fog, microarchitecture";
constexpr const char* kP6 = "Intel 245127 (P6 optimization manual); A. Fog, instruction tables";
constexpr const char* kFit = "scenarios/opteron_10g/calibration: OPTERON-10G table 2, IXGB rows";
constexpr const char* kHalt = "models/cpu/README.md#halt";
constexpr const char* kRates = "models/cpu/README.md#what-is-not-modelled-one-by-one";

/// One row of the table of pipelines.
struct PipelineRow {
  const char* name;
  const char* source;
  double width, memory_ports;
  double shift_double, multiply, divide, locked, serialising, string, vector, interrupt_flag,
      opaque_call;
  double mispredict;
  double branch_miss, indirect_miss;
  std::uint64_t icache_kib, icache_line;
  double fetch_miss;
  double rest;
  std::uint32_t halt_exit_us;
};

// Latencies beyond the issue slot.
constexpr std::array<PipelineRow, 3> kPipelines{{
    {"k8", kK8, 3, 2, 8, 2, 40, 15, 12, 15, 1, 4, 25, 10, 0.04, 0.2, 64, 64, 15, 0.61, 0},
    {"netburst", kNetBurst, 3,  2,    6,   13, 60, 120, 80,  40, 2,
     36,         60,        20, 0.04, 0.2, 16, 64, 20,  2.5, 3},
    {"p6", kP6, 3, 1.5, 3, 3, 38, 20, 30, 20, 1, 9, 30, 12, 0.05, 0.25, 16, 32, 8, 1.5, 3},
}};

const PipelineRow* find_pipeline(const std::string& name) {
  const auto* const row = std::find_if(kPipelines.begin(), kPipelines.end(),
                                       [&](const PipelineRow& r) { return name == r.name; });
  return row == kPipelines.end() ? nullptr : row;
}

double count(const OpCounts& ops, OpClass kind) { return ops[static_cast<std::size_t>(kind)]; }

}  // namespace

double PipelineParams::cycles(const OpCounts& ops) const {
  const auto n = [&ops](OpClass kind) { return count(ops, kind); };
  double all = 0;
  for (const std::uint8_t ops_of_class : ops) all += ops_of_class;
  // A call or a return is two operations: the transfer and the update of the stack pointer.
  all += n(OpClass::kCall);
  const double begin =
      std::max(all / width(), (n(OpClass::kLoad) + n(OpClass::kStore)) / memory_ports());
  const double slow = n(OpClass::kShiftDouble) * shift_double() +
                      n(OpClass::kMultiply) * multiply() + n(OpClass::kDivide) * divide() +
                      n(OpClass::kLocked) * locked() + n(OpClass::kSerialising) * serialising() +
                      n(OpClass::kString) * string() + n(OpClass::kVector) * vector() +
                      n(OpClass::kInterruptFlag) * interrupt_flag() +
                      n(OpClass::kOpaqueCall) * opaque_call();
  const double mispredicted =
      n(OpClass::kBranch) * branch_miss().share + n(OpClass::kIndirect) * indirect_miss().share;
  return begin + slow + mispredicted * mispredict() +
         (n(OpClass::kLoad) + n(OpClass::kStore)) * rest();
}

std::vector<std::string> pipeline_preset_names() {
  std::vector<std::string> names;
  names.reserve(kPipelines.size());
  for (const PipelineRow& row : kPipelines) names.emplace_back(row.name);
  return names;
}

PipelineParams pipeline_preset(const std::string& name, const std::string& where) {
  const PipelineRow* const row = find_pipeline(name);
  if (row == nullptr) fail_unknown_name("pipeline", name, pipeline_preset_names(), where);
  PipelineParams p;
  const Source documented{Evidence::kDatasheet, row->source};
  const Source assumed{Evidence::kAssumed, kRates};
  p.preset.value = name;
  set(p.width, row->width, documented);
  set(p.memory_ports, row->memory_ports, documented);
  set(p.shift_double, row->shift_double, documented);
  set(p.multiply, row->multiply, documented);
  set(p.divide, row->divide, documented);
  set(p.locked, row->locked, documented);
  set(p.serialising, row->serialising, documented);
  set(p.string, row->string, documented);
  set(p.vector, row->vector, documented);
  set(p.interrupt_flag, row->interrupt_flag, documented);
  set(p.opaque_call, row->opaque_call, assumed);
  set(p.mispredict, row->mispredict, documented);
  set(p.branch_miss, {row->branch_miss}, assumed);
  set(p.indirect_miss, {row->indirect_miss}, assumed);
  set(p.icache, units::KiB(row->icache_kib), documented);
  set(p.icache_line, {row->icache_line}, documented);
  set(p.fetch_miss, row->fetch_miss, documented);
  set(p.halt_exit, from_ps(row->halt_exit_us * 1'000'000ULL), {Evidence::kAssumed, kHalt});
  set(p.rest, row->rest, name == "k8" ? Source{Evidence::kFitted, kFit} : assumed);
  return p;
}

}  // namespace longhaul::cpu
