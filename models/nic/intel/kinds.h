// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/param.h"

namespace longhaul::nic::intel {

/// PCI vendor id.
constexpr std::uint16_t kVendor = 0x8086;

/// The hierarchical name that an object called `leaf` gets or has: messages start with it.
inline std::string full_name(const std::string& leaf) {
  const sc_core::sc_object* const parent = sc_core::sc_get_curr_simcontext()->hierarchy_curr();
  return parent == nullptr ? leaf : std::string(parent->name()) + "." + leaf;
}

/// The entry of `kinds` (anything with a `name`) that is called `name`; ConfigError, which starts with `where`, names the
/// nearest one otherwise.
template <class Kinds>
const auto& kind_named(const Kinds& kinds, const std::string& name, const std::string& where) {
  std::vector<std::string> names;
  for (const auto& kind : kinds) {
    if (name == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  throw ConfigError(fmt::format("{}: '{}' is unknown; nearest is '{}'", where, name, nearest(name, names)));
}

/// What the slot says of the bus, in the bits of STATUS (the same in all controllers: 8254x SDM, 13.4.2; ixgb_hw.h).
struct BusKind {
  const char* name;
  std::uint32_t status;
};
namespace bus_status {
constexpr std::uint32_t kPci66 = 1U << 11;
constexpr std::uint32_t kBus64 = 1U << 12;
constexpr std::uint32_t kPcix = 1U << 13;
constexpr std::uint32_t kPcix100 = 1U << 14;
constexpr std::uint32_t kPcix133 = 2U << 14;
}  // namespace bus_status
constexpr std::array<BusKind, 5> kBuses{{
    {"pcix-133", bus_status::kPcix | bus_status::kBus64 | bus_status::kPcix133},
    {"pcix-100", bus_status::kPcix | bus_status::kBus64 | bus_status::kPcix100},
    {"pcix-66", bus_status::kPcix | bus_status::kBus64},
    {"pci-66", bus_status::kBus64 | bus_status::kPci66},
    {"pci-33", bus_status::kBus64},
}};

}  // namespace longhaul::nic::intel
