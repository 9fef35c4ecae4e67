// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "models/net/switch/switch_params.h"

namespace longhaul {

/// The numbers of a known switch.
inline SwitchParams known_switch(const std::string& name) {
  for (const KnownSwitch& known : known_switches()) {
    if (name == known.name) return known.params;
  }
  throw std::out_of_range(name);
}

}  // namespace longhaul
