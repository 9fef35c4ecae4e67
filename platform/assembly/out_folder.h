// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/assembly/config.h"

namespace longhaul::assembly {

/// A file in a run's folder. It marks the folder's files as outputs of a run, which may be
/// replaced.
inline constexpr const char* kRunMark = ".longhaul-run";

/// Throws ConfigError if a run cannot write into config.out, or would replace files there that are
/// not of a run.
void check_out_folder(const SimulationConfig& config);
/// Marks the folder as a run's folder, and removes the reports of an earlier run. Throws
/// std::system_error.
void claim_out_folder(const SimulationConfig& config);

}  // namespace longhaul::assembly
