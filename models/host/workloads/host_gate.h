// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/kernel/process.h"

namespace longhaul::host {

/// Holds programs back until the host's interfaces are up.
struct HostGate {
  bool open = false;
  WaitQueue waiting;
};

}  // namespace longhaul::host
