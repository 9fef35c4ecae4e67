// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/assembly/config.h"

namespace longhaul::assembly {

/// Throws ConfigError for a configuration whose members are legal but exclude each other, or that
/// has an endless run or file.
void check_config(const SimulationConfig& config);
/// Throws ConfigError for a file that a run needs and cannot use: kernel, root, tables, the guests'
/// disks.
void check_files(const SimulationConfig& config);

}  // namespace longhaul::assembly
