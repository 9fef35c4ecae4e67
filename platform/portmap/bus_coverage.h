// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "platform/cosim/bus/axi_coverage.h"
#include "platform/cosim/clock_domain.h"
#include "platform/portmap/block_map.h"

namespace longhaul::portmap {

/// Coverage of a block's buses, by interface: bins of AXI, and the registers that the host has read
/// and written.
class BusCoverage {
 public:
  /// Counts the events on an AXI interface. Before power-up.
  void watch(cosim::ClockDomain& clock, const InterfaceEntry& interface,
             const cosim::AxiPins& pins);
  /// The host accesses the register at `address` of an interface.
  void register_accessed(const std::string& interface, std::uint64_t address, bool write);

  /// See observe::CoveredPart.
  nlohmann::json json() const;

 private:
  struct Interface {
    std::string kind;
    std::unique_ptr<cosim::AxiCoverage> axi;
  };
  struct Accesses {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
  };
  std::map<std::string, Interface> watched_;
  std::map<std::string, std::map<std::uint64_t, Accesses>> registers_;
};

}  // namespace longhaul::portmap
