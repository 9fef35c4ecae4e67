// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/profiles/os_profile.h"

namespace longhaul::host {

/// What the three eras of Linux have in common; the profiles set the rest.
void linux_of_all_eras(OsProfile& profile);

}  // namespace longhaul::host
