// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/host/workloads/program.h"

namespace longhaul::host {

/// Makes the program of type `type`; before the simulation starts. Throws ConfigError, which names the nearest type if there is none.
std::unique_ptr<Program> make_program(const std::string& type, const ProgramRequest& request);
std::vector<std::string> program_types();

}  // namespace longhaul::host
