// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/rtl/nic/twin/machine.h"
#include "tests/rtl/nic/twin/phase.h"

namespace longhaul::nic_twin {

struct Seen;

/// The first difference between what both machines show at rest behind a phase: registers that were
/// read, causes, frames on the wire, interrupts, memory. Empty if there is none. `before` is the
/// memory when the phase began.
std::string first_difference(const Phase& phase, const Machine& tlm, const Machine& rtl,
                             const Seen& of_tlm, const Seen& of_rtl,
                             const std::vector<std::uint8_t>& before);

}  // namespace longhaul::nic_twin
