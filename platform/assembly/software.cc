// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/software.h"

#include "platform/assembly/guest_software.h"
#include "platform/assembly/host_config.h"
#include "platform/assembly/host_software.h"

namespace longhaul::assembly {

std::uint32_t processors_of(const MachineConfig& config) {
  return config.guest ? 1 : host_processors(config.host, config.name + ".host");
}

std::unique_ptr<Software> make_software(const MachineConfig& config,
                                        const SimulationConfig& simulation, Bytes memory,
                                        std::uint64_t seed, const Cores& cores,
                                        guest::GuestListener& listener) {
  if (config.guest)
    return std::make_unique<GuestSoftware>(config, simulation, memory, seed, *cores.front(),
                                           listener);
  return std::make_unique<HostSoftware>(config, cores, listener);
}

}  // namespace longhaul::assembly
