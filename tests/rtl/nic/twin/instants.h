// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/rtl/nic/twin/machine.h"
#include "tests/rtl/nic/twin/phase.h"

namespace longhaul::nic_twin {

struct Seen;

/// The first receive descriptor of a phase of lone frames whose write-back is too early or too late
/// in the RTL, by the bound of rtl/nic/README.md (Instants). Empty if there is none. The TLM model
/// has the engines of the RTL.
std::string first_late(const Phase& phase, const Machine& tlm, const Machine& rtl,
                       const Seen& of_tlm, const Seen& of_rtl);

}  // namespace longhaul::nic_twin
