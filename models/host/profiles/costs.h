// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/profiles/os_profile.h"

namespace longhaul::host {

/// The code to which costs belong.
enum class CodeOf {
  kLinux61,  ///< measured on Longhaul's own guest
  kLinux26,  ///< the functions of that which Linux 2.6 has
  kLinux24,  ///< the functions of that which Linux 2.4 has
  kOther,    ///< not measured: the costs of Linux 2.4
};

/// Sets all `*_cycles` of the network and kernel parameters. README.md#costs has the table and
/// tells how it was made.
void set_costs(OsProfile& profile, CodeOf code);

}  // namespace longhaul::host
