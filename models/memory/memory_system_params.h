// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/memory/dram_params.h"
#include "models/memory/interconnect_params.h"

namespace longhaul::memory {

/// Numbers of a machine's memory. Presets give them for known machines, each with its evidence.
struct MemorySystemParams {
  Param<std::string> preset{"preset",
                            "opteron_hdama",
                            "known machine, whose values the others have by themselves",
                            {Evidence::kChosen, "models/memory/README.md#presets"}};
  Param<std::uint32_t> nodes{
      "nodes",
      2,
      "memory controllers with modules of their own",
      {Evidence::kMeasured, "OPTERON-10G, section 3: two memory buses on each of two CPUs"},
      Range<std::uint32_t>{1, 8}};
  /// Whether 4 KiB pages are given to the nodes in turn, instead of one stretch to each node.
  Param<bool> node_interleave{
      "node_interleave",
      false,
      "deals 4 KiB pages out to the nodes in turn",
      {Evidence::kMeasured, "OPTERON-10G, section 3: 1 GB hangs off each CPU"}};
  /// The node with the bridge to the I/O buses.
  Param<std::uint32_t> io_node{"io_node",
                               0,
                               "node that has the bridge to the I/O buses",
                               {Evidence::kAssumed, "models/memory/README.md#open-numbers"},
                               Range<std::uint32_t>{0, 7}};
  Param<std::uint32_t> cores{
      "cores",
      1,
      "cores that are connected",
      {Evidence::kChosen, "models/memory/README.md#models: cores that are connected"},
      Range<std::uint32_t>{1, 16}};
  /// Part of a core's load: to find that all caches miss, and the way from the controller to the
  /// register.
  Param<sc_core::sc_time> core_latency{
      "core_latency",
      {20, sc_core::SC_NS},
      "a load's way to find all caches missed, and from the controller to the register",
      {Evidence::kFitted, "models/memory/README.md#latency"}};
  /// Controller, board and registered modules, without the DRAM's own time.
  Param<sc_core::sc_time> controller_latency{
      "controller_latency",
      {20, sc_core::SC_NS},
      "time of controller, board and registered modules, without DRAM's own",
      {Evidence::kFitted, "models/memory/README.md#latency"}};
  /// Written lines that controller and core hold before the core has to wait.
  Param<std::uint32_t> write_buffer{
      "write_buffer",
      8,
      "written lines that controller and core hold before the core has to wait",
      {Evidence::kAssumed, "models/memory/README.md#open-numbers"},
      Range<std::uint32_t>{0, 256}};
  DramParams dram;
  InterconnectParams interconnect;

  auto fields() {
    return std::tuple_cat(std::tie(preset, nodes, node_interleave, io_node, cores, core_latency,
                                   controller_latency, write_buffer),
                          dram.fields(), interconnect.fields());
  }
};

/// The numbers of a known machine ("opteron_hdama", "xeon_533", "piii_933"). Throws ConfigError
/// whose message starts with `where` for another name.
MemorySystemParams memory_preset(const std::string& name, const std::string& where);

/// Names of the presets.
std::vector<std::string> memory_preset_names();

/// Reads a configuration: the preset that it names (else the first one), its speed grade, then its
/// own values over them. Throws ConfigError for values that do not fit each other.
MemorySystemParams memory_params_from(const nlohmann::json& json, const std::string& where);

/// Throws ConfigError whose message starts with `where` if values do not fit each other.
void check_memory_params(const MemorySystemParams& params, const std::string& where);

}  // namespace longhaul::memory
