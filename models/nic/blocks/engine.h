// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/engine.h"

namespace longhaul::nic {

// The serial engine under the name by which adapters know it.
using longhaul::Engine;
using longhaul::Step;

}  // namespace longhaul::nic
