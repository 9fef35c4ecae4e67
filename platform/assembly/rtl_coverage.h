// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/wan/box_type.h"
#include "platform/assembly/config.h"
#include "platform/assembly/machine.h"
#include "platform/observe/covered_part.h"

namespace longhaul::assembly {

/// Writes the coverage of each part of RTL by a port map: coverage/PLACE.dat in Verilator's format,
/// and coverage/PLACE.buses.json for its buses. PLACE is MACHINE.DEVICE, or a box's name.
class RtlCoverage {
 public:
  static constexpr const char* kFolder = "coverage";  ///< in the run's folder

  /// Throws ConfigError if coverage is configured and there is no such part, or a part that does
  /// not count coverage.
  RtlCoverage(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
              const std::vector<std::unique_ptr<wan::WanBox>>& boxes);

  /// Writes the present counts, if coverage is configured. A second call does nothing. Throws
  /// SinkError.
  void write();

 private:
  const std::string folder_;
  std::vector<std::pair<std::string, const observe::CoveredPart*>> parts_;
};

}  // namespace longhaul::assembly
