// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "models/common/param.h"

namespace longhaul::cpu {

/// Classes in which the operations of a basic block are counted
/// (platform/python/longhaul/guest/x86_operations.py: CLASSES, same order).
enum class OpClass : std::size_t {
  kSimple,
  kLoad,
  kStore,
  kBranch,
  kJump,
  kCall,
  kIndirect,
  kShiftDouble,
  kMultiply,
  kDivide,
  kLocked,
  kSerialising,
  kString,
  kVector,
  kInterruptFlag,
  kOpaqueCall,
};
inline constexpr std::size_t kOpClasses = 16;

/// Number of operations of each class in a basic block.
using OpCounts = std::array<std::uint8_t, kOpClasses>;

/// A core's pipeline. Gives the cost of a basic block's operations while its data are in the
/// first-level cache, and the average loss to effects that are not modelled one by one. Presets:
/// "k8", "netburst", "p6" (models/cpu/README.md#pipelines).
struct PipelineParams {
  Param<std::string> preset{"preset",
                            "k8",
                            "known pipeline whose values the others have by themselves",
                            {Evidence::kChosen, "models/cpu/README.md#pipelines"}};
  /// Operations that begin in a cycle.
  Param<double> width{"width", 3, "operations that begin in a cycle", {}, Range<double>{0.5, 8}};
  /// Loads and stores that begin in a cycle.
  Param<double> memory_ports{
      "memory_ports", 2, "loads and stores that begin in a cycle", {}, Range<double>{0.5, 4}};
  /// Cycles of an operation of these classes, beyond its issue slot.
  Param<double> shift_double{
      "shift_double_cycles", 0, "more cycles of a double shift", {}, Range<double>{0, 1000}};
  Param<double> multiply{
      "multiply_cycles", 0, "more cycles of a multiplication", {}, Range<double>{0, 1000}};
  Param<double> divide{"divide_cycles", 0, "more cycles of a division", {}, Range<double>{0, 1000}};
  Param<double> locked{
      "locked_cycles", 0, "more cycles of a locked access", {}, Range<double>{0, 1000}};
  Param<double> serialising{"serialising_cycles",
                            0,
                            "more cycles of a serialising instruction",
                            {},
                            Range<double>{0, 1000}};
  Param<double> string{
      "string_cycles", 0, "more cycles of a string instruction", {}, Range<double>{0, 1000}};
  Param<double> vector{
      "vector_cycles", 0, "more cycles of a vector instruction", {}, Range<double>{0, 1000}};
  Param<double> interrupt_flag{"interrupt_flag_cycles",
                               0,
                               "more cycles of an instruction that sets the interrupt flag",
                               {},
                               Range<double>{0, 1000}};
  /// A call of a function without counted blocks, such as memcpy of a header.
  Param<double> opaque_call{"opaque_call_cycles",
                            0,
                            "cycles of a called function whose blocks are not counted",
                            {},
                            Range<double>{0, 1000}};
  Param<double> mispredict{"mispredict_cycles",
                           0,
                           "cycles that a mispredicted branch costs",
                           {},
                           Range<double>{0, 1000}};
  Param<Probability> branch_miss{"branch_miss",
                                 {0},
                                 "share of conditional branches that are mispredicted",
                                 {},
                                 Range<Probability>{{0}, {1}}};
  Param<Probability> indirect_miss{"indirect_miss",
                                   {0},
                                   "share of indirect branches that are mispredicted",
                                   {},
                                   Range<Probability>{{0}, {1}}};
  /// The instruction cache, modelled as two-way. A block that misses it costs `fetch_miss` cycles.
  Param<Bytes> icache{"icache_size",
                      {0},
                      "size of the instruction cache, taken as two-way",
                      {},
                      Range<Bytes>{{0}, units::KiB(256)}};
  Param<Bytes> icache_line{"icache_line",
                           {64},
                           "size of a line of the instruction cache",
                           {},
                           Range<Bytes>{{16}, {256}}};
  Param<double> fetch_miss{"fetch_miss_cycles",
                           0,
                           "cycles of a block that is not in the instruction cache",
                           {},
                           Range<double>{0, 1000}};
  /// Average cycles that a load or store loses to effects that are not modelled one by one:
  /// first-level misses, translation, dependences.
  Param<double> rest{"rest_cycles_per_access",
                     0,
                     "cycles that a load or store loses on average to what is not modelled",
                     {},
                     Range<double>{0, 20}};
  /// From an interrupt's arrival at a halted core to the core's first cycle.
  Param<sc_core::sc_time> halt_exit{
      "halt_exit",
      {},
      "time from an interrupt's arrival at a halted core to its first cycle",
      {},
      Range<sc_core::sc_time>{sc_core::SC_ZERO_TIME, {1, sc_core::SC_MS}}};

  auto fields() {
    return std::tie(preset, width, memory_ports, shift_double, multiply, divide, locked,
                    serialising, string, vector, interrupt_flag, opaque_call, mispredict,
                    branch_miss, indirect_miss, icache, icache_line, fetch_miss, rest, halt_exit);
  }

  /// Cycles of a block that hits the instruction cache.
  double cycles(const OpCounts& ops) const;
};

/// The known pipeline of that name. Throws ConfigError whose message starts with `where` for
/// another name.
PipelineParams pipeline_preset(const std::string& name, const std::string& where);
std::vector<std::string> pipeline_preset_names();

}  // namespace longhaul::cpu
