// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace longhaul::assembly {

/// A modelled Linux host with one 10 Gb/s adapter, eth0, as a run's configuration has it; `address`
/// is IPv4 without a prefix length.
inline nlohmann::json linux_host(const std::string& name, const std::string& address,
                                 const nlohmann::json& programs) {
  return {{"name", name},
          {"cpu", {{"clock", "2.2GHz"}}},
          {"memory", {{"size", "256MiB"}}},
          {"host",
           {{"system", "linux-2.6.6"},
            {"interfaces", {{{"device", "eth0"}, {"ipv4", address + "/24"}, {"mtu", 1500}}}},
            {"programs", programs}}},
          {"devices", {{{"type", "ixgb"}, {"name", "eth0"}, {"slot", 1}}}}};
}

}  // namespace longhaul::assembly
