// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

#include "tests/rtl/nic/twin/machine.h"
#include "tests/rtl/nic/twin/phase.h"

namespace longhaul::nic_twin {

struct Seen;

/// Writes a phase as text: stores and accesses of software, and the frames from the line.
void log_phase(std::FILE* out, const Phase& phase, const RegisterBank& registers);

/// Writes what a machine showed in a phase as text: frames, interrupts, writes to memory, readings.
/// Times are from the traffic's begin, in microseconds.
void log_seen(std::FILE* out, const char* side, const Machine& machine, const Seen& seen);

}  // namespace longhaul::nic_twin
