// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/bus_mode.h"

#include <algorithm>
#include <array>

namespace longhaul::portmap {
namespace {

struct Named {
  const char* name;
  BusMode mode;
};
constexpr std::array<Named, 5> kNamed{{{"pcix-133", {false, true, true, 2}},
                                       {"pcix-100", {false, true, true, 1}},
                                       {"pcix-66", {false, true, true, 0}},
                                       {"pci-66", {true, true, false, 0}},
                                       {"pci-33", {false, true, false, 0}}}};
// Shortest periods of the slower modes, ps: PCI 2.3, 4.2.3.1 and 7.6.4.1, PCI-X 1.0b, 9.4.
constexpr std::uint64_t kPci33 = 30'000;
constexpr std::uint64_t kPcix66 = 15'000;
constexpr std::uint64_t kPcix100 = 10'000;
constexpr std::uint32_t kBytes64 = 8;

}  // namespace

BusMode BusMode::of(const pcix::BusTiming& bus) {
  const std::uint64_t period = bus.period_ps();
  BusMode mode;
  mode.bus64 = bus.width_bytes() == kBytes64;
  mode.pcix = bus.is_pcix();
  if (mode.pcix) {
    mode.pcix_speed = period >= kPcix66 ? 0 : period >= kPcix100 ? 1 : 2;
  } else {
    mode.pci66 = period < kPci33;
  }
  return mode;
}

BusMode BusMode::named(const std::string& name) {
  return std::find_if(kNamed.begin(), kNamed.end(),
                      [&](const Named& each) { return name == each.name; })
      ->mode;
}

std::vector<std::string> BusMode::names() {
  std::vector<std::string> names;
  names.reserve(kNamed.size());
  for (const Named& each : kNamed) names.emplace_back(each.name);
  return names;
}

}  // namespace longhaul::portmap
