// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/profiles/os_profile.h"

namespace longhaul::host {

/// Whose code the costs are of.
enum class CodeOf {
  kLinux61,  ///< measured on our own guest
  kLinux26,  ///< the functions of those that Linux 2.6 has
  kLinux24,  ///< the functions of those that Linux 2.4 has
  kOther,    ///< no measurement: Linux 2.4's
};

/// Sets every `*_cycles` of the network and kernel parameters; README.md#costs has the table and
/// how it was made.
void set_costs(OsProfile& profile, CodeOf code);

}  // namespace longhaul::host
