// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/assembly/config.h"

namespace longhaul::assembly {

/// A run leaves this file in its folder: what a run writes may be replaced there.
inline constexpr const char* kRunMark = ".longhaul-run";

/// Throws ConfigError if a run cannot write into config.out, or would replace there what no run has
/// written.
void check_out_folder(const SimulationConfig& config);
/// Marks the folder as a run's, and removes the reports of an earlier one. Throws
/// std::system_error.
void claim_out_folder(const SimulationConfig& config);

}  // namespace longhaul::assembly
