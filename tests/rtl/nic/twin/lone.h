// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tests/rtl/nic/twin/machine.h"
#include "tests/rtl/nic/twin/phase.h"

namespace longhaul::nic_twin {

struct Seen;

/// A frame that comes alone, and later a packet that is sent alone, each with one descriptor.
struct Lone {
  std::uint32_t bytes = 60;     ///< without FCS, 2044 at most: one burst
  std::uint32_t timer = 0;      ///< RDTR and TIDV, in units of 0.8192 us
  std::uint64_t offset_ps = 0;  ///< of both, against the clocks
};

/// The phase, with a reset at its begin.
Phase phase_of(const Lone& lone);

/// The first instant at which the RTL is earlier or later than the TLM model by more than
/// rtl/nic/README.md (Instants) allows. Empty if there is none. The TLM model has the engines of
/// the RTL. Throws std::runtime_error if something of the phase was not seen once.
std::string first_late(const Lone& lone, const Machine& tlm, const Machine& rtl, const Seen& of_tlm,
                       const Seen& of_rtl);

}  // namespace longhaul::nic_twin
