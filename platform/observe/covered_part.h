// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace longhaul::observe {

/// A part of RTL that counts its coverage in a run (docs/coverage.md).
class CoveredPart {
 public:
  virtual ~CoveredPart() = default;
  /// Whether its RTL was compiled to count coverage.
  virtual bool covered() const = 0;
  /// The name of its RTL, which is the same for all instances of one design.
  virtual std::string design() const = 0;
  /// Writes the coverage of the RTL in Verilator's format. Returns false if the file cannot be
  /// written.
  virtual bool write_coverage(const std::string& path) const = 0;
  /// Coverage of the buses at its pins: {"INTERFACE": {"bins": [[NAME, COUNT]], "registers":
  /// [[ADDRESS, READS, WRITES]]}}.
  virtual nlohmann::json bus_coverage() const = 0;
};

}  // namespace longhaul::observe
