// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/profiles/os_profile.h"

namespace longhaul::host {

/// The code to which costs belong.
enum class CodeOf {
  kLinux61,  ///< measured on Longhaul's own guest
  kLinux26,  ///< the measured functions that Linux 2.6 has, too
  kLinux24,  ///< the measured functions that Linux 2.4 has, too
  kOther,    ///< not measured: the costs of Linux 2.4
};

/// Sets all `*_cycles` of the network and kernel parameters. README.md#costs has the table and
/// tells how it was made.
void set_costs(OsProfile& profile, CodeOf code);

}  // namespace longhaul::host
