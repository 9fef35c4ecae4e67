// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/software.h"

#include "platform/assembly/guest_software.h"

namespace longhaul::assembly {

std::uint32_t processors_of(const MachineConfig& /*config*/) { return 1; }

std::unique_ptr<Software> make_software(const MachineConfig& config, const SimulationConfig& simulation, Bytes memory,
                                        std::uint64_t seed, const Cores& cores, guest::GuestListener& listener) {
  return std::make_unique<GuestSoftware>(config, simulation, memory, seed, *cores.front(), listener);
}

}  // namespace longhaul::assembly
