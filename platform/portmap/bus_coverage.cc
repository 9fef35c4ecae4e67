// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/bus_coverage.h"

#include <fmt/format.h>

namespace longhaul::portmap {

void BusCoverage::watch(cosim::ClockDomain& clock, const InterfaceEntry& interface,
                        const cosim::AxiPins& pins) {
  Interface& made = watched_[interface.name];
  made.kind = interface.kind;
  made.axi = std::make_unique<cosim::AxiCoverage>(pins);
  clock.watch(*made.axi, true);
}

void BusCoverage::register_accessed(const std::string& interface, std::uint64_t address,
                                    bool write) {
  Accesses& accesses = registers_[interface][address];
  ++(write ? accesses.writes : accesses.reads);
}

nlohmann::json BusCoverage::json() const {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [name, interface] : watched_) {
    nlohmann::json& bins = all[name]["bins"];
    bins = nlohmann::json::array();
    for (const auto& [bin, count] : interface.axi->bins()) bins.push_back({bin, count});
    all[name]["kind"] = interface.kind;
  }
  for (const auto& [name, registers] : registers_) {
    nlohmann::json& listed = all[name]["registers"];
    listed = nlohmann::json::array();
    for (const auto& [address, accesses] : registers) {
      listed.push_back({fmt::format("0x{:x}", address), accesses.reads, accesses.writes});
    }
  }
  return all;
}

}  // namespace longhaul::portmap
