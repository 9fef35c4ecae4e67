// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/profiles/os_profile.h"

namespace longhaul::host {

/// The common part of the three eras of Linux. The profiles set the rest.
void linux_of_all_eras(OsProfile& profile);

}  // namespace longhaul::host
